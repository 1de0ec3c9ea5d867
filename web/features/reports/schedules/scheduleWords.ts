import type { z } from 'zod'
import type {
  MailReason,
  mailStates,
  pauseReasons,
  recipientStates,
  ReportSchedule,
  ReportTime,
  RunReason,
  runStates,
} from '#contract/reports/schedules.ts'
import { clockText, wallOf } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import type { Tone } from '#web/ui/tones.ts'

type Look = { word: string; tone: Tone }

/** Whether someone gets the reports, and what that means. */
export const recipientStateWords: Record<(typeof recipientStates)[number], Look & { means: string }> = {
  gets: { word: 'Gets it', tone: 'ok', means: 'Gets the next report.' },
  asked: {
    word: 'Asked',
    tone: 'info',
    means: "Was asked by email, and didn't agree yet. Nothing is sent before that.",
  },
  lapsed: { word: "Didn't answer", tone: 'wait', means: "Didn't agree within 7 days. You can ask again." },
  ended: { word: 'Ended it', tone: 'neutral', means: "Doesn't want these reports." },
  noRight: { word: 'No access', tone: 'wait', means: "Can't see insights, or left, so nothing is sent." },
}

export const runStateWords: Record<(typeof runStates)[number], Look> = {
  waiting: { word: 'Waiting', tone: 'info' },
  making: { word: 'Being made', tone: 'info' },
  sending: { word: 'Sending', tone: 'info' },
  done: { word: 'Sent', tone: 'ok' },
  failed: { word: 'Failed', tone: 'bad' },
  skipped: { word: 'Not sent', tone: 'neutral' },
}

/** Why a report wasn't sent, and what helps. */
export const runReasonText: Record<z.infer<typeof RunReason>, string> = {
  plan: "Your plan didn't include reports then.",
  person: 'The schedule was paused then.',
  owner: "The schedule's owner couldn't see the report then.",
  missed: 'Rookery was down until after the next due time.',
  tooLarge: 'The report was too large. Give it fewer posts or pictures.',
  tooSlow: 'It took too long to make. Give it fewer blocks or days.',
  broken: 'Something went wrong on our side, three times. Send it again, or contact your Rookery administrator.',
  noRecipients: 'Nobody could get it: no recipient has access or has agreed.',
}

export const mailStateWords: Record<(typeof mailStates)[number], Look> = {
  pending: { word: 'Queued', tone: 'info' },
  sending: { word: 'Sending', tone: 'info' },
  sent: { word: 'Sent', tone: 'ok' },
  unconfirmed: { word: 'Not confirmed', tone: 'wait' },
  refused: { word: 'Refused', tone: 'bad' },
  failed: { word: 'Failed', tone: 'bad' },
  left_out: { word: 'Left out', tone: 'neutral' },
}
/** Why an email wasn't sent, or may not have arrived. */
export const mailReasonText: Record<MailReason, string> = {
  asked: "Hadn't agreed yet.",
  lapsed: "Didn't agree within 7 days.",
  ended: "Didn't want these reports.",
  noRight: "Couldn't see the report.",
  removed: 'Was removed before it was sent.',
  plan: "Your plan didn't include reports anymore.",
  owner: "The schedule's owner couldn't see the report anymore.",
  noFile: 'Its file was deleted.',
  refused: "The mail server doesn't accept this address.",
  delayed: "The mail server didn't accept it.",
  unanswered: "The mail server didn't confirm that it accepted it.",
  cutOff: 'Sending was interrupted, so it may have arrived.',
  restored: 'The database was restored, so it may have arrived.',
  broken: 'Something went wrong on our side.',
}
/** Mails that someone may send again: only these may not have arrived. */
export const canBeSentAgain = (state: (typeof mailStates)[number]): boolean =>
  state === 'unconfirmed' || state === 'refused' || state === 'failed'

type Owner = Pick<ReportSchedule['owner'], 'name' | 'isYou'>
/** Why a schedule is paused, and what lets it go on. */
export function pauseText(reason: (typeof pauseReasons)[number], { name, isYou }: Owner): string {
  if (reason === 'person') return 'Paused. Nothing is sent until you resume it.'
  if (reason === 'plan') return "Paused: your plan doesn't include reports now. It goes on once it does."
  return isYou
    ? "Paused: You can't see everything in this report anymore. Someone else can take it over."
    : `Paused: ${name} can't see this report anymore. Take it over to let it go on.`
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
export const weekdayOptions = [1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: weekdays[day] ?? '' }))
const LAST = 31
const ordinal = (day: number): string =>
  `${day}${day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : day % 10 === 3 && day !== 13 ? 'rd' : 'th'}`
export const monthDayOptions = Array.from({ length: LAST }, (_, i) => i + 1).map((day) => ({
  value: String(day),
  label: day === LAST ? 'Last day' : day > 28 ? `${ordinal(day)}, or the last day` : ordinal(day),
}))

/** "Every Monday at 09:00 AM" */
export function whenText({ frequency, day, time }: ReportTime): string {
  const clock = clockText(time)
  if (frequency === 'weekly') return `Every ${weekdays[day] ?? ''} at ${clock}`
  if (day === LAST) return `On the last day of every month at ${clock}`
  return day > 28
    ? `On the ${ordinal(day)} of every month, or its last day, at ${clock}`
    : `On the ${ordinal(day)} of every month at ${clock}`
}

export const waitText = (days: number): string => (days === 0 ? "Don't wait" : `Up to ${count(days, 'day')}`)

/** What a clock change does to the next sending; undefined if there's none. */
export function shiftText({
  when,
  nextDueAt,
  shift,
}: Pick<ReportSchedule, 'when' | 'nextDueAt' | 'shift'>): string | undefined {
  if (shift === null) return undefined
  const clock = clockText(when.time)
  return shift === 'double'
    ? `Clocks move back that day, so ${clock} happens twice. It's sent the first time.`
    : `Clocks move forward that day, so ${clock} doesn't exist. It's sent at ${clockText(wallOf(new Date(nextDueAt), when.timezone).clock)}.`
}
