import { insightsCompetitorSeries, type ComparedAccount } from '#contract/analytics/competitors.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { lookAt } from '#charts/style.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import { uniqueNames } from './uniqueNames.ts'

const HEIGHT = 'min-h-55 lg:min-h-75'

/** Followers by day, a line for each of these accounts. */
export function FollowerLines({
  platform,
  accounts,
  query,
}: {
  platform: PlatformKey
  accounts: readonly ComparedAccount[]
  query: InsightsFilter
}) {
  const ids = useProjectIds()
  const { compareFrom: _from, compareTo: _to, platforms: _platforms, ...days } = query
  const found = useCall(
    insightsCompetitorSeries,
    { params: ids, query: { ...days, platform } },
    { keepPrevious: true, handles: true },
  )
  const names = uniqueNames(accounts)
  const places = new Map(accounts.map(({ id }, place) => [id, place]))
  const term = platformFigure(platform, 'channel', 'followers')?.term ?? 'Followers'
  return (
    <div className={HEIGHT}>
      <Loaded query={found} skeleton={<div className={HEIGHT} />}>
        {(reply) => (
          <ChartFigure
            label={`${term} on ${platformName(platform)} by day`}
            tall
            data={{
              axis: { kind: 'days', keys: reply.days },
              adds: 'last',
              series: reply.series.flatMap(({ id, values }) => {
                const name = names.get(id)
                return name === undefined ? [] : [{ key: id, name, values, look: lookAt(places.get(id) ?? 0) }]
              }),
            }}
          />
        )}
      </Loaded>
    </div>
  )
}
