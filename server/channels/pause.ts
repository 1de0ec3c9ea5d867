import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { takeAllowance } from '../plans/allowance.ts'

import type { PostDeps } from '../posts/schedule.ts'
import { pauseLane } from '../delivery/lane.ts'
import { resumeLane } from '../publishing/lane.ts'
import type { ChannelRow } from '../access/channels.ts'
import { lateOf, resolveLatePosts, type LateChoice } from '../posts/late.ts'
import { closedToEnable, planLimit } from './limits.ts'

/** Pauses a channel: its scheduled and queued posts wait. Returns how many. */
export async function disable(tx: Tx, channel: ChannelRow, now: Date): Promise<number> {
  const isAway = !channel.enabled || channel.status !== 'CONNECTED'
  await tx
    .updateTable('channel')
    .set({ enabled: false, away_since: isAway ? (channel.away_since ?? now) : now })
    .where('org_id', '=', channel.org_id)
    .where('id', '=', channel.id)
    .execute()
  await pauseLane(tx, channel.org_id, channel.id)
  return await waitingPosts(tx, channel)
}

/** What enabling did: posts that continue, posts that had become late, and how many of these were handled as chosen. */
export type Enabled = { resumed: number; late: number; settled: number }

/**
 * Resumes a channel; one with an expired token continues once it's reconnected. Posts within the lateness limit
 * continue, late ones are handled as chosen. Throws PLAN_LIMIT if the plan doesn't include another enabled channel.
 */
export async function enable(
  c: ProjectContext,
  deps: PostDeps,
  channel: ChannelRow,
  choice: LateChoice,
): Promise<Enabled> {
  const org = { ...c.org, ...(await takeAllowance(c.tx, c.org.orgId, c.now)) }
  const gate = await closedToEnable(c.tx, org, channel)
  if (gate) throw planLimit(gate)
  const late = await lateOf(c.tx, channel, c.now)
  const unseen = late.filter(({ state }) => state === 'SCHEDULED' || state === 'QUEUED').length
  const resumed = (await waitingPosts(c.tx, channel)) - unseen
  await c.tx
    .updateTable('channel')
    .set({ enabled: true })
    .where('org_id', '=', channel.org_id)
    .where('id', '=', channel.id)
    .execute()
  const settled = await resolveLatePosts(c, deps, late, choice)
  if (channel.status === 'CONNECTED') await resumeLane(c.tx, channel.org_id, channel.id)
  return { resumed, late: late.length, settled }
}

async function waitingPosts(tx: Tx, channel: ChannelRow): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from post where org_id = ${channel.org_id} and channel_id = ${channel.id} and state in ('SCHEDULED', 'QUEUED')`.execute(
    tx,
  )
  return rows[0]?.n ?? 0
}

const posts = (n: number, kind: string): string => `${n} ${kind} ${n === 1 ? 'post' : 'posts'}`
const verb = (n: number, one: string, many: string): string => (n === 1 ? one : many)

/** The message for the person who disabled a channel. */
export function disabledWords(paused: number): string {
  return paused > 0
    ? `Channel Disabled. ${posts(paused, 'scheduled')} ${verb(paused, 'is', 'are')} paused until you enable it.`
    : 'Channel Disabled'
}

/** The message for the person who enabled a channel, with what happened to its late posts. */
export function enabledWords({ resumed, late, settled }: Enabled, choice: LateChoice): string {
  const left = late - settled
  const does =
    choice === 'publish'
      ? verb(settled, 'is being published now', 'are being published now')
      : verb(settled, 'became a draft', 'became drafts')
  const sentences = [
    resumed > 0 && `${posts(resumed, 'scheduled')} will be published as planned.`,
    settled > 0 && `${posts(settled, 'late')} ${does}.`,
    left > 0 && `${posts(left, 'late')} ${verb(left, 'needs', 'need')} your decision.`,
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? ['Channel Enabled.', ...sentences].join(' ') : 'Channel Enabled'
}
