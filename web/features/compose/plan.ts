import { SCHEDULE } from '#contract/constants.ts'
import type { DraftBody } from '#contract/drafts.ts'
import type { Post } from '#contract/posts.ts'
import type { Schedule } from '#contract/submit.ts'
import type { QueuePosition } from '#contract/queues.ts'
import { isRecurrence, recurrenceErrors, timesToMake, WeeklyDetails, type Occurrence } from '#contract/series.ts'
import {
  addDays,
  addMonths,
  instantAt,
  isDay,
  wallOf,
  weekday,
  zoneText,
  type Clock,
  type Day,
} from '#web/lib/dates.ts'
import { instantOfMoment, momentAt, momentWords, nextSlot, scheduleAt, type Moment } from '#web/lib/moment.ts'

/**
 * When it's published, as the person set it: other modes' values are kept, so that changing one's mind loses nothing.
 */
export type Plan = {
  mode: DraftBody['schedule']['mode']
  /** The time; for a recurrence, its first day, time of day and zone. */
  when: Moment
  /** The last day of a weekly or monthly recurrence. */
  endDay: Day
  /** 0 to 6 from Sunday. */
  days: readonly number[]
  dayOfMonth: number
  /** Single days, each with its own time. */
  times: readonly { day: Day; clock: Clock }[]
  position: QueuePosition
}

export const isRepeating = ({ mode }: Pick<Plan, 'mode'>): boolean =>
  mode === 'weekly' || mode === 'monthly' || mode === 'custom'

/**
 * Whether the channel's cap on scheduled posts counts it, as the server does when it's submitted: a request for the
 * queue counts once it's approved.
 */
export const takesPlace = ({ mode }: Pick<Plan, 'mode'>, approve: boolean): boolean =>
  mode !== 'now' && !(approve && mode === 'queue')

export function newPlan(
  zone: string,
  now: Date,
  { day, clock }: { day?: string | undefined; clock?: string | undefined } = {},
): Plan {
  const slot = nextSlot(now, zone)
  const when = day
    ? { ...slot, day, clock: clock ?? (day === slot.day ? slot.clock : '09:00') }
    : { ...slot, ...(clock ? { clock } : {}) }
  return around(when, day ? 'once' : 'now')
}

function around(when: Moment, mode: Plan['mode']): Plan {
  return {
    mode,
    when,
    endDay: addDays(when.day, SCHEDULE.weeklyDays.min),
    days: [weekday(when.day)],
    dayOfMonth: Number(when.day.slice(8)),
    times: [{ day: when.day, clock: when.clock }],
    position: 'LAST',
  }
}

/** The plan in another zone, if its time wasn't set since it began at `began`; otherwise unchanged. */
export function beginIn(plan: Plan, zone: string, began: Date): Plan {
  const first = nextSlot(began, plan.when.zone)
  if (zone === plan.when.zone || isRepeating(plan) || plan.when.day !== first.day || plan.when.clock !== first.clock)
    return plan
  return { ...around(nextSlot(began, zone), plan.mode), position: plan.position }
}

/** Another mode; a period starts with its default range: a week from now, or a month from now. */
export function withMode(plan: Plan, mode: Plan['mode'], now: Date): Plan {
  if (mode === plan.mode) return plan
  const today = wallOf(now, plan.when.zone).day
  const start = plan.when.day < today ? today : plan.when.day
  if (mode === 'weekly')
    return {
      ...plan,
      mode,
      when: { ...plan.when, day: start },
      endDay: addDays(start, SCHEDULE.weeklyDays.min),
      days: plan.days.length > 0 ? plan.days : [weekday(start)],
    }
  if (mode === 'monthly')
    return { ...plan, mode, when: { ...plan.when, day: start }, endDay: monthLater(start), dayOfMonth: plan.dayOfMonth }
  if (mode === 'custom' && plan.times.length <= 1)
    return { ...plan, mode, times: [{ day: plan.when.day, clock: plan.when.clock }] }
  return { ...plan, mode }
}

// a month from the end of January is shorter than the shortest range
function monthLater(start: Day): Day {
  const least = addDays(start, SCHEDULE.monthlyDays.min)
  const month = addMonths(start, 1)
  return month < least ? least : month
}

/** A weekly slot's next time, in its zone. */
export function nextOf({ day, time }: { day: number; time: Clock }, zone: string, now: Date): Moment {
  const today = wallOf(now, zone).day
  const ahead = Array.from({ length: 8 }, (_, i) => addDays(today, i)).find(
    (one) => weekday(one) === day && instantAt(one, time, zone) > now,
  )
  return { day: ahead ?? addDays(today, 7), clock: time, zone }
}

/** Between the time itself and an hour after it, the post is published right away. */
export function isJustPast({ when }: Pick<Plan, 'when'>, now: Date): boolean {
  const late = now.getTime() - instantOfMoment(when).getTime()
  return late >= 0 && late <= SCHEDULE.pastMinutes * 60_000
}

/** Too far in the past to publish a post then. */
export function isTooPast({ when }: Pick<Plan, 'when'>, now: Date): boolean {
  return now.getTime() - instantOfMoment(when).getTime() > SCHEDULE.pastMinutes * 60_000
}

/** As the API has it. */
export function scheduleOf(plan: Plan): Schedule {
  const { when, endDay, days, dayOfMonth, times, position } = plan
  const range = () => ({
    timezone: when.zone,
    utcStartDate: instantOfMoment(when).toISOString(),
    utcEndDate: instantAt(endDay, when.clock, when.zone).toISOString(),
  })
  switch (plan.mode) {
    case 'now':
      return { type: 'NOW' }
    case 'queue':
      return { type: 'QUEUE', details: { position } }
    case 'weekly':
      return { type: 'RECURRING_WEEKLY', details: { ...range(), daysOfWeek: [...days].toSorted((a, b) => a - b) } }
    case 'monthly':
      return { type: 'RECURRING_MONTHLY', details: { ...range(), dayOfMonth } }
    case 'custom':
      return {
        type: 'RECURRING_CUSTOM',
        details: {
          timezone: when.zone,
          utc: times.map(({ day, clock }) => instantAt(day, clock, when.zone).toISOString()),
        },
      }
    case 'once':
    default:
      return scheduleAt(when)
  }
}

export type SeriesView = { times: readonly Occurrence[]; error: string | undefined }

/** Every time of the series if it's submitted now, or why it can't be. Undefined if it isn't a series. */
export function seriesOf(plan: Plan, now: Date): SeriesView | undefined {
  if (!isRepeating(plan)) return undefined
  if (plan.mode === 'weekly' && !WeeklyDetails.shape.daysOfWeek.safeParse([...plan.days]).success)
    return { times: [], error: 'Choose at least one day' }
  if (plan.mode === 'custom' && plan.times.length === 0) return { times: [], error: 'Choose at least one time' }
  const schedule = scheduleOf(plan)
  if (!isRecurrence(schedule)) return undefined
  const error = recurrenceErrors(schedule)[0]?.message
  if (error) return { times: [], error }
  const times = timesToMake(schedule, now)
  if (times.length === 0) return { times, error: 'All of these times have passed. Choose a later day.' }
  const passed = plan.mode === 'custom' && times.some(({ at }) => at <= now)
  return { times, error: passed ? 'One of the times has passed. Choose a later one.' : undefined }
}

const modeWords: Record<Exclude<Plan['mode'], 'once'>, string> = {
  now: 'right away',
  queue: 'in the queue',
  weekly: 'every week',
  monthly: 'every month',
  custom: 'on selected days',
}

/** When, in a few words. */
export const planWords = (plan: Plan): string =>
  plan.mode === 'once'
    ? `${momentWords(plan.when)}, ${zoneText(plan.when.zone, instantOfMoment(plan.when))}`
    : modeWords[plan.mode]

export function planToDraft({ mode, when, endDay, days, dayOfMonth, times, position }: Plan): DraftBody['schedule'] {
  return {
    mode,
    date: when.day,
    time: when.clock,
    timezone: when.zone,
    ...((mode === 'weekly' || mode === 'monthly') && { endDate: endDay }),
    ...(mode === 'weekly' && { daysOfWeek: [...days] }),
    ...(mode === 'monthly' && { dayOfMonth }),
    ...(mode === 'custom' && { times: times.map(({ day, clock }) => ({ date: day, time: clock })) }),
    ...(mode === 'queue' && { position }),
  }
}

const isClock = (text: string): boolean => /^\d\d:\d\d$/.test(text)

export function planOfDraft(schedule: DraftBody['schedule'], now: Date): Plan {
  const { mode, date, time, timezone, endDate, daysOfWeek, dayOfMonth, times, position } = schedule
  const whole = isDay(date) && isClock(time)
  const plan = around(whole ? { day: date, clock: time, zone: timezone } : nextSlot(now, timezone), mode)
  return {
    ...plan,
    ...(endDate !== undefined && isDay(endDate) && { endDay: endDate }),
    ...(daysOfWeek && { days: daysOfWeek }),
    ...(dayOfMonth !== undefined && { dayOfMonth }),
    ...(times && {
      times: times.flatMap((one) => (isDay(one.date) && isClock(one.time) ? [{ day: one.date, clock: one.time }] : [])),
    }),
    ...(position && { position }),
  }
}

/** An edited post's plan. One whose time has passed starts from the next slot; a published one's time is over. */
export function planOfPost(post: Post, now: Date): Plan {
  const due = post.dueAt ? new Date(post.dueAt) : undefined
  const when = due && due > now ? momentAt(due, post.timezone) : nextSlot(now, post.timezone)
  if (post.schedule.type === 'QUEUE')
    return { ...around(when, 'queue'), position: post.schedule.details?.position ?? 'LAST' }
  return around(
    when,
    due && post.status !== 'FAILED' && post.status !== 'PUBLISHED' && post.schedule.type !== 'NOW' ? 'once' : 'now',
  )
}
