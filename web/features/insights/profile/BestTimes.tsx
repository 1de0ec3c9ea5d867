import { figureName } from '#contract/analytics/labels.ts'
import { isOfPosts } from '#contract/analytics/postColumns.ts'
import { insightsWorked, WORKED_LEAST_DAYS, WORKED_LEAST_POSTS, type Worked } from '#contract/analytics/worked.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { addDays, type Day } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { spanText, type Span } from '../insightsSearch.ts'
import { useWorked } from '../worked/useWorked.ts'
import { WorkedChart } from '../worked/WorkedChart.tsx'

type Props = { ids: ProjectIds; channelId: string; platform: PlatformKey; today: Day }

const FIGURES = ['engagements', 'engagementRate'] as const

/** So many days of posts, whatever days are chosen: a week of posts says nothing about the hours of a week. */
const DAYS = 90

/** The median of a figure by weekday and hour, with the number of posts of each. */
export function BestTimes({ ids, channelId, platform, today }: Props) {
  const worked = useWorked()
  const offered = FIGURES.filter((name) => isOfPosts(platform, name))
  const figure = worked.figure === 'engagementRate' && offered.includes(worked.figure) ? worked.figure : 'engagements'
  const to = addDays(today, -WORKED_LEAST_DAYS)
  const span = { from: addDays(to, 1 - DAYS), to }
  const found = useCall(
    insightsWorked,
    { params: ids, query: { ...span, channelIds: [channelId], by: 'weekdayHour', figure } },
    { handles: true },
  )
  return (
    <Loaded query={found} skeleton={<Skeleton className="h-90 rounded-lg" />}>
      {(reply) => (
        <div className={`${paperClass} grid grid-cols-[minmax(0,1fr)] gap-2 px-3.5 py-3`}>
          <p className="text-pretty text-ink-muted">{bestTimesText(reply, { span, platform })}</p>
          {offered.length > 1 && !reply.apart.includes(platform) ? (
            <Segmented
              label="Figure of the best times"
              className="justify-self-start"
              value={figure}
              options={offered.map((value) => ({ value, label: figureName(value) }))}
              onChange={worked.onFigure}
            />
          ) : null}
          {reply.all.posts > 0 ? (
            <WorkedChart reply={reply} figure={figure} by="weekdayHour" platform={platform} />
          ) : null}
        </div>
      )}
    </Loaded>
  )
}

/** What is in the map, or why there's none. */
export function bestTimesText(
  { all, withoutFigure, apart }: Pick<Worked, 'all' | 'withoutFigure' | 'apart'>,
  { span, platform }: { span: Span; platform: PlatformKey },
): string {
  if (apart.includes(platform)) return `${platformName(platform)}'s terms don't allow comparing its posts.`
  if (all.posts > 0)
    return `${count(all.posts, 'post')} from ${spanText(span)}, which had a week to get their figures. The stronger the color, the higher the median; hours with fewer than ${WORKED_LEAST_POSTS} posts have none.`
  return withoutFigure > 0
    ? `${platformName(platform)} doesn't report this figure of its posts.`
    : `Nothing was published from ${spanText(span)}. Posts are compared once they're ${WORKED_LEAST_DAYS} days old.`
}
