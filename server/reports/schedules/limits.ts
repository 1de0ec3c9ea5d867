import type { Databases } from '../../db/pools.ts'
import { asSystem } from '../../db/system.ts'
import { fail } from '../../errors.ts'
import { count, type Limit } from '../../http/attempts.ts'

const DAY = 86_400

const limits = {
  /** Mails that ask an address whether it wants a report: to one address, whoever asks, and from one organization. */
  address: { name: 'report-asked', most: 5, seconds: DAY },
  organization: { name: 'report-asking', most: 100, seconds: DAY },
  /** Reports that are sent outside of their schedule. */
  run: { name: 'report-run', most: 1, seconds: 600 },
  /** A mail that is sent again. */
  again: { name: 'report-mail-again', most: 5, seconds: DAY },
} as const satisfies Record<string, Limit>

/** How many days pass before an address that doesn't want a report can be asked again. */
export const ENDED_DAYS = 30
/** How many hours pass before an address is asked again. */
export const ASKED_HOURS = 24

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

/** Throws LIMIT_EXCEEDED if the schedule was sent within ten minutes, or the mail was sent again too often. */
export async function mustNotBeOften(
  { system }: Pick<Databases, 'system'>,
  what: 'run' | 'again',
  id: string,
  now: Date,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await asSystem(system, (tx) => count(tx, limits[what], id, now))
  if (!allowed) throw fail('LIMIT_EXCEEDED', { meta: { retryAfterSeconds } })
}
