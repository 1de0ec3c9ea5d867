import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { emit } from '../live/emit.ts'
import { invitesChanged } from './events.ts'

/**
 * Withdraws what is open to an address that a member gives up, in every organization where they are one: by it they would
 * take a second seat, and come back after they were removed. In a system transaction.
 */
export async function withdrawInvitesToOld(
  tx: Tx,
  { personId, email }: { personId: string; email: string },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ org_id: string; project_id: string }>`
    update invite i set revoked_at = ${now} from member m
    where i.email = ${email} and i.accepted_at is null and i.revoked_at is null and m.org_id = i.org_id and m.person_id = ${personId} and m.removed_at is null
    returning i.org_id, i.project_id`.execute(tx)
  for (const { org_id: orgId, project_id: projectId } of rows)
    await emit(tx, { orgId, ...invitesChanged({ projectId }) }, now)
}

/** Withdraws every open invitation to a project. */
export async function withdrawInvitesTo(
  tx: Tx,
  { orgId, projectId }: { orgId: string; projectId: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('invite')
    .set({ revoked_at: now })
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
}
