import type { PostRow } from '#contract/postLists.ts'
import { canDo } from '#contract/postStates.ts'
import { addDays, daysBetween, type Day } from '#web/lib/dates.ts'
import { momentAt, type Moment } from '#web/lib/moment.ts'

type Timed = Pick<PostRow, 'dueAt' | 'at' | 'timezone'>

/** Whether the post has a time that people can still change. */
export function isMovable(post: Pick<PostRow, 'status' | 'dueAt'>): boolean {
  return post.dueAt !== null && canDo('reschedule', post.status)
}

/** Whether it was created together with others at other times, which a change may include. */
export function isInSeries(post: Pick<PostRow, 'series'>): boolean {
  return post.series !== null && post.series.count > 1
}

/** When the post is due in its own zone. */
export function momentOfPost(post: Timed): Moment {
  return momentAt(new Date(post.dueAt ?? post.at), post.timezone)
}

/**
 * The post's time moved by as many days as lie between two days of a calendar. The post keeps its own local time and
 * zone, even if the calendar shows another zone or clocks change in between.
 */
export function movedByDays(post: Timed, from: Day, to: Day): Moment {
  const now = momentOfPost(post)
  return { ...now, day: addDays(now.day, daysBetween(from, to)) }
}
