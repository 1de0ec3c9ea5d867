import { SCHEDULE } from '#contract/constants.ts'
import type { Schedule } from '#contract/posts.ts'
import { instantOf, parseWallTime, wallText, wallTimeOf } from '#contract/time.ts'
import type { DraftBody } from '#contract/posts.ts'
import { isZone } from '#contract/common.ts'
import { fail } from '../errors.ts'

/** When a post goes out, as its row keeps it: what was asked, the wall time and zone, and the instant that follows. */
export type PlannedTime = { schedule: Schedule; dueAt: Date; wallTime: string | null; zone: string }

const PAST_MS = SCHEDULE.pastMinutes * 60_000

/**
 * The time of a schedule. The wall time in its zone is kept and the instant computed from it anew. A time further past
 * than an hour is refused (TIME_PASSED, field `schedule`); a nearer one means now.
 */
export function planTime(schedule: Exclude<Schedule, { type: 'DRAFT' }>, now: Date, zone: string): PlannedTime {
  if (schedule.type === 'NOW') return { schedule, dueAt: now, wallTime: null, zone }
  if (schedule.type !== 'ONCE') throw fail('BAD_INPUT', { errors: { schedule: ['This schedule cannot be used here yet.'] } })
  const { timezone } = schedule.details
  const wall = wallTimeOf(new Date(schedule.details.utc), timezone)
  const instant = instantOf(wall, timezone)
  if (now.getTime() - instant.getTime() > PAST_MS) throw fail('TIME_PASSED', { errors: { schedule: ['This time has passed. Choose a later one.'] } })
  if (instant <= now) return { schedule: { type: 'NOW' }, dueAt: now, wallTime: null, zone: timezone }
  return { schedule: { type: 'ONCE', details: { utc: instant.toISOString(), timezone } }, dueAt: instant, wallTime: wallText(wall), zone: timezone }
}

/** The time at which a draft is planned: it is shown there and never sent. Null where the composer holds no whole time. */
export const plannedTimeOf = (draft: DraftBody) => wallPlan(draft.schedule)

function wallPlan({ mode, date, time, timezone }: DraftBody['schedule']): { dueAt: Date; wallTime: string; zone: string } | null {
  const wall = mode === 'once' && isZone(timezone) ? parseWallTime(date, time) : undefined
  return wall ? { dueAt: instantOf(wall, timezone), wallTime: wallText(wall), zone: timezone } : null
}

/** The time of a schedule as a plan only, unchecked; null for one without a time. */
export const wishedTime = (schedule: Schedule, zone: string) => wallPlan(composerSchedule(schedule, zone))

/** A schedule as the composer's own state. */
export function composerSchedule(schedule: Schedule, zone: string): DraftBody['schedule'] {
  if (schedule.type !== 'ONCE') return { mode: 'now', date: '', time: '', timezone: zone }
  const [date = '', time = ''] = wallText(wallTimeOf(new Date(schedule.details.utc), schedule.details.timezone)).split('T')
  return { mode: 'once', date, time, timezone: schedule.details.timezone }
}
