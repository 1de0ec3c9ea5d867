import { sql } from 'kysely'
import { because } from '#contract/failures/catalog.ts'
import type { ChannelRow } from '../../access/channels.ts'
import type { Tx } from '../../db/kysely.ts'
import { asSystem } from '../../db/system.ts'
import { deliverNow, reserve } from '../../delivery/attended.ts'
import { takeTokens } from '../../delivery/budgets.ts'
import type { Wanted } from '../../delivery/claim.ts'
import { rewakeLane } from '../../delivery/lane.ts'
import { overrule } from '../../delivery/overrule.ts'
import type { Dependencies } from '../../dependencies.ts'
import { fail } from '../../errors.ts'
import type { DetachedContext, ProjectContext } from '../../http/route.ts'
import { mediaLinks } from '../../media/links.ts'
import { openMedia } from '../../media/open.ts'
import { createNotification } from '../../notifications/create.ts'
import type { Platform } from '../../platforms/platform.ts'
import { replySubject } from './subject.ts'

export type ReplyDeps = Pick<
  Dependencies,
  'env' | 'clock' | 'databases' | 'platforms' | 'secrets' | 'apps' | 'fetch' | 'log' | 'media'
>

/** A reply's requests end within this many milliseconds; what isn't finished then is the nodes' to find out. */
const SEND_MS = 40_000

/** What a request has reserved: itself, unless the channel's lane prepares files for it first. */
export type Reserved = {
  wanted: Wanted
  viaLane: boolean
  channel: ChannelRow & { credentials: string }
  platform: Platform
}

/**
 * Makes the delivery of a reply, in the transaction of the verb. Throws REPLY_LOCKED while it's being sent. With files to
 * upload first, it's left to the channel's lane, which uploads beside what it sends.
 */
export async function reserveReply(
  { tx, org, now }: ProjectContext,
  { replyId, sendKey, hasFiles }: { replyId: string; sendKey: string; hasFiles: boolean },
  channel: ChannelRow & { credentials: string },
  platform: Platform,
): Promise<Reserved> {
  const viaLane = hasFiles && platform.inbox?.replies?.prepare !== undefined
  const of = { orgId: org.orgId, channelId: channel.id, subject: 'reply' as const, subjectId: replyId }
  const wanted = await reserve(tx, { ...of, details: {}, sendKey, progress: {} }, now)
  if (!wanted) throw fail('REPLY_LOCKED')
  if (viaLane) await leaveToLane(tx, wanted, channel.id, 'prepare', now)
  return { wanted: { ...wanted, dates: platform.publish.distinctTimes ?? false }, viaLane, channel, platform }
}

/** The channel's lane does this next, as soon as it can. */
async function leaveToLane(
  tx: Tx,
  { org_id: orgId, subject, subject_id: subjectId, fence }: Wanted,
  channelId: string,
  step: 'prepare' | 'send',
  now: Date,
): Promise<void> {
  await overrule(
    sql`step = ${step}, step_at = ${now}`,
    sql`where d.org_id = ${orgId} and d.subject = ${subject} and d.subject_id = ${subjectId} and d.fence = ${fence}`,
  ).execute(tx)
  await rewakeLane(tx, orgId, channelId)
}

/**
 * Sends a reply that was reserved, now and in this request, past the lane's queue. While the operator has paused
 * publishing, or the platform takes no more calls, it's left to the lane. Never withdraws: what this attempt couldn't
 * finish goes on by itself, and the reply says how far it got.
 */
export async function sendNow(
  c: DetachedContext,
  deps: ReplyDeps,
  { wanted, viaLane, channel, platform }: Reserved,
): Promise<void> {
  if (viaLane) return
  const { system } = deps.databases
  const now = deps.clock.now()
  const caller = { channelId: channel.id, credentials: channel.credentials, service: channel.service }
  const waits = await asSystem(system, async (tx) => {
    if (await isHeld(tx, { orgId: wanted.org_id, platform: platform.key, credentials: channel.credentials }))
      return true
    return (await takeTokens(tx, platform, 'reply', caller, now)).kind === 'later'
  })
  if (waits) return await asSystem(system, (tx) => leaveToLane(tx, wanted, channel.id, 'send', now))
  const media = openMedia(deps.databases.background, deps.media, mediaLinks(deps))
  const how = { timeoutMs: SEND_MS, crashed: because('reply-crashed') }
  await deliverNow({ ...deps, media, notify: createNotification }, replySubject(), wanted, how)
}

/** Whether an operator has paused what this would send. */
async function isHeld(
  tx: Tx,
  { orgId, platform, credentials }: { orgId: string; platform: string; credentials: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from kill_switch k
    where k.scope = 'all' or (k.scope = 'platform' and k.name = ${platform}) or (k.scope = 'credentials' and k.name = ${`${platform}:${credentials}`})
      or (k.scope = 'organization' and k.name = ${orgId})`.execute(tx)
  return rows.length > 0
}
