import { getRouteApi } from '@tanstack/react-router'
import { offeredBy, WorkedFigure, type WorkedBy } from '#contract/analytics/worked.ts'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

/** What posts are compared by and with which figure, as the address says it. */
export function useWorked() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: { workedBy?: WorkedBy | undefined; worked?: WorkedFigure | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  return {
    by: offeredBy.find((one) => one === search.workedBy) ?? 'format',
    figure: WorkedFigure.catch('engagements').parse(search.worked),
    onBy: (by: WorkedBy) => change({ workedBy: by === 'format' ? undefined : by }),
    onFigure: (figure: WorkedFigure) => change({ worked: figure === 'engagements' ? undefined : figure }),
    /** Posts need a week to be compared, so the usual 7 days have none. */
    onMonths: () =>
      void navigate({
        search: (before) => ({ ...before, range: '90', from: undefined, to: undefined }),
        resetScroll: false,
      }),
  }
}
