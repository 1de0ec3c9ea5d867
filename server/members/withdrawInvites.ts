import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'

type Whose = {
  orgId: string
  projectId?: string
  personId: string
  /** Includes invitations they sent: someone who was removed may have invited an address of their own. */ sent: boolean
}

/**
 * Withdraws a member's open invitations, to one project or all, so that nobody who was removed returns with an old one.
 */
export async function withdrawInvites(tx: Tx, { orgId, projectId, personId, sent }: Whose, now: Date): Promise<void> {
  await sql`
    update invite set revoked_at = ${now}
    where org_id = ${orgId} and (${projectId ?? null}::uuid is null or project_id = ${projectId ?? null}::uuid)
      and accepted_at is null and revoked_at is null
      and (email = (select email from person where id = ${personId}) or (${sent} and invited_by = ${personId}))`.execute(
    tx,
  )
}
