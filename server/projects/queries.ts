import { sql } from 'kysely'
import type { OrgProject } from '#contract/orgSettings.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { pictureAddress } from '../access/channels.ts'
import type { Tx } from '../db/kysely.ts'
import { pictureAddress as personPicture } from '../people/person.ts'

type Asker = { tx: Tx; org: { orgId: string } }
type UserRow = { userId: string; firstName: string; lastName: string; pictureId: string | null }
type ChannelOfProject = { channelId: string; channelName: string; platformName: string; profileUrl: string | null }
type Row = {
  id: string
  name: string
  created_at: Date
  users: UserRow[]
  channels: ChannelOfProject[]
  scheduled: number
}

/** A page of the organization's projects, oldest first, with their members, including the organization's admins. */
export async function findProjects({ tx, org }: Asker, page: { limit: number; offset: number }): Promise<OrgProject[]> {
  const { rows } = await sql<Row>`
    select pr.id, pr.name, pr.created_at,
      (select coalesce(json_agg(json_build_object('userId', p.id, 'firstName', p.first_name, 'lastName', p.last_name, 'pictureId', p.picture_id) order by lower(p.first_name), lower(p.last_name), p.id), '[]')
        from member m join person p on p.id = m.person_id left join project_member pm on pm.org_id = m.org_id and pm.project_id = pr.id and pm.person_id = m.person_id
        where m.org_id = pr.org_id and m.removed_at is null and (m.is_admin or pm.person_id is not null)) as users,
      (select coalesce(json_agg(json_build_object('channelId', c.id, 'channelName', c.name, 'platformName', c.platform, 'profileUrl', ${pictureAddress('c')}) order by c.connected_at, c.id), '[]')
        from channel c where c.org_id = pr.org_id and c.project_id = pr.id and c.deleted_at is null) as channels,
      (select count(*)::int from post where post.org_id = pr.org_id and post.project_id = pr.id and post.state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL')) as scheduled
    from project pr where pr.org_id = ${org.orgId} and pr.deleted_at is null
    order by pr.created_at, pr.id limit ${page.limit} offset ${page.offset}`.execute(tx)
  return rows.map((row) => ({
    projectId: row.id,
    projectName: row.name,
    createdAt: row.created_at.toISOString(),
    projectUsers: row.users.map(({ pictureId, ...user }) => ({ ...user, profileUrl: personPicture(pictureId) })),
    channels: row.channels.map((channel) => ({ ...channel, platformName: PlatformKey.parse(channel.platformName) })),
    scheduledPosts: row.scheduled,
  }))
}

export async function countProjects({ tx, org }: Asker): Promise<number> {
  const { projects } = await tx
    .selectFrom('project')
    .select((e) => e.fn.countAll<number>().as('projects'))
    .where('org_id', '=', org.orgId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return projects
}
