import { sql } from 'kysely'
import type { Invite } from '#contract/invites.ts'
import { effective, Permissions, publishingLevel } from '#contract/permissions.ts'
import { RoleKind } from '#contract/roles.ts'
import { channelNames } from '../members/channelNames.ts'
import type { Granter } from '../roles/access.ts'
import { inviteLink } from './mails.ts'

type Row = {
  id: string
  email: string
  role_id: string
  role_name: string
  role_kind: string
  permissions: unknown
  publishing: string
  channel_ids: string[] | null
  first_name: string
  last_name: string
  sent_at: Date
  expires_at: Date
}

/** Unanswered invitations to the project, newest first, including expired ones. */
export async function findInvites(
  c: Pick<Granter, 'tx' | 'org' | 'project'>,
  now: Date,
  publicUrl: string,
): Promise<Invite[]> {
  const { rows } = await sql<Row>`
    select i.id, i.email, i.role_id, r.name as role_name, r.kind as role_kind, r.permissions, i.publishing, i.channel_ids, p.first_name, p.last_name, i.sent_at, i.expires_at
    from invite i join role r on r.org_id = i.org_id and r.id = i.role_id join person p on p.id = i.invited_by
    where i.org_id = ${c.org.orgId} and i.project_id = ${c.project.projectId} and i.accepted_at is null and i.revoked_at is null
    order by i.sent_at desc, i.email`.execute(c.tx)
  const named = await channelNames(c)
  return rows.map((row) => {
    const publishing = row.publishing === 'none' ? 'none' : 'full'
    return {
      inviteId: row.id,
      email: row.email,
      role: { roleId: row.role_id, name: row.role_name, kind: RoleKind.parse(row.role_kind) },
      publishing,
      publishes: publishingLevel(effective(Permissions.parse(row.permissions), publishing)),
      ...named(row.channel_ids),
      invitedBy: [row.first_name, row.last_name].filter(Boolean).join(' '),
      sentAt: row.sent_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      state: row.expires_at <= now ? 'expired' : 'open',
      link: inviteLink(row.id, publicUrl),
    }
  })
}

/** The names in an invitation's email. */
export async function letterHead({
  tx,
  org,
  project,
  caller,
}: Granter): Promise<{ orgName: string; projectName: string; invitedBy: string }> {
  const row = await tx
    .selectFrom('project')
    .innerJoin('organization', 'organization.org_id', 'project.org_id')
    .innerJoin('person', (join) => join.on('person.id', '=', caller.personId))
    .select(['organization.name as org_name', 'project.name as project_name', 'person.first_name', 'person.last_name'])
    .where('project.org_id', '=', org.orgId)
    .where('project.id', '=', project.projectId)
    .executeTakeFirstOrThrow()
  return {
    orgName: row.org_name,
    projectName: row.project_name,
    invitedBy: [row.first_name, row.last_name].filter(Boolean).join(' '),
  }
}
