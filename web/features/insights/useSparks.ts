import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { addsOf, shownValue } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { insightsSeries } from '#contract/analytics/overview.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

export type Sparks = ReadonlyMap<FigureKey, readonly (number | null)[]>

/** These figures of these days by day, for small lines; they come after the values. What has no total by day has none. */
export function useSparks(
  ids: ProjectIds,
  query: InsightsFilter,
  wanted: readonly FigureKey[],
  /** The only platform: it may have no total, but a line of its own. */
  platform?: PlatformKey,
): Sparks {
  const { compareFrom: _from, compareTo: _to, ...days } = query
  const names = wanted.filter((name) => name !== 'engagementRate' && addsOf(name) !== 'none')
  const found = useCall(
    insightsSeries,
    { params: ids, query: { ...days, names, by: platform ? 'platform' : 'total' } },
    { keepPrevious: true, handles: true, enabled: names.length > 0 && query.from !== query.to },
  )
  return new Map(
    (found.data?.series ?? []).map(({ name, values }) => [name, values.map((value) => shownValue(name, value))]),
  )
}
