import { z } from 'zod'
import { Done, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { instantOf, wallTimeOf } from '../time.ts'
import { inboxReaders } from './conversations.ts'

const DAY_MINUTES = 1440
/** Minutes of the day between which people answer, such as `[540, 1020]`; null: they don't that day. */
const OpenHours = z
  .array(z.int().min(0).max(DAY_MINUTES))
  .length(2)
  .refine(([from = 0, to = 0]) => from < to, 'The end must be after the start')
  .nullable()
/** By weekday, from Monday. */
export const BusinessHours = z.array(OpenHours).length(7)
export type BusinessHours = z.infer<typeof BusinessHours>

/** What a project wants of its inbox. */
export const InboxSettings = z.object({
  /** A reply closes its conversation. */
  replyCloses: z.boolean(),
  /** A first answer is wanted within so many business hours; null: nobody is reminded. */
  answerHours: z.int().min(1).max(240).nullable(),
  businessHours: BusinessHours,
})
export type InboxSettings = z.infer<typeof InboxSettings>

const path = '/api/:orgId/project/:projectId/inbox/settings'
export const inboxSettings = endpoint({
  method: 'GET',
  path,
  summary: "Get the inbox's settings",
  access: inboxReaders,
  cost: 'light',
  reads: ['project'],
  params: ProjectParams,
  reply: InboxSettings,
  audit: null,
})
export const changeInboxSettings = endpoint({
  method: 'PUT',
  path,
  summary: 'Update whether replies close conversations, the response time goal and the business hours',
  access: can('channel', 'edit'),
  cost: 'light',
  changes: ['project'],
  params: ProjectParams,
  body: InboxSettings,
  reply: Done,
  errors: ['BAD_INPUT'],
  audit: { action: 'updated', entity: 'inbox_settings' },
})

/** Days that are looked back at most: business hours may be a few minutes a week. */
const DAYS_MOST = 400

/**
 * The instant from which so many business minutes passed until now, by the zone's calendar: what waits since then or
 * longer is overdue. Null where there are no business hours, or too few.
 */
export function businessMinutesAgo(now: Date, minutes: number, hours: BusinessHours, zone: string): Date | null {
  const today = wallTimeOf(now, zone)
  let missing = minutes * 60_000
  for (let back = 0; back < DAYS_MOST; back++) {
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day - back))
    const [from, to] = hours[(date.getUTCDay() + 6) % 7] ?? []
    if (from === undefined || to === undefined) continue
    const at = (minute: number) =>
      instantOf(
        {
          // the end of a day is the start of the next one
          ...dayOf(new Date(date.getTime() + Math.floor(minute / DAY_MINUTES) * 86_400_000)),
          hour: Math.floor((minute % DAY_MINUTES) / 60),
          minute: minute % 60,
        },
        zone,
      ).getTime()
    const end = Math.min(at(to), now.getTime())
    const length = end - at(from)
    if (length <= 0) continue
    if (length >= missing) return new Date(end - missing)
    missing -= length
  }
  return null
}

const dayOf = (date: Date) => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })
