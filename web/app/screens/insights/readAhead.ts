import type { QueryClient } from '@tanstack/react-query'
import { insightsSummary } from '#contract/analytics/overview.ts'
import { allChannels } from '#contract/channels.ts'
import { home, plan } from '#contract/organizations.ts'
import { hubCall, hubOptions } from '#web/features/insights/hubCall.ts'
import { filtersOf, queryOf, wrongFilters } from '#web/features/insights/insightsSearch.ts'
import { filtersIn } from '#web/features/insights/sections.ts'
import { figureIn } from '#web/features/insights/useFigures.ts'
import { localZone, wallOf } from '#web/lib/dates.ts'
import { findProject, type ProjectIds } from '#web/lib/project.ts'
import { callOptions } from '#web/lib/queries.ts'
import { InsightsSearch } from '../../search.ts'

/** So long the screen isn't drawn without figures that are on their way: drawing it twice takes longer. Milliseconds. */
const PATIENCE = 150

/**
 * Asks for the hub's figures while its screen is still loading, or when its link is pointed at. Waits for them, but not
 * longer than nobody would notice.
 */
export async function readAhead(queries: QueryClient, { orgId, projectId }: ProjectIds, search: object): Promise<void> {
  const ids = { orgId, projectId }
  const known = queries.getQueryData(callOptions(plan, { params: { orgId } }).queryKey)
  if (known?.closed.includes('analytics')) return
  const zone = findProject(queries.getQueryData(callOptions(home, {}).queryKey), ids)?.project.zone ?? localZone()
  const address = InsightsSearch.parse(search)
  const filters = filtersIn({ key: 'insights' }, filtersOf(address))
  const today = wallOf(new Date(), zone).day
  if (wrongFilters(filters, today).length > 0) return
  const view = { chosen: figureIn(address.figure), all: address.figures === 'all' }
  const summary = callOptions(insightsSummary, hubCall(ids, queryOf(filters, today), view), hubOptions)
  const arrived = queries.prefetchQuery(summary)
  void queries.prefetchQuery(callOptions(allChannels, { params: ids }, { handles: true }))
  await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, PATIENCE))])
}
