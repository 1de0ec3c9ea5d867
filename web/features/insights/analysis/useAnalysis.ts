import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { insightsAnalysis, type Analysis } from '#contract/analytics/analysis.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend, type CallKey } from '#web/lib/queries.ts'

const keyFor = (params: object, filter: object): CallKey => [insightsAnalysis.path, params, filter]

/** The last text of these filters, kept while the app is open, and the call that writes another one. */
export function useAnalysis(ids: ProjectIds, query: InsightsFilter) {
  const queries = useQueryClient()
  const written = useQuery<Analysis, ApiFailure, Analysis, CallKey>({
    queryKey: keyFor(ids, query),
    queryFn: skipToken,
    staleTime: Infinity,
  })
  const send = useSend(insightsAnalysis, {
    handles: true,
    onSuccess: (reply, { params, body }) => queries.setQueryData(keyFor(params, body), reply),
  })
  // what went wrong is about the filters that it was asked with
  const isSame = JSON.stringify(send.variables?.body) === JSON.stringify(query)
  return {
    analysis: written.data,
    isPending: send.isPending && isSame,
    error: isSame ? send.error : null,
    write: () => send.mutate({ params: ids, body: query }),
  }
}
