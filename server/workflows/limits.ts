import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { count, networkOf, type Limit } from '../http/attempts.ts'

const HOUR = 3600
const DAY = 24 * HOUR

const approvalLimits = {
  /** Links of nothing that a client tried. */
  misses: { name: 'approval-misses', most: 30, seconds: HOUR },
  /** Looks and decisions by one link: a page that reloads itself is no burden. */
  link: { name: 'approval-link', most: 300, seconds: HOUR },
  /** Mails to one address, and from one organization. */
  address: { name: 'approval-address', most: 100, seconds: DAY },
  organization: { name: 'approval-organization', most: 1000, seconds: DAY },
} as const satisfies Record<string, Limit>

/** Counts a link of nothing as a guess. Throws RATE_LIMITED for a client that guessed too often; links that exist go on working for it. */
export async function countGuess({ system }: Pick<Databases, 'system'>, address: string, now: Date): Promise<void> {
  refuse(await asSystem(system, (tx) => count(tx, approvalLimits.misses, networkOf(address), now), { durable: false }))
}

/** Counts a use of a link. Throws RATE_LIMITED. */
export async function countUse({ system }: Pick<Databases, 'system'>, linkId: string, now: Date): Promise<void> {
  refuse(await asSystem(system, (tx) => count(tx, approvalLimits.link, linkId, now), { durable: false }))
}

/** Counts a mail to someone outside; false when there were too many today. */
export async function countMail(
  { system }: Pick<Databases, 'system'>,
  orgId: string,
  email: string,
  now: Date,
): Promise<boolean> {
  return await asSystem(
    system,
    async (tx) =>
      (await count(tx, approvalLimits.organization, orgId, now)).allowed &&
      (await count(tx, approvalLimits.address, `${orgId} ${email}`, now)).allowed,
  )
}

function refuse({ allowed, retryAfterSeconds }: { allowed: boolean; retryAfterSeconds: number }): void {
  if (!allowed) throw fail('RATE_LIMITED', { meta: { retryAfterSeconds } })
}
