import { sql, type RawBuilder } from 'kysely'
import type { OrgUser, Person, ProjectUser } from '#contract/members.ts'
import {
  allows,
  effective,
  Permissions,
  publishingLevel,
  systemRoles,
  type PublishingChoice,
} from '#contract/permissions.ts'
import { RoleKind } from '#contract/roles.ts'
import type { Tx } from '../db/kysely.ts'
import type { CallerProject } from '../http/route.ts'
import { pictureAddress } from '../people/person.ts'
import { maySeePosts, visibleTo } from '../access/visiblePosts.ts'
import { channelNames } from './channelNames.ts'

type Asker = {
  tx: Tx
  caller: { personId: string }
  org: { orgId: string }
  project: Pick<CallerProject, 'projectId' | 'channelIds' | 'permissions'>
}
type PersonRow = { id: string; first_name: string; last_name: string; email: string; picture_id: string | null }
type Page = { limit: number; offset: number }

const personColumns = sql`p.id, p.first_name, p.last_name, p.email, p.picture_id`
const byName = sql`lower(p.first_name), lower(p.last_name), p.id`
const presentPerson = (row: PersonRow): Person => ({
  userId: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  profileUrl: pictureAddress(row.picture_id),
})

/** Members of the project, and the organization's admins, who are in every project. Needs `m` and `pm`. */
const inProject = ({ org, project }: Pick<Asker, 'org' | 'project'>): RawBuilder<unknown> => sql`
  from member m join person p on p.id = m.person_id
  left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${project.projectId} and pm.person_id = m.person_id
  where m.org_id = ${org.orgId} and m.removed_at is null and (m.is_admin or m.locked_admin or pm.person_id is not null)`

type MemberRow = PersonRow & {
  is_admin: boolean
  plan_locked: boolean
  role_id: string | null
  role_name: string | null
  role_kind: string | null
  permissions: unknown
  channel_ids: string[] | null
  publishing: string | null
  added_at: Date
  scheduled: number
}

/** A page of Manage Users, by name. Counts only posts that the caller can see; none for roles that can't view posts. */
export async function findProjectUsers(c: Asker, page: Page): Promise<ProjectUser[]> {
  const { rows } = await sql<MemberRow>`
    select u.*, r.id as role_id, r.name as role_name, r.kind as role_kind, r.permissions,
      (select count(*) from post p where p.org_id = ${c.org.orgId} and p.project_id = ${c.project.projectId} and p.author_id = u.id
        and p.state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL') and ${visibleTo(c)}) as scheduled
    from (
      select ${personColumns}, m.is_admin or m.locked_admin as is_admin, m.plan_locked, coalesce(pm.role_id, pm.locked_role_id) as own_role, pm.channel_ids, pm.publishing, coalesce(pm.added_at, m.added_at) as added_at
      ${inProject(c)} order by ${byName} limit ${page.limit} offset ${page.offset}
    ) u
    left join role r on r.org_id = ${c.org.orgId} and r.project_id = ${c.project.projectId} and case when u.is_admin then r.kind = 'admin' else r.id = u.own_role end
    order by lower(u.first_name), lower(u.last_name), u.id`.execute(c.tx)
  const named = await channelNames(c)
  return rows.map((row) => ({
    ...presentPerson(row),
    isOrgAdmin: row.is_admin,
    planLocked: row.plan_locked,
    ...whatTheyDo(row),
    role:
      row.role_id === null
        ? null
        : { roleId: row.role_id, name: row.role_name ?? systemRoles.admin.name, kind: RoleKind.parse(row.role_kind) },
    publishing: publishingOf(row),
    ...named(row.is_admin ? null : row.channel_ids),
    addedOn: row.added_at.toISOString(),
    scheduledPosts: maySeePosts(c.project) ? row.scheduled : null,
    isYou: row.id === c.caller.personId,
  }))
}

/** How far their posts get, and whether they answer people. */
function whatTheyDo(row: MemberRow): Pick<ProjectUser, 'publishes' | 'answers'> {
  const role = row.plan_locked || row.permissions === null ? null : Permissions.parse(row.permissions)
  const held = effective(role, publishingOf(row))
  return {
    publishes: publishingLevel(held),
    answers: allows(held, 'dm', 'create') || allows(held, 'comment', 'create'),
  }
}

const publishingOf = (row: MemberRow): PublishingChoice =>
  row.publishing === 'none' && !row.is_admin ? 'none' : 'full'

export async function countProjectUsers(c: Pick<Asker, 'tx' | 'org' | 'project'>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n ${inProject(c)}`.execute(c.tx)
  return rows[0]?.n ?? 0
}

/** Everyone in the project, by name. */
export async function namesOfProjectUsers(c: Pick<Asker, 'tx' | 'org' | 'project'>): Promise<Person[]> {
  const { rows } = await sql<PersonRow>`select ${personColumns} ${inProject(c)} order by ${byName}`.execute(c.tx)
  return rows.map(presentPerson)
}

/** Members of the organization who aren't in the project, by name. */
export async function findAddable({ tx, org, project }: Pick<Asker, 'tx' | 'org' | 'project'>): Promise<Person[]> {
  const { rows } = await sql<PersonRow>`
    select ${personColumns} from member m join person p on p.id = m.person_id
    where m.org_id = ${org.orgId} and m.removed_at is null and not m.is_admin
      and not exists (select from project_member pm where pm.org_id = m.org_id and pm.project_id = ${project.projectId} and pm.person_id = m.person_id)
    order by ${byName}`.execute(tx)
  return rows.map(presentPerson)
}

type OrgAsker = Pick<Asker, 'tx' | 'caller' | 'org'>
type OrgRow = PersonRow & {
  is_admin: boolean
  plan_locked: boolean
  added_at: Date
  scheduled: number
  projects: OrgUser['projects']
}

/** A page of the organization's members, by name, with their projects. Admins are in all of them. */
export async function findOrgUsers(
  { tx, caller, org }: OrgAsker,
  page: Page,
): Promise<Omit<OrgUser, 'secondFactor'>[]> {
  const { rows } = await sql<OrgRow>`
    select u.*,
      (select count(*) from post where post.org_id = ${org.orgId} and post.author_id = u.id and post.state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL')) as scheduled,
      (select coalesce(json_agg(json_build_object(
          'projectId', pr.id, 'projectName', pr.name,
          'roleName', case when u.is_admin then ${systemRoles.admin.name} else r.name end,
          'channels', case when u.is_admin or pm.channel_ids is null then null
            else (select count(*) from channel c where c.org_id = pr.org_id and c.id = any(pm.channel_ids) and c.deleted_at is null) end
        ) order by lower(pr.name), pr.id), '[]')
        from project pr left join project_member pm on pm.org_id = pr.org_id and pm.project_id = pr.id and pm.person_id = u.id
        left join role r on r.org_id = pm.org_id and r.id = coalesce(pm.role_id, pm.locked_role_id)
        where pr.org_id = ${org.orgId} and pr.deleted_at is null and (u.is_admin or pm.person_id is not null)) as projects
    from (
      select ${personColumns}, m.is_admin or m.locked_admin as is_admin, m.plan_locked, m.added_at from member m join person p on p.id = m.person_id
      where m.org_id = ${org.orgId} and m.removed_at is null order by ${byName} limit ${page.limit} offset ${page.offset}
    ) u order by lower(u.first_name), lower(u.last_name), u.id`.execute(tx)
  return rows.map((row) => ({
    ...presentPerson(row),
    isOrgAdmin: row.is_admin,
    planLocked: row.plan_locked,
    addedOn: row.added_at.toISOString(),
    projects: row.projects,
    scheduledPosts: row.scheduled,
    isYou: row.id === caller.personId,
  }))
}

export async function countOrgUsers({ tx, org }: Pick<Asker, 'tx' | 'org'>): Promise<number> {
  const { users } = await tx
    .selectFrom('member')
    .select((e) => e.fn.countAll<number>().as('users'))
    .where('org_id', '=', org.orgId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return users
}
