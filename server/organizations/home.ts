import { sql } from 'kysely'
import { orgTypes, OnboardingStep, type Home } from '#contract/organizations.ts'
import type { Tx } from '../db/kysely.ts'
import type { Caller } from '../http/route.ts'
import { readUser } from '../people/person.ts'
import { openInvitesOf } from '../invites/access.ts'

type Place = { orgId: string; projectId: string }

/**
 * What a person can enter: their organizations and projects, and the current onboarding step. Organizations being
 * deleted are shown to their admins only, last, and nobody is led into them. In a system transaction, because it reads
 * all of the person's organizations. An organization that requires a second factor the session hasn't used is named,
 * and closed.
 */
export async function readHome(
  tx: Tx,
  { personId, secondFactor }: Pick<Caller, 'personId' | 'secondFactor'>,
  capabilities: Home['capabilities'],
  now: Date,
): Promise<Home> {
  const [user, last, memberships, projects] = await Promise.all([
    readUser(tx, personId),
    lastPlace(tx, personId),
    membershipsOf(tx, personId),
    projectsOf(tx, personId),
  ])
  const waiting = await openInvitesOf(tx, user.email, now)
  const invites = waiting.map(({ inviteId, orgName, projectName, roleName, invitedBy, expiresAt }) => ({
    inviteId,
    orgName,
    projectName,
    roleName,
    invitedBy,
    expiresAt: expiresAt.toISOString(),
  }))
  const isClosed = (org: { requires_second_factor: boolean }) => org.requires_second_factor && !secondFactor
  const living = memberships.filter((org) => org.deletes_at === null)
  const open = living.filter((org) => !isClosed(org))
  const organizations = memberships
    .filter((org) => org.deletes_at === null || org.is_admin)
    .map((org) => ({
      orgId: org.org_id,
      orgName: org.name,
      orgType: orgTypes.find((type) => type === org.org_type) ?? 'organization',
      isOrgAdmin: org.is_admin,
      deletesAt: org.deletes_at?.toISOString() ?? null,
      needsSecondFactor: isClosed(org),
      projects: projects
        .filter((project) => project.org_id === org.org_id && !isClosed(org))
        .map((project) => ({
          projectId: project.id,
          projectName: project.name,
          channels: project.channels,
          zone: project.zone,
        })),
    }))
  const shut = memberships.flatMap((org) =>
    org.deletes_at === null || org.is_admin ? [] : [{ orgName: org.name, deletesAt: org.deletes_at.toISOString() }],
  )
  const enterable = projects.filter((project) => open.some((org) => org.org_id === project.org_id))
  const project = enterable.find((one) => one.id === last?.projectId && one.org_id === last.orgId) ?? enterable[0]
  const place = project ? { orgId: project.org_id, projectId: project.id } : null
  const isAdmin = open.some((org) => org.org_id === project?.org_id && org.is_admin)
  return {
    user,
    organizations,
    shut,
    invites,
    lastProject: place,
    capabilities,
    onboarding: openStep(living.length === 0, open, place, isAdmin ? project?.onboarding_step : 'done'),
  }
}

/** Only admins are led through an unfinished wizard: a colleague who was added starts working, or waits to be added. */
function openStep(
  hasNone: boolean,
  open: readonly { org_id: string; is_admin: boolean }[],
  place: Place | null,
  step: string | undefined,
): Home['onboarding'] {
  if (hasNone) return { step: 'addOrganization', orgId: null, projectId: null }
  if (place) return { step: OnboardingStep.catch('done').parse(step), ...place }
  const own = open.find((org) => org.is_admin)
  return own
    ? { step: 'setupProject', orgId: own.org_id, projectId: null }
    : { step: 'done', orgId: null, projectId: null }
}

async function lastPlace(tx: Tx, personId: string): Promise<Place | null> {
  const person = await tx
    .selectFrom('person')
    .select(['last_org_id', 'last_project_id'])
    .where('id', '=', personId)
    .executeTakeFirst()
  return person?.last_org_id && person.last_project_id
    ? { orgId: person.last_org_id, projectId: person.last_project_id }
    : null
}

const membershipsOf = (tx: Tx, personId: string) =>
  tx
    .selectFrom('member')
    .innerJoin('organization', 'organization.org_id', 'member.org_id')
    .select([
      'member.org_id',
      'member.is_admin',
      'organization.name',
      'organization.org_type',
      'organization.deletes_at',
      'organization.requires_second_factor',
    ])
    .where('member.person_id', '=', personId)
    .where('member.removed_at', 'is', null)
    .orderBy(sql`organization.deletes_at is not null`)
    .orderBy('member.added_at')
    .orderBy('member.org_id')
    .execute()

async function projectsOf(tx: Tx, personId: string) {
  const { rows } = await sql<{
    org_id: string
    id: string
    name: string
    zone: string
    onboarding_step: string
    channels: number
  }>`
    select p.org_id, p.id, p.name, p.zone, p.onboarding_step,
      (select count(*)::int from channel c where c.org_id = p.org_id and c.project_id = p.id and c.deleted_at is null and (m.is_admin or pm.channel_ids is null or c.id = any(pm.channel_ids))) as channels
    from member m
    join organization o on o.org_id = m.org_id and (o.deletes_at is null or m.is_admin)
    join project p on p.org_id = m.org_id
    left join project_member pm on pm.org_id = p.org_id and pm.project_id = p.id and pm.person_id = m.person_id
    where m.person_id = ${personId} and m.removed_at is null and p.deleted_at is null and (m.is_admin or m.locked_admin or pm.person_id is not null)
    order by o.deletes_at is not null, m.added_at, m.org_id, p.created_at, p.id`.execute(tx)
  return rows
}
