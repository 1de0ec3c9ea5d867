import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { limits } from './limits.ts'

const DAY = 86_400_000
/** Unconfirmed accounts are deleted after this time. */
const UNCONFIRMED_DAYS = 30

/**
 * Deletes expired sessions, puzzles, challenges, codes, links, counts, and accounts that were never confirmed. For a
 * daily job, in a system transaction. Safe to repeat.
 */
export async function sweepIdentity(tx: Tx, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - DAY)
  await tx.deleteFrom('session').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('human_solution').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('login_challenge').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('passkey_challenge').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('verification_code').where('expires_at', '<=', yesterday).execute()
  await tx.deleteFrom('reset_link').where('expires_at', '<=', yesterday).execute()
  const counted = Object.values(limits).map((limit) => limit.name)
  // the table also has the platforms' budgets, which aren't ours to delete
  await sql`delete from budget where window_ends_at <= ${now} and split_part(key, ':', 1) = any(${counted})`.execute(tx)
  await tx
    .deleteFrom('person')
    .where('confirmed_at', 'is', null)
    .where('created_at', '<=', new Date(now.getTime() - UNCONFIRMED_DAYS * DAY))
    .where((e) =>
      e.not(e.exists(e.selectFrom('member').select('member.org_id').whereRef('member.person_id', '=', 'person.id'))),
    )
    .execute()
}
