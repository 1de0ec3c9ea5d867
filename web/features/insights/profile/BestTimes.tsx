import { figureName } from '#contract/analytics/labels.ts'
import { isOfPosts } from '#contract/analytics/postColumns.ts'
import { insightsWorked, WORKED_LEAST_DAYS, type Worked, type WorkedFigure } from '#contract/analytics/worked.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { addDays, type Day } from '#web/lib/dates.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { Span } from '../insightsSearch.ts'
import { useWorked } from '../worked/useWorked.ts'
import { WorkedChart } from '../worked/WorkedChart.tsx'
import { bestTimesText, conclusionsOf, grainOf, type Grain } from './bestTimes.ts'

type Props = { ids: ProjectIds; channelId: string; platform: PlatformKey; today: Day }

const FIGURES = ['engagements', 'engagementRate'] as const

/** So many days of posts, whatever days are chosen: a week of posts says nothing about the hours of a week. */
const DAYS = 90

/** The median of a figure by weekday and time, as finely as there are posts for, and what can be concluded from it. */
export function BestTimes({ ids, channelId, platform, today }: Props) {
  const worked = useWorked()
  const offered = FIGURES.filter((name) => isOfPosts(platform, name))
  const figure: (typeof FIGURES)[number] =
    worked.figure === 'engagementRate' && offered.includes(worked.figure) ? worked.figure : 'engagements'
  const to = addDays(today, -WORKED_LEAST_DAYS)
  const span = { from: addDays(to, 1 - DAYS), to }
  const query = { ...span, channelIds: [channelId], figure }
  const found = useCall(insightsWorked, { params: ids, query: { ...query, by: 'weekdayHour' } }, { handles: true })
  return (
    <Loaded query={found} skeleton={<Skeleton className="h-90 rounded-lg" />}>
      {(reply) => {
        const grain = grainOf(reply.groups)
        return (
          <div className={`${paperClass} grid grid-cols-[minmax(0,1fr)] gap-2 px-3.5 py-3`}>
            <p className="text-pretty text-ink-muted">{bestTimesText(reply, { span, platform, grain })}</p>
            {offered.length > 1 && !reply.apart.includes(platform) ? (
              <Segmented
                label="Figure of the best times"
                className="justify-self-start"
                value={figure}
                options={offered.map((value) => ({ value, label: figureName(value) }))}
                onChange={worked.onFigure}
              />
            ) : null}
            {grain === null ? null : <Times ids={ids} query={query} platform={platform} hours={reply} grain={grain} />}
          </div>
        )
      }}
    </Loaded>
  )
}

type TimesProps = {
  ids: ProjectIds
  query: Span & { channelIds: string[]; figure: WorkedFigure }
  platform: PlatformKey
  hours: Worked
  grain: Grain
}

/** The conclusion, then the chart. Weekdays and parts of the day are few, so that what stands out among them isn't chance. */
function Times({ ids, query, platform, hours, grain }: TimesProps) {
  const { figure } = query
  const of = (by: Grain | 'dayPart') => ({ params: ids, query: { ...query, by } })
  const weekdays = useCall(insightsWorked, of('weekday'), { handles: true })
  const parts = useCall(insightsWorked, of('dayPart'), { handles: true })
  const both = useCall(insightsWorked, of('weekdayPart'), { handles: true, enabled: grain === 'weekdayPart' })
  const shown = { weekdayHour: undefined, weekdayPart: both, weekday: weekdays }[grain]
  return (
    <>
      {weekdays.error || parts.error ? (
        <p className="text-ink-muted">What these times show couldn't be loaded. Reload the page to try again.</p>
      ) : weekdays.data && parts.data ? (
        <ul aria-label="When posts did better" className="grid gap-1">
          {conclusionsOf([weekdays.data, parts.data], figure, platform).map((sentence) => (
            <li key={sentence} className="text-pretty">
              {sentence}
            </li>
          ))}
        </ul>
      ) : null}
      {shown ? (
        <Loaded query={shown} skeleton={<Skeleton className="h-70 rounded-lg" />}>
          {(reply) => <WorkedChart reply={reply} figure={figure} by={grain} platform={platform} />}
        </Loaded>
      ) : (
        <WorkedChart reply={hours} figure={figure} by={grain} platform={platform} />
      )}
    </>
  )
}
