import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { NOBODYS } from '../audit/names.ts'
import { writeAudit } from '../audit/write.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { withOwnPassword } from '../identity/ownPassword.ts'
import { voidPassword } from '../identity/passwords.ts'
import { unassignMember } from '../inbox/unassign.ts'
import { withdrawInvites } from '../members/withdrawInvites.ts'
import { emit } from '../live/emit.ts'
import type { Dependencies } from '../dependencies.ts'
import { forgetReader } from '../reports/schedules/forget.ts'
import { enqueueDeletionMails } from './notify.ts'

/** Replaces the name. */
const NOBODY = { firstName: 'Deleted', lastName: 'account' } as const

/** An address that nobody has and nobody can guess: it can neither sign up nor request a new password. */
const newNobody = (): string => `${randomBytes(24).toString('hex')}${NOBODYS}`

type Asked = { email: string; password?: string | undefined }

/**
 * Deletes a person's account: they leave every organization, and nothing that identifies them or lets them log in is
 * kept. Their row stays without it, so that their work keeps an author. Throws PASSWORD_WRONG, RATE_LIMITED, BAD_INPUT,
 * and LAST_ADMIN, which names the organizations that would be left without an admin; ones being deleted don't count.
 */
export async function deleteAccount(
  deps: Pick<Dependencies, 'databases'>,
  personId: string,
  asked: Asked,
  now: Date,
): Promise<void> {
  if (asked.password === undefined || asked.password === '')
    throw fail('BAD_INPUT', { errors: { password: ['Enter your password.'] } })
  const { email } = await withOwnPassword(deps, personId, asked.password, now)
  if (asked.email.trim().toLowerCase() !== email)
    throw fail('BAD_INPUT', { errors: { email: ["This isn't your account's email address."] } })
  const password = await voidPassword()
  await asSystem(deps.databases.system, async (tx) => {
    const orgIds = await lockMemberships(tx, personId)
    await mustNotBeLastAdmin(tx, personId, orgIds)
    for (const orgId of orgIds) await leave(tx, orgId, personId, now)
    await forgetInvites(tx, { personId, email }, now)
    await forgetReader(tx, { personId, email })
    await forget(tx, personId, password)
    await enqueueDeletionMails(tx, [{ about: 'account', to: email }])
  })
}

/**
 * Locks the admins of each of the person's organizations, as demoting an admin does: two who leave at once can't both
 * be the last.
 */
async function lockMemberships(tx: Tx, personId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('member')
    .select('org_id')
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .orderBy('org_id')
    .execute()
  for (const { org_id: orgId } of rows)
    await tx
      .selectFrom('member')
      .select('person_id')
      .where('org_id', '=', orgId)
      .where('is_admin', '=', true)
      .where('removed_at', 'is', null)
      .orderBy('person_id')
      .forUpdate()
      .execute()
  return rows.map((row) => row.org_id)
}

async function mustNotBeLastAdmin(tx: Tx, personId: string, orgIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ org_id: string; name: string }>`
    select o.org_id, o.name from organization o join member m on m.org_id = o.org_id and m.person_id = ${personId} and m.is_admin and m.removed_at is null
    where o.org_id = any(${orgIds}::uuid[]) and o.deletes_at is null
      and not exists (select from member other where other.org_id = o.org_id and other.person_id <> m.person_id and other.is_admin and other.removed_at is null)
    order by o.name`.execute(tx)
  if (rows.length === 0) return
  const names = new Intl.ListFormat('en').format(rows.map((row) => row.name))
  throw fail('LAST_ADMIN', {
    detail: `You are the only admin of ${names}. Make someone else an admin there, or delete the organization first.`,
    meta: { organizations: rows.map((row) => ({ orgId: row.org_id, orgName: row.name })) },
  })
}

async function leave(tx: Tx, orgId: string, personId: string, now: Date): Promise<void> {
  await tx
    .updateTable('member')
    .set({ removed_at: now, is_admin: false })
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .execute()
  const projects = await tx
    .deleteFrom('project_member')
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .returning('project_id')
    .execute()
  await withdrawInvites(tx, { orgId, personId, sent: false }, now)
  await unassignMember(tx, { orgId, personId }, now)
  await writeAudit(
    tx,
    [
      {
        orgId,
        projectId: null,
        personId,
        action: 'left',
        entity: 'member',
        entityId: personId,
        detail: { accountDeleted: true, projectIds: projects.map((row) => row.project_id) },
      },
    ],
    now,
  )
  await emit(tx, { orgId, projectId: null, kind: 'member', ref: personId }, now)
}

/**
 * Invitations contain an address, even if they were accepted or never answered: the person's current one, and the one
 * they joined with. Open ones have no reader anymore.
 */
async function forgetInvites(
  tx: Tx,
  { personId, email }: { personId: string; email: string },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ org_id: string; project_id: string; id: string }>`
    update invite set email = ${newNobody()}, revoked_at = case when accepted_at is null then coalesce(revoked_at, ${now}) else revoked_at end
    where email = ${email} or accepted_by = ${personId} returning org_id, project_id, id`.execute(tx)
  await emit(
    tx,
    rows.map((row) => ({ orgId: row.org_id, projectId: row.project_id, kind: 'member' as const, ref: row.id })),
    now,
  )
}

/** A person's rows that are deleted with the account, in all organizations. */
const ownTables = [
  'session',
  'verification_code',
  'reset_link',
  'recovery_code',
  'login_challenge',
  'passkey',
  'passkey_challenge',
  'notice_preference',
  'person_picture',
  'notice',
  'saved_view',
  'post_editor',
  'conversation_editor',
  'conversation_read',
] as const

async function forget(tx: Tx, personId: string, passwordHash: string): Promise<void> {
  await sql`delete from audit_client c using audit a where a.org_id in (select org_id from member where person_id = ${personId}) and a.person_id = ${personId} and c.org_id = a.org_id and c.audit_id = a.id`.execute(
    tx,
  )
  for (const table of ownTables) await sql`delete from ${sql.table(table)} where person_id = ${personId}`.execute(tx)
  await tx
    .updateTable('person')
    .set({
      email: newNobody(),
      password_hash: passwordHash,
      first_name: NOBODY.firstName,
      last_name: NOBODY.lastName,
      picture_id: null,
      pending_email: null,
      totp_sealed: null,
      totp_key_id: null,
      totp_confirmed_at: null,
      totp_pending_sealed: null,
      totp_pending_key_id: null,
      totp_pending_at: null,
      totp_last_step: null,
      last_org_id: null,
      last_project_id: null,
    })
    .where('id', '=', personId)
    .execute()
}
