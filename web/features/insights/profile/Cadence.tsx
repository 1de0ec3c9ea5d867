import { insightsSeries } from '#contract/analytics/overview.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { Day } from '#web/lib/dates.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { cadenceChart, cadenceOf, cadenceText } from './cadence.ts'

type Props = { ids: ProjectIds; /** Of one channel, without days to compare with. */ query: InsightsFilter; today: Day }

/** How often a channel publishes: posts by day or week, and the longest time without one. */
export function Cadence({ ids, query, today }: Props) {
  const found = useCall(
    insightsSeries,
    { params: ids, query: { ...query, base: 'postsPublished', names: ['published'] } },
    { keepPrevious: true, handles: true },
  )
  return (
    <Loaded query={found} skeleton={<Skeleton className="h-75 rounded-lg" />}>
      {({ days, series }) => {
        const posts = { days, values: series[0]?.values ?? days.map(() => 0) }
        const { by, data } = cadenceChart(posts)
        return (
          <div className={`${paperClass} px-3.5 py-3`}>
            <p className="pb-2 text-pretty text-ink-muted">{cadenceText(cadenceOf(posts, today))}</p>
            <ChartFigure label={by === 'day' ? 'Published posts by day' : 'Published posts by week'} data={data} tall />
            {by === 'week' ? (
              <p className="pt-1.5 text-sm text-ink-muted">
                Weeks from Monday. The first and the last one can be shorter.
              </p>
            ) : null}
          </div>
        )
      }}
    </Loaded>
  )
}
