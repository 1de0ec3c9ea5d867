import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import { SCHEDULE } from '#contract/constants.ts'
import { problem } from '#contract/postProblems.ts'
import type { ChannelRow } from '../access/channels.ts'
import { fail, type Failure } from '../errors.ts'

/** The number of scheduled posts to add on a channel; one if omitted. */
type More = { channel: ChannelRow; at: string; posts?: number }

/** What counts towards a channel's cap, and what is in its queue. */
type Standing = { pending: number; queued: number }
export type Standings = ReadonlyMap<string, Standing>

/**
 * Locks and returns what counts towards the caps of channels, which nobody can pass until the transaction ends
 * (functions/scheduling.sql): transactions that add one post to each channel hardly wait for each other (`oneEach`).
 * Call it after locking the posts themselves.
 */
export async function lockCaps(c: ProjectContext, channelIds: readonly string[], oneEach: boolean): Promise<Standings> {
  if (channelIds.length === 0) return new Map()
  const { rows } = await sql<Standing & { channel_id: string }>`
    select * from lock_caps(${[...channelIds]}::uuid[], ${oneEach}, ${c.org.entitlements.scheduledCap}, ${c.now})`.execute(
    c.tx,
  )
  return new Map(rows.map(({ channel_id: id, ...standing }) => [id, standing]))
}

/** Refuses (SCHEDULE_CAP) if the posts would pass the plan's cap on any of the channels; locks the caps unless they're given. */
export async function mustFitCap(c: ProjectContext, wanted: readonly More[], locked?: Standings): Promise<void> {
  const channels = wanted.filter(({ posts = 1 }) => posts > 0)
  const ids = channels.map(({ channel }) => channel.id)
  const refusal = refusalOf(c, channels, locked ?? (await lockCaps(c, ids, false)))
  if (refusal) throw refusal
}

/** The same without locks, as of now: the refusal, or undefined if all would fit. */
export async function capRefusal(c: ProjectContext, wanted: readonly More[]): Promise<Failure | undefined> {
  const channels = wanted.filter(({ posts = 1 }) => posts > 0)
  if (channels.length === 0) return undefined
  const { rows } = await sql<Standing & { id: string }>`
    select k.id, p.* from unnest(${channels.map(({ channel }) => channel.id)}::uuid[]) as k(id), pending_posts(${c.org.orgId}, k.id, ${c.now}) p`.execute(
    c.tx,
  )
  return refusalOf(c, channels, new Map(rows.map(({ id, ...standing }) => [id, standing])))
}

function refusalOf(c: ProjectContext, channels: readonly More[], standings: Standings): Failure | undefined {
  const limit = c.org.entitlements.scheduledCap
  const full = channels.filter(({ channel, posts = 1 }) => (standings.get(channel.id)?.pending ?? 0) + posts > limit)
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
