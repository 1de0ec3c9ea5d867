import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { assertWithinLimit, count, networkOf, type Limit } from '../http/attempts.ts'

const HOUR = 3600
const DAY = 24 * HOUR

const approvalLimits = {
  /** Unknown links that a client tried. */
  misses: { name: 'approval-misses', most: 30, seconds: HOUR },
  /** Views and decisions with one link: a page that reloads itself isn't a problem. */
  link: { name: 'approval-link', most: 300, seconds: HOUR },
  /** Emails to one address, and from one organization. */
  address: { name: 'approval-address', most: 100, seconds: DAY },
  organization: { name: 'approval-organization', most: 1000, seconds: DAY },
} as const satisfies Record<string, Limit>

/**
 * Counts an unknown link as a guess. Throws RATE_LIMITED for a client with too many; existing links keep working for
 * it.
 */
export async function countGuess({ system }: Pick<Databases, 'system'>, address: string, now: Date): Promise<void> {
  assertWithinLimit(
    await asSystem(system, (tx) => count(tx, approvalLimits.misses, networkOf(address), now), { durable: false }),
  )
}

/** Counts a use of a link. Throws RATE_LIMITED. */
export async function countUse({ system }: Pick<Databases, 'system'>, linkId: string, now: Date): Promise<void> {
  assertWithinLimit(await asSystem(system, (tx) => count(tx, approvalLimits.link, linkId, now), { durable: false }))
}

/** Counts an email to an external approver; false if there were too many today. */
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
