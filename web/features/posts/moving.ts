import type { PostRow } from '#contract/postLists.ts'
import { canDo } from '#contract/postStates.ts'
import { addDays, daysBetween, type Day } from '#web/lib/dates.ts'
import { momentAt, type Moment } from '#web/lib/moment.ts'

type Timed = Pick<PostRow, 'dueAt' | 'at' | 'timezone'>

/** Whether the post has a time that people may still change. */
export function isMovable(post: Pick<PostRow, 'status' | 'dueAt'>): boolean {
  return post.dueAt !== null && canDo('reschedule', post.status)
}

/** Whether it was made together with others at other times, which a change may be for as well. */
export function isInSeries(post: Pick<PostRow, 'series'>): boolean {
  return post.series !== null && post.series.count > 1
}

/** When the post is due by the clock of its own zone. */
export function momentOfPost(post: Timed): Moment {
  return momentAt(new Date(post.dueAt ?? post.at), post.timezone)
}

/**
 * The post's time moved by as many days as lie between two days of a calendar. The wall time and the zone stay the
 * post's own, also where the calendar shows another zone or clocks change in between.
 */
export function movedByDays(post: Timed, from: Day, to: Day): Moment {
  const now = momentOfPost(post)
  return { ...now, day: addDays(now.day, daysBetween(from, to)) }
}
