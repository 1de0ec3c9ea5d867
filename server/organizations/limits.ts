import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { count, type Limit } from '../http/attempts.ts'

/** Each comes with a trial, AI credits and emails: nobody needs many of them in a day. */
const organizations = { name: 'organizations', most: 10, seconds: 24 * 3600 } as const satisfies Limit

/** Counts an organization that a person is about to create. Throws RATE_LIMITED. */
export async function countOrganization(
  { system }: Pick<Databases, 'system'>,
  personId: string,
  now: Date,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await asSystem(system, (tx) => count(tx, organizations, personId, now))
  if (!allowed)
    throw fail('RATE_LIMITED', {
      detail: "You've created too many organizations today. Try again tomorrow.",
      meta: { retryAfterSeconds },
    })
}
