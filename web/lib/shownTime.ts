import type { PostState } from '#contract/postStates.ts'
import { timeOf, tinyTimeOf } from './format.ts'

/** What lists know about a post's time. `at` is where they show it, which for a post without a time is its creation. */
type Timed = { status: PostState; at: string; dueAt: string | null }

/** What is shown instead of a time that a post doesn't have yet; undefined if it has one, or needs none. */
export function noTimeYet({ status, dueAt }: Pick<Timed, 'status' | 'dueAt'>): string | undefined {
  if (dueAt !== null) return undefined
  if (status === 'NEEDS_APPROVAL') return 'Once approved'
  return isWithoutSlot({ status, dueAt }) ? 'No slot yet' : undefined
}

/** Its queue is paused or has no free slot: it's published once that changes. */
export const isWithoutSlot = ({ status, dueAt }: Pick<Timed, 'status' | 'dueAt'>): boolean =>
  status === 'QUEUED' && dueAt === null

/** "09:30 AM", or why there is none. */
export const shownTimeOf = (post: Timed, zone: string): string => noTimeYet(post) ?? timeOf(post.at, zone)

/** The same for the calendar's narrow cells: "9:30a", or a dash. */
export const tinyShownTimeOf = (post: Timed, zone: string): string =>
  noTimeYet(post) === undefined ? tinyTimeOf(post.at, zone) : '–'

type Sendable = Pick<Timed, 'status' | 'dueAt'> & { failure: unknown }

/**
 * Its time has come and nothing holds it: some platforms take minutes to accept what we prepare for them. Minutes are
 * compared because `now` is one (useNow): what was published this minute by "Publish now" is on its way already.
 */
export const isOnItsWay = ({ status, dueAt, failure }: Sendable, now: Date): boolean =>
  status === 'SCHEDULED' && failure === null && dueAt !== null && minuteOf(new Date(dueAt)) <= minuteOf(now)

const minuteOf = (instant: Date): number => Math.floor(instant.getTime() / 60_000)

/** The status that people see: a post that is on its way is being sent, even before its first step has begun. */
export const shownStatusOf = (post: Sendable, now: Date): PostState =>
  isOnItsWay(post, now) ? 'PROCESSING' : post.status
