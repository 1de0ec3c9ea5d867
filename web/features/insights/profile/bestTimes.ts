import { FINDING_LEAST_POSTS } from '#contract/analytics/findings.ts'
import { WORKED_LEAST_DAYS, WORKED_LEAST_POSTS, type Worked, type WorkedFigure } from '#contract/analytics/worked.ts'
import { DAY_PART_HOURS, type WorkedGroup } from '#contract/analytics/worked.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { spanText, type Span } from '../insightsSearch.ts'
import { findingsOf } from '../worked/findings.ts'

/** How finely the times of a channel's posts are compared. */
export type Grain = 'weekdayHour' | 'weekdayPart' | 'weekday'

/** What each grain puts together of the hours of a week. */
const keys: Record<Grain, (weekday: number, hour: number) => string> = {
  weekdayHour: (weekday, hour) => `${weekday} ${hour}`,
  weekdayPart: (weekday, hour) => `${weekday} ${Math.floor(hour / DAY_PART_HOURS)}`,
  weekday: (weekday) => String(weekday),
}

/** The finest grain that gives at least half of the posts a median, by the posts of each hour of the week; null if none does. */
export function grainOf(hours: readonly WorkedGroup[]): Grain | null {
  const posts = hours.flatMap((group) => (group.by === 'weekdayHour' ? [group] : []))
  const all = sumOf(posts.map((group) => group.posts))
  const grains = ['weekdayHour', 'weekdayPart', 'weekday'] as const
  return (
    grains.find((grain) => {
      const groups = Map.groupBy(posts, ({ weekday, hour }) => keys[grain](weekday, hour))
      const sizes = [...groups.values()].map((group) => sumOf(group.map((one) => one.posts)))
      return all > 0 && sumOf(sizes.filter((size) => size >= WORKED_LEAST_POSTS)) >= all / 2
    }) ?? null
  )
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const compared: Record<Grain, string> = {
  weekdayHour: `The stronger the color, the higher the median; hours with fewer than ${WORKED_LEAST_POSTS} posts have none.`,
  weekdayPart: `Too few for single hours, so ${DAY_PART_HOURS} hours are compared together. The stronger the color, the higher the median; times with fewer than ${WORKED_LEAST_POSTS} posts have none.`,
  weekday: `Too few for times of day, so only weekdays are compared. Half of a weekday's posts are within its bar, and the line is the median.`,
}

/** What is compared, or why nothing is. */
export function bestTimesText(
  { all, withoutFigure, apart }: Pick<Worked, 'all' | 'withoutFigure' | 'apart'>,
  { span, platform, grain }: { span: Span; platform: PlatformKey; grain: Grain | null },
): string {
  if (apart.includes(platform)) return `${platformName(platform)}'s terms don't allow comparing its posts.`
  if (all.posts > 0)
    return `${count(all.posts, 'post')} from ${spanText(span)}, which had a week to get their figures. ${
      grain === null ? 'Too few to compare times.' : compared[grain]
    }`
  return withoutFigure > 0
    ? `${platformName(platform)} doesn't report this figure of its posts.`
    : `Nothing was published from ${spanText(span)}. Posts are compared once they're ${WORKED_LEAST_DAYS} days old.`
}

/** When posts clearly did better, by weekday and by part of the day, a sentence each; else why nothing can be said. */
export function conclusionsOf(
  replies: readonly Pick<Worked, 'groups'>[],
  figure: WorkedFigure,
  platform: PlatformKey,
): string[] {
  const found = replies.flatMap((reply) => findingsOf(reply, figure, platform))
  if (found.length > 0) return found
  const isEnough = replies.some(({ groups }) => groups.filter(({ posts }) => posts >= FINDING_LEAST_POSTS).length > 1)
  return [
    isEnough
      ? 'No weekday or time of day clearly did better: what the middle half of their posts had overlaps.'
      : `Too few posts to say when they do better: that takes ${FINDING_LEAST_POSTS} on each of two weekdays, or at each of two times of day.`,
  ]
}
