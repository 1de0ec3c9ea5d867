import { getRouteApi } from '@tanstack/react-router'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

/** Whether the address has all channels in one order instead of one for each platform, and how to change it. */
export function useTogether(): [boolean, (together: boolean) => void] {
  const { by } = route.useSearch()
  const navigate = route.useNavigate()
  return [
    by === 'channel',
    (together) =>
      void navigate({
        search: (before) => ({ ...before, by: together ? 'channel' : undefined }),
        replace: true,
        resetScroll: false,
      }),
  ]
}
