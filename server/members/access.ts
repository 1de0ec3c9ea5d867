import { sql } from 'kysely'
import { Permissions } from '#contract/permissions.ts'
import { RoleKind } from '#contract/roles.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { Mail } from '../mail/mailer.ts'
import { removedMail, type Addressee } from './mails.ts'
import type { Access } from '../roles/grant.ts'

type Place = { tx: Tx; org: { orgId: string }; project: { projectId: string } }
export type ProjectMember = {
  /** Admin in every project, whatever their own assignment says, even while the plan has paused them. */ isOrgAdmin: boolean
  access: Access
}

type Row = {
  is_admin: boolean
  is_in: boolean
  role_id: string | null
  kind: string | null
  permissions: unknown
  channel_ids: string[] | null
  publishing: string | null
}

/**
 * The project's member, locked, with their access; for people paused by the plan, the access they'll have again.
 * NOT_FOUND if they aren't in the project or the organization. Deleted channels are left out.
 */
export async function loadProjectMember(c: Place, userId: string): Promise<ProjectMember> {
  await c.tx
    .selectFrom('project_member')
    .select('role_id')
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('person_id', '=', userId)
    .forUpdate()
    .execute()
  const member = await readProjectMember(c, userId)
  if (!member) throw fail('NOT_FOUND')
  return member
}

async function readProjectMember({ tx, org, project }: Place, userId: string): Promise<ProjectMember | undefined> {
  const { rows } = await sql<Row>`
    select m.is_admin or m.locked_admin as is_admin, pm.person_id is not null as is_in, r.id as role_id, r.kind, r.permissions, pm.publishing,
      case when pm.channel_ids is not null then array(select c.id from channel c where c.org_id = pm.org_id and c.id = any(pm.channel_ids) and c.deleted_at is null order by c.id) end as channel_ids
    from member m
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${project.projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = coalesce(pm.role_id, pm.locked_role_id)
    where m.org_id = ${org.orgId} and m.person_id = ${userId} and m.removed_at is null`.execute(tx)
  const [row] = rows
  if (!row || !(row.is_admin || row.is_in)) return undefined
  const role =
    row.role_id === null
      ? null
      : { id: row.role_id, kind: RoleKind.parse(row.kind), permissions: Permissions.parse(row.permissions) }
  return {
    isOrgAdmin: row.is_admin,
    access: { role, channelIds: row.channel_ids, publishing: row.publishing === 'none' ? 'none' : 'full' },
  }
}

/** The organization's member with this address, or undefined. `email` in lower case. */
export async function memberByEmail(
  { tx, org, project }: Place,
  email: string,
): Promise<{ userId: string; isInProject: boolean } | undefined> {
  const { rows } = await sql<{ user_id: string; is_in: boolean }>`
    select m.person_id as user_id, m.is_admin or exists (select from project_member pm where pm.org_id = m.org_id and pm.project_id = ${project.projectId} and pm.person_id = m.person_id) as is_in
    from member m join person p on p.id = m.person_id
    where m.org_id = ${org.orgId} and m.removed_at is null and p.email = ${email}`.execute(tx)
  return rows[0] && { userId: rows[0].user_id, isInProject: rows[0].is_in }
}

/**
 * Locks the organization's admins until the transaction ends, so that two who demote each other leave one, and returns
 * them. Throws FORBIDDEN if the caller is no longer one.
 */
export async function lockAdmins({
  tx,
  org,
  caller,
}: {
  tx: Tx
  org: { orgId: string; isAdmin: boolean }
  caller: { personId: string }
}): Promise<string[]> {
  const admins = await tx
    .selectFrom('member')
    .select('person_id')
    .where('org_id', '=', org.orgId)
    .where('is_admin', '=', true)
    .where('removed_at', 'is', null)
    .orderBy('person_id')
    .forUpdate()
    .execute()
  const ids = admins.map((row) => row.person_id)
  if (org.isAdmin && !ids.includes(caller.personId)) throw fail('FORBIDDEN')
  return ids
}

/** Another member of the organization, to act on their sessions. Throws OWN_ACCESS, NOT_FOUND. */
export async function loadColleague(
  { tx, org, caller }: { tx: Tx; org: { orgId: string }; caller: { personId: string } },
  userId: string,
): Promise<{ email: string; firstName: string; orgName: string }> {
  if (userId === caller.personId) throw fail('OWN_ACCESS', { detail: 'End your own sessions in your profile.' })
  const colleague = await tx
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.person_id')
    .innerJoin('organization', 'organization.org_id', 'member.org_id')
    .select(['person.email', 'person.first_name', 'organization.name'])
    .where('member.org_id', '=', org.orgId)
    .where('member.person_id', '=', userId)
    .where('member.removed_at', 'is', null)
    .executeTakeFirst()
  if (!colleague) throw fail('NOT_FOUND')
  return { email: colleague.email, firstName: colleague.first_name, orgName: colleague.name }
}

/**
 * Members of the project except the caller, as emails address them: those with an assignment, not all organization
 * admins.
 */
export async function addresseesIn(
  { tx, org, caller }: { tx: Tx; org: { orgId: string }; caller: { personId: string } },
  projectId: string,
): Promise<Addressee[]> {
  return await tx
    .selectFrom('project_member')
    .innerJoin('person', 'person.id', 'project_member.person_id')
    .select(['person.email', 'person.first_name as firstName'])
    .where('project_member.org_id', '=', org.orgId)
    .where('project_member.project_id', '=', projectId)
    .where('project_member.person_id', '<>', caller.personId)
    .execute()
}

/** A person as emails address them, with what they're removed from: the project, or without one the organization. */
export async function removalMail(
  { tx, org }: { tx: Tx; org: { orgId: string } },
  userId: string,
  projectId?: string,
): Promise<Mail> {
  const { email, first_name: firstName } = await tx
    .selectFrom('person')
    .select(['email', 'first_name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { name } =
    projectId === undefined
      ? await tx.selectFrom('organization').select('name').where('org_id', '=', org.orgId).executeTakeFirstOrThrow()
      : await tx
          .selectFrom('project')
          .select('name')
          .where('org_id', '=', org.orgId)
          .where('id', '=', projectId)
          .executeTakeFirstOrThrow()
  return removedMail({ email, firstName }, { kind: projectId === undefined ? 'organization' : 'project', name })
}
