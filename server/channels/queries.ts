import { wordsOf } from '#contract/failures/catalog.ts'
import type { StoredReason } from '#contract/failures/define.ts'
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Channel } from '#contract/channels.ts'
import { connectionStates } from '#contract/channels.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { CallerProject } from '../http/route.ts'
import { limitsOf } from '../access/channels.ts'
import { maySeePosts } from '../access/visiblePosts.ts'
import { becameLate } from '../posts/late.ts'
import { pictureAddress } from '../access/channels.ts'

type Row = {
  id: string
  name: string
  handle: string
  platform: string
  picture: string | null
  service: string | null
  status: string
  enabled: boolean
  plan_locked: boolean
  simulated: boolean
  zone: string
  lateness_minutes: number
  scheduled: number | null
  connected_at: Date
  problem: StoredReason | null
  checked_at: Date | null
  kind: string | null
  missing_rights: string[]
  limits: unknown
  sign_in_ends_at: Date | null
  late: number | null
  deleting: boolean
}

export type ChannelScope = {
  orgId: string
  now: Date
  project: Pick<CallerProject, 'projectId' | 'channelIds' | 'permissions'>
}

/** The project's channels that the role includes, oldest connection first; with counts of their posts for roles that see posts. */
export async function findChannels(
  tx: Tx,
  { orgId, project, now }: ChannelScope,
  page?: { limit: number; offset: number },
): Promise<z.output<typeof Channel>[]> {
  const counted = (count: RawBuilder<unknown>) => (maySeePosts(project) ? count : sql`null::int`)
  const { rows } = await sql<Row>`
    select c.id, c.name, c.handle, c.platform, ${pictureAddress('c')} as picture, c.service, c.status, c.enabled, c.plan_locked, c.simulated,
      coalesce(c.zone, project.zone) as zone, c.lateness_minutes, c.connected_at, c.problem, c.kind, c.missing_rights, c.limits, c.checked_at, c.sign_in_ends_at, c.deleting_at is not null as deleting,
      ${counted(sql`(select count(*) from post p where p.org_id = c.org_id and p.channel_id = c.id and ${becameLate(now)})`)} as late,
      ${counted(sql`(select count(*) from post where post.org_id = c.org_id and post.channel_id = c.id and post.state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL'))`)} as scheduled
    from channel c join project on project.org_id = c.org_id and project.id = c.project_id
    where c.org_id = ${orgId} and c.project_id = ${project.projectId} and c.deleted_at is null
      and (${project.channelIds}::uuid[] is null or c.id = any(${project.channelIds}::uuid[]))
    order by c.connected_at, c.id limit ${page?.limit ?? null} offset ${page?.offset ?? 0}`.execute(tx)
  return rows.map(presentChannel)
}

/** One channel as lists show it, for any role; undefined if the project has no such channel. */
export async function findChannel(
  tx: Tx,
  { orgId, project, now }: ChannelScope,
  channelId: string,
): Promise<z.output<typeof Channel> | undefined> {
  const [channel] = await findChannels(tx, {
    orgId,
    now,
    project: { ...project, channelIds: [channelId] },
  })
  return channel
}

/** The project's channels for these accounts of a platform, regardless of who can access them. */
export async function channelsOfAccounts(
  tx: Tx,
  { orgId, project }: { orgId: string; project: Pick<CallerProject, 'projectId'> },
  platform: PlatformKey,
  remoteIds: readonly string[],
): Promise<{ channelId: string; remoteId: string }[]> {
  return await tx
    .selectFrom('channel')
    .select(['id as channelId', 'remote_id as remoteId'])
    .where('org_id', '=', orgId)
    .where('project_id', '=', project.projectId)
    .where('platform', '=', platform)
    .where('remote_id', '=', (eb) => eb.fn.any(eb.val([...remoteIds])))
    .where('deleted_at', 'is', null)
    .execute()
}

/** How many channels the caller reaches. */
export async function countChannels(
  tx: Tx,
  { orgId, project }: { orgId: string; project: Pick<CallerProject, 'projectId' | 'channelIds'> },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from channel
    where org_id = ${orgId} and project_id = ${project.projectId} and deleted_at is null
      and (${project.channelIds}::uuid[] is null or id = any(${project.channelIds}::uuid[]))`.execute(tx)
  return rows[0]?.n ?? 0
}

function presentChannel(row: Row): z.output<typeof Channel> {
  return {
    channelId: row.id,
    channelName: row.name,
    handle: row.handle,
    platformName: oneOf(platformKeys, row.platform),
    profileUrl: row.picture,
    domain: row.service ? new URL(row.service).host : null,
    status: oneOf(connectionStates, row.status),
    enabled: row.enabled,
    planLocked: row.plan_locked,
    simulated: row.simulated,
    zone: row.zone,
    latenessMinutes: row.lateness_minutes,
    scheduledPosts: row.scheduled,
    connectedOn: row.connected_at.toISOString(),
    problem: row.problem && wordsOf(row.problem, 'renewal'),
    kind: row.kind,
    missing: row.missing_rights,
    limits: limitsOf(row),
    checkedAt: row.checked_at?.toISOString() ?? null,
    signInEndsAt: row.sign_in_ends_at?.toISOString() ?? null,
    latePosts: row.late,
    deleting: row.deleting,
  }
}

/** A text column as the member of the closed list that it was written from. */
function oneOf<const T extends string>(list: readonly T[], text: string): T {
  const found = list.find((item) => item === text)
  if (found === undefined) throw new Error(`the database holds ${text}, which is none of ${list.join(', ')}`)
  return found
}
