import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { assertWithinLimit, count, networkOf, type Limit } from '../http/attempts.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const inviteLimits = {
  resendMinute: { name: 'invite-resend-minute', most: 1, seconds: MINUTE },
  resendDay: { name: 'invite-resend-day', most: 5, seconds: DAY },
  /** Emails from one organization to one address: inviting again doesn't get around the limits of resending. */
  address: { name: 'invite-address', most: 10, seconds: DAY },
  /** And from one person, from any number of organizations. */
  mailbox: { name: 'invite-mailbox', most: 10, seconds: DAY },
  organization: { name: 'invite-organization', most: 100, seconds: DAY },
  /** Across the organizations that someone may have created for it. */
  person: { name: 'invite-person', most: 200, seconds: DAY },
  /** Unknown ids that a client tried. */
  misses: { name: 'invite-misses', most: 30, seconds: HOUR },
} as const satisfies Record<string, Limit>

type Mails = {
  orgId: string
  personId: string
  emails: readonly string[]
  /** A resent invitation. */ again?: string
  now: Date
}

/**
 * Counts emails that are about to be sent: all of them, or none and RATE_LIMITED if one would exceed a limit. Commits
 * separately from the request's transaction, so call it when nothing else can refuse anymore.
 */
export async function countMails(
  { system }: Pick<Databases, 'system'>,
  { orgId, personId, emails, again, now }: Mails,
): Promise<void> {
  await asSystem(system, async (tx) => {
    if (again !== undefined)
      for (const limit of [inviteLimits.resendMinute, inviteLimits.resendDay])
        assertWithinLimit(await count(tx, limit, again, now))
    // always in the same order, so that simultaneous counts wait for each other instead of deadlocking
    for (const email of emails.toSorted()) {
      assertWithinLimit(await count(tx, inviteLimits.address, `${orgId} ${email}`, now))
      assertWithinLimit(await count(tx, inviteLimits.mailbox, `${personId} ${email}`, now))
    }
    for (const _ of emails) {
      assertWithinLimit(await count(tx, inviteLimits.organization, orgId, now))
      assertWithinLimit(await count(tx, inviteLimits.person, personId, now))
    }
  })
}

/**
 * Counts an unknown invitation as a guess. Throws RATE_LIMITED for a client with too many; existing ones keep working
 * for it.
 */
export async function countGuess({ system }: Pick<Databases, 'system'>, address: string, now: Date): Promise<void> {
  assertWithinLimit(await asSystem(system, (tx) => count(tx, inviteLimits.misses, networkOf(address), now)))
}
