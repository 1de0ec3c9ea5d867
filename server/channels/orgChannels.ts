import { sql } from 'kysely'
import type { OrgChannel } from '#contract/orgSettings.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { ChannelRow } from '../access/channels.ts'
import { pictureAddress } from '../access/channels.ts'

/* Channels as organization admins see them, in all projects. */

type Asker = { tx: Tx; org: { orgId: string } }
type Row = Pick<
  ChannelRow,
  'id' | 'name' | 'platform' | 'service' | 'project_id' | 'connected_at' | 'status' | 'enabled' | 'plan_locked'
> & { project_name: string; picture: string | null; scheduled: number; deleting: boolean }

/**
 * A page of them, oldest connection first. Disabled and signed-out ones are Inactive, and so are those being deleted.
 */
export async function findOrgChannels(
  { tx, org }: Asker,
  page: { limit: number; offset: number },
): Promise<OrgChannel[]> {
  const { rows } = await sql<Row>`
    select c.id, c.name, c.platform, ${pictureAddress('c')} as picture, c.service, c.project_id, c.connected_at, c.status, c.enabled, c.plan_locked, c.deleting_at is not null as deleting, pr.name as project_name,
      (select count(*)::int from post where post.org_id = c.org_id and post.channel_id = c.id and post.state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL')) as scheduled
    from channel c join project pr on pr.org_id = c.org_id and pr.id = c.project_id
    where c.org_id = ${org.orgId} and c.deleted_at is null
    order by c.connected_at, c.id limit ${page.limit} offset ${page.offset}`.execute(tx)
  return rows.map((row) => ({
    channelId: row.id,
    channelName: row.name,
    platformName: PlatformKey.parse(row.platform),
    profileUrl: row.picture,
    domain: row.service === null ? null : new URL(row.service).host,
    projectId: row.project_id,
    projectName: row.project_name,
    createdAt: row.connected_at.toISOString(),
    connectionState: row.status === 'CONNECTED' && row.enabled && !row.deleting ? 'Active' : 'Inactive',
    planLocked: row.plan_locked,
    deleting: row.deleting,
    scheduledPosts: row.scheduled,
  }))
}

/** How many channels the organization has, in all of its projects. */
export async function countOrgChannels({ tx, org }: Asker): Promise<number> {
  const { channels } = await tx
    .selectFrom('channel')
    .select((e) => e.fn.countAll<number>().as('channels'))
    .where('org_id', '=', org.orgId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return channels
}

/** A channel of the organization for a verb that changes it, locked. Throws NOT_FOUND. */
export async function loadOrgChannel({ tx, org }: Asker, channelId: string): Promise<ChannelRow> {
  const channel = await tx
    .selectFrom('channel')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('id', '=', channelId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!channel) throw fail('NOT_FOUND')
  return channel
}
