import type { Databases } from '../../db/pools.ts'
import { asSystem } from '../../db/system.ts'
import { fail } from '../../errors.ts'
import type { Tx } from '../../db/kysely.ts'
import { count, keyOf, type Limit } from '../../http/attempts.ts'

const DAY = 86_400
/** How many days pass before an address that doesn't want a report can be asked again. */
export const ENDED_DAYS = 30
/** How many hours pass before an address is asked again. */
export const ASKED_HOURS = 24

const limits = {
  /** Mails that ask an address whether it wants a report: to one address from all organizations, and from one organization. */
  address: { name: 'report-asked', most: 5, seconds: DAY },
  organization: { name: 'report-asking', most: 100, seconds: DAY },
  /** What an address doesn't want: it outlives schedules, which can be deleted and made again. */
  unwanted: { name: 'report-unwanted', most: 1, seconds: ENDED_DAYS * DAY },
  /** Reports that are sent outside of their schedule: of one schedule, and of an organization, whose schedules can be made again. */
  run: { name: 'report-run', most: 1, seconds: 600 },
  runs: { name: 'report-runs', most: 60, seconds: 3600 },
  /** New due times of an organization's schedules, each of which can be a minute away. */
  times: { name: 'report-times', most: 300, seconds: DAY },
  /** A mail that is sent again. */
  again: { name: 'report-mail-again', most: 5, seconds: DAY },
} as const satisfies Record<string, Limit>

/** Counts a mail that asks an address; false if there were too many today. */
export async function countAsking(
  { system }: Pick<Databases, 'system'>,
  orgId: string,
  email: string,
  now: Date,
): Promise<boolean> {
  return await asSystem(
    system,
    async (tx) =>
      (await count(tx, limits.organization, orgId, now)).allowed &&
      (await count(tx, limits.address, email, now)).allowed,
  )
}

type Answer = { orgId: string; reportId: string; email: string }
/** Someone who never wanted a report isn't asked for another one either. */
const ofAny = ({ orgId, email }: Answer) => `${orgId} ${email}`
const ofThis = ({ reportId, email }: Answer) => `${reportId} ${email}`

/** Remembers that an address doesn't want a report: any of the organization, unless it had confirmed this one. */
export async function noteUnwanted(tx: Tx, answer: Answer & { hadConfirmed: boolean }, now: Date): Promise<void> {
  await count(tx, limits.unwanted, answer.hadConfirmed ? ofThis(answer) : ofAny(answer), now)
}

/** Whether an address said within ENDED_DAYS that it doesn't want a report. */
export async function isUnwanted({ system }: Pick<Databases, 'system'>, answer: Answer, now: Date): Promise<boolean> {
  const keys = [ofAny(answer), ofThis(answer)].map((subject) => keyOf(limits.unwanted, subject))
  const found = await asSystem(system, (tx) =>
    tx.selectFrom('budget').select('key').where('key', 'in', keys).where('window_ends_at', '>', now).executeTakeFirst(),
  )
  return found !== undefined
}

/** Throws LIMIT_EXCEEDED if that was done too often: sent within ten minutes, sent again, or scheduled. */
export async function mustNotBeOften(
  { system }: Pick<Databases, 'system'>,
  what: 'run' | 'runs' | 'times' | 'again',
  id: string,
  now: Date,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await asSystem(system, (tx) => count(tx, limits[what], id, now))
  if (!allowed) throw fail('LIMIT_EXCEEDED', { meta: { retryAfterSeconds } })
}
