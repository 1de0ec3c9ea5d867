import { sql, type RawBuilder, type Selectable } from 'kysely'
import { ChannelLimits } from '#contract/platforms/limits.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Database } from '../db/schema.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { CallerProject } from '../http/route.ts'

export type ChannelRow = Selectable<Database['channel']>
type Asker = { tx: Tx; org: { orgId: string }; project: Pick<CallerProject, 'projectId' | 'channelIds'> }

/** What its platform accepts from this account, if that differs from the platform's rules; null if unknown. */
export const limitsOf = ({ limits }: { limits: unknown }): ChannelLimits | null =>
  ChannelLimits.nullable().catch(null).parse(limits)

/** Whether the caller's role includes the channel. A role without specific channels includes all of them. */
export function reaches(project: Pick<CallerProject, 'channelIds'>, channelId: string): boolean {
  return project.channelIds === null || project.channelIds.includes(channelId)
}

/**
 * The channels that a project member's role includes, null for all; undefined for people who aren't members.
 * Organization admins have every channel of its projects.
 */
export async function reachOf(
  tx: Tx,
  { orgId, project }: { orgId: string; project: Pick<CallerProject, 'projectId'> },
  personId: string,
): Promise<{ channelIds: readonly string[] | null } | undefined> {
  const { rows } = await sql<{ channel_ids: string[] | null }>`
    select case when not m.is_admin then pm.channel_ids end as channel_ids
    from member m left join project_member pm on pm.org_id = m.org_id and pm.person_id = m.person_id and pm.project_id = ${project.projectId}
    where m.org_id = ${orgId} and m.person_id = ${personId} and m.removed_at is null and (m.is_admin or pm.person_id is not null)`.execute(
    tx,
  )
  const [found] = rows
  return found && { channelIds: found.channel_ids }
}

/**
 * The channel for a verb that changes it, locked. NOT_FOUND if it doesn't exist, belongs to another project, or is
 * outside of the caller's role.
 */
export async function loadChannel(c: Asker, channelId: string): Promise<ChannelRow> {
  const [channel] = reaches(c.project, channelId)
    ? await liveChannels(c).where('id', '=', channelId).forUpdate().execute()
    : []
  if (!channel) throw fail('NOT_FOUND')
  return channel
}

/** The same for verbs that a channel refuses while it's being deleted: CHANNEL_DELETING. */
export async function loadStayingChannel(c: Asker, channelId: string): Promise<ChannelRow> {
  const channel = await loadChannel(c, channelId)
  if (channel.deleting_at !== null) throw fail('CHANNEL_DELETING')
  return channel
}

/**
 * The channel for a call that only reads it, without locking; undefined if the caller's role includes no such channel.
 */
export async function seeChannelIfAny(c: Asker, channelId: string): Promise<ChannelRow | undefined> {
  return reaches(c.project, channelId)
    ? await liveChannels(c).where('id', '=', channelId).executeTakeFirst()
    : undefined
}

/** The channel for a verb that only reads it. Same refusal as loadChannel. */
export async function seeChannel(c: Asker, channelId: string): Promise<ChannelRow> {
  const channel = await seeChannelIfAny(c, channelId)
  if (!channel) throw fail('NOT_FOUND')
  return channel
}

/**
 * Those of the channels that exist in the project and that the caller's role includes, by id; channels being deleted
 * take no more posts and are left out. None of them can be deleted before the transaction ends, so a deletion sees what
 * is scheduled in the meantime.
 */
export async function channelsById(c: Asker, channelIds: readonly string[]): Promise<Map<string, ChannelRow>> {
  const wanted = channelIds.filter((id) => reaches(c.project, id))
  if (wanted.length === 0) return new Map()
  const rows = await liveChannels(c)
    .where('deleting_at', 'is', null)
    .where('id', '=', (eb) => eb.fn.any(eb.val(wanted)))
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The platforms that the project is connected to, for any caller. */
export async function platformsOf(
  tx: Tx,
  { orgId, projectId }: { orgId: string; projectId: string },
): Promise<PlatformKey[]> {
  const rows = await tx
    .selectFrom('channel')
    .select('platform')
    .distinct()
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ platform }) => PlatformKey.parse(platform))
}

const liveChannels = ({ tx, org, project }: Asker) =>
  tx
    .selectFrom('channel')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('deleted_at', 'is', null)

/**
 * SQL for the address from which members load a channel's picture, null while none is kept; `table` is the name of the
 * channel's table in the query. A new picture has a new address, so that browsers may keep it.
 */
export const pictureAddress = (table: 'c' | 'ch' | 'channel'): RawBuilder<string | null> => {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<
    string | null
  >`'/api/' || ${column('org_id')} || '/project/' || ${column('project_id')} || '/social/' || ${column('id')} || '/picture?of=' || right(${column('picture_id')}::text, 12)`
}
