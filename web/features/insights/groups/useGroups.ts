import { getRouteApi } from '@tanstack/react-router'
import { MOST_COMPARED } from '#contract/analytics/compared.ts'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

export type GroupKind = 'campaign' | 'label'

/** What the address says is compared: campaigns or labels, and which of them; without `chosen`, those with the most posts. */
export function useGroups() {
  const { by, ids } = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: { by?: 'label' | undefined; ids: string[] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...next }), resetScroll: false })
  const shown: GroupKind = by === 'label' ? by : 'campaign'
  return {
    kind: shown,
    chosen: ids?.slice(0, MOST_COMPARED),
    onKind: (kind: GroupKind) => change({ by: kind === 'label' ? kind : undefined, ids: undefined }),
    onChoose: (chosen: string[] | undefined) => change({ ids: chosen }),
  }
}
