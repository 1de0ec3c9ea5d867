import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'

/** Withdraws the open invitations of a member's address, to one project or to all: nobody who was removed comes back by an old one. */
export async function withdrawInvites(tx: Tx, who: { orgId: string; projectId?: string; personId: string }, now: Date): Promise<void> {
  await sql`
    update invite set revoked_at = ${now}
    where org_id = ${who.orgId} and (${who.projectId ?? null}::uuid is null or project_id = ${who.projectId ?? null}::uuid)
      and accepted_at is null and revoked_at is null and email = (select email from person where id = ${who.personId})`.execute(tx)
}
