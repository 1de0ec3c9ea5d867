import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import { SCHEDULE } from '#contract/constants.ts'
import { problem } from '#contract/postProblems.ts'
import type { ChannelRow } from '../access/channels.ts'
import { fail, type Failure } from '../errors.ts'
import { holdQueues } from '../queues/lock.ts'

/** So many more scheduled posts on a channel; one when it is not said. */
type More = { channel: ChannelRow; at: string; posts?: number }

/**
 * Refuses (SCHEDULE_CAP) when the posts would pass the plan's cap on any of the channels. The channels'
 * lanes are locked until the end of the transaction, in the order of their ids, so that two submits cannot both take
 * the last place. Call it after the posts' own locks.
 */
export async function mustFitCap(c: ProjectContext, wanted: readonly More[]): Promise<void> {
  const ids = wanted.filter(({ posts = 1 }) => posts > 0).map(({ channel }) => channel.id)
  if (ids.length === 0) return
  await holdQueues(c.tx, c.org.orgId, ids)
  await sql`select 1 from lane where org_id = ${c.org.orgId} and channel_id = any(${ids}::uuid[]) order by channel_id for update`.execute(
    c.tx,
  )
  const refusal = await capRefusal(c, wanted)
  if (refusal) throw refusal
}

/**
 * The same without locks, as it stands at this moment: the refusal, or undefined when all would fit. What is scheduled or
 * queued counts, and what waits for approval with a date.
 */
export async function capRefusal(c: ProjectContext, wanted: readonly More[]): Promise<Failure | undefined> {
  const channels = wanted.filter(({ posts = 1 }) => posts > 0)
  if (channels.length === 0) return undefined
  const ids = channels.map(({ channel }) => channel.id)
  const { rows } = await sql<{ channel_id: string; n: number }>`
    select channel_id, count(*) as n from post
    where org_id = ${c.org.orgId} and channel_id = any(${ids}::uuid[]) and state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL') and (due_at > ${c.now} or (state = 'QUEUED' and due_at is null))
    group by channel_id`.execute(c.tx)
  const pending = new Map(rows.map((row) => [row.channel_id, row.n]))
  const limit = c.org.entitlements.scheduledCap
  const full = channels.filter(({ channel, posts = 1 }) => (pending.get(channel.id) ?? 0) + posts > limit)
  if (full.length === 0) return undefined
  const upgrade = limit === SCHEDULE.cap.limited ? ' Upgrade your plan to schedule more posts' : ''
  const words = `You've reached the limit of ${limit} scheduled posts for the following accounts.${upgrade}`
  return fail('SCHEDULE_CAP', {
    detail: words,
    problems: Object.fromEntries(full.map(({ at }) => [`${at}channelId`, [problem('schedule-cap', { limit })]])),
    meta: {
      limit,
      channels: full.map(({ channel }) => ({
        channelId: channel.id,
        channelName: channel.name,
        handle: channel.handle,
      })),
    },
  })
}
