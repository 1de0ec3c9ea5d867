import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { emit } from '../live/emit.ts'

type Whose = {
  orgId: string
  projectId?: string
  personId: string
  /** Also those that they sent: whoever was removed may have invited an address of their own. */ sent: boolean
}

/** Withdraws the open invitations of a member, to one project or to all: nobody who was removed comes back by an old one. */
export async function withdrawInvites(tx: Tx, { orgId, projectId, personId, sent }: Whose, now: Date): Promise<void> {
  await sql`
    update invite set revoked_at = ${now}
    where org_id = ${orgId} and (${projectId ?? null}::uuid is null or project_id = ${projectId ?? null}::uuid)
      and accepted_at is null and revoked_at is null
      and (email = (select email from person where id = ${personId}) or (${sent} and invited_by = ${personId}))`.execute(
    tx,
  )
}

/**
 * Withdraws what is open to an address that a member gives up, in every organization where they are one: by it they would
 * take a second seat, and come back after they were removed. In a system transaction.
 */
export async function withdrawInvitesToOld(
  tx: Tx,
  { personId, email }: { personId: string; email: string },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: string; org_id: string; project_id: string }>`
    update invite i set revoked_at = ${now} from member m
    where i.email = ${email} and i.accepted_at is null and i.revoked_at is null and m.org_id = i.org_id and m.person_id = ${personId} and m.removed_at is null
    returning i.id, i.org_id, i.project_id`.execute(tx)
  for (const { id, org_id: orgId, project_id: projectId } of rows)
    await emit(tx, { orgId, projectId, kind: 'member', ref: id }, now)
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
