import { FIRST_DAY, type InsightsFilter } from '#contract/analytics/filter.ts'
import { termOf } from '#contract/analytics/labels.ts'
import { insightsSeries, type MissingChannels } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import {
  changesChart,
  daysBefore,
  followersChart,
  growthFigures,
  growthText,
  netGrowth,
  noGrowthText,
} from './growth.ts'

type Props = {
  ids: ProjectIds
  /** Of one channel, without days to compare with. */ query: InsightsFilter
  platform: PlatformKey
  /** What kind of account it is, as connecting names it. */ kind: string | null
  missing: readonly MissingChannels[]
}

/** How a channel's followers grow: their number by day, who came and who left, and what that makes together. */
export function Growth({ ids, query, platform, kind, missing }: Props) {
  const found = useCall(
    insightsSeries,
    { params: ids, query: { ...query, names: [...growthFigures], by: 'channel' } },
    { keepPrevious: true, handles: true },
  )
  const before = useCall(
    insightsSeries,
    {
      params: ids,
      query: { ...query, ...daysBefore(query.from ?? FIRST_DAY), names: ['followers'], by: 'channel' },
    },
    { handles: true, enabled: query.from !== undefined },
  )
  const term = (name: (typeof growthFigures)[number]) => termOf(platform, 'channel', name)
  return (
    <Loaded query={found} skeleton={<Skeleton className="h-75 rounded-lg" />}>
      {(lines) => {
        const followers = followersChart(lines, term('followers'))
        const changes = changesChart(lines, { gained: term('followersGained'), lost: term('followersLost') })
        const net = before.isLoading ? undefined : netGrowth(lines, before.data)
        const reason = missing.find(({ figures }) => figures.inTheseDays?.includes('followers') === true)?.reason
        return (
          <div className={`${paperClass} grid grid-cols-[minmax(0,1fr)] gap-3 px-3.5 py-3`}>
            <p className="text-pretty text-ink-muted">
              {net === undefined
                ? '\u00a0'
                : net
                  ? growthText(term('followers'), net)
                  : noGrowthText(lines, { term: term('followers'), platform, kind }, reason)}
            </p>
            {followers ? <ChartFigure label={`${term('followers')} by day`} data={followers} tall /> : null}
            {changes ? <ChartFigure label="Who came and who left, by day" data={changes} /> : null}
          </div>
        )
      }}
    </Loaded>
  )
}
