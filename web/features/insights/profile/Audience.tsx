import { useState } from 'react'
import { insightsAudience, type InsightsAudience } from '#contract/analytics/overview.ts'
import type { ChartData } from '#charts/data.ts'
import { dayText } from '#web/lib/dates.ts'
import { useCall } from '#web/lib/queries.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { isFixedByReconnecting, missingWords } from '#contract/analytics/insightWords.ts'
import { breakdownName, bucketName, bucketsInOrder, unitNames } from './audienceWords.ts'

type Breakdown = InsightsAudience['breakdowns'][number]

/** So many bars are shown first. */
const FIRST = 8

/** Not "Audience": that's the group of figures about followers. */
export const audienceTitle = 'Who the audience is'

type Props = { ids: ProjectIds; channelId: string; /** So many breakdowns at most. */ most?: number }

/** Who a channel's audience is, by age, country and so on, or why that isn't known. */
export function Audience({ ids, channelId, most = Infinity }: Props) {
  const found = useCall(insightsAudience, { params: ids, query: { channelId } }, { handles: true })
  return (
    <Loaded query={found} skeleton={<AudienceToCome />}>
      {({ breakdowns, missing }) =>
        missing === null ? (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-2.5 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
            {breakdowns.slice(0, most).map((breakdown) => (
              <Bars key={breakdown.breakdown} of={breakdown} />
            ))}
          </div>
        ) : (
          <p className={`${paperClass} px-3.5 py-3 text-pretty text-ink-muted`}>
            {missingWords[missing]}.{' '}
            {isFixedByReconnecting(missing) ? (
              <Link to="/$orgId/project/$projectId/channels" params={ids} search={{ reconnect: channelId }}>
                Reconnect
              </Link>
            ) : null}
          </p>
        )
      }
    </Loaded>
  )
}

function Bars({ of: { breakdown, day, unit, buckets } }: { of: Breakdown }) {
  const [all, setAll] = useState(false)
  const name = breakdownName(breakdown)
  const ordered = bucketsInOrder(breakdown, buckets)
  const shown = all || ordered.length <= FIRST + 1 ? ordered : ordered.slice(0, FIRST)
  const data: ChartData = {
    axis: { kind: 'names', keys: shown.map(({ bucket }) => bucketName(breakdown, bucket)) },
    series: [
      {
        key: 'value',
        name: unitNames[unit],
        values: shown.map(({ value }) => (unit === 'share' ? value / 100 : value)),
      },
    ],
    unit: unit === 'share' ? 'percent' : 'count',
    adds: 'none',
  }
  return (
    <section aria-label={name} className={`${paperClass} grid grid-cols-[minmax(0,1fr)] gap-1 px-3.5 py-3`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-semibold">{name}</h3>
        <span className="text-sm text-ink-muted">Reported on {dayText(day)}</span>
      </div>
      <ChartFigure label={`Audience by ${name.toLowerCase()}`} data={data} shape="rows" />
      {shown.length < ordered.length || all ? (
        <Button size="s" tone="quiet" className="justify-self-start" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${ordered.length}`}
        </Button>
      ) : null}
    </section>
  )
}

const AudienceToCome = () => (
  <Skeletons label="Loading the audience" className="grid gap-2.5 lg:grid-cols-2">
    <Skeleton className="h-68 rounded-lg" />
    <Skeleton className="h-68 rounded-lg" />
  </Skeletons>
)
