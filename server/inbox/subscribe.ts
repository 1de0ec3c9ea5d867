import { sql } from 'kysely'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import type { AccountRef, Platform, Reach, Refusal, Secret } from '../platforms/platform.ts'
import type { SecretKeys } from '../sealing.ts'
import type { Reading } from './claimReadings.ts'
import { keepServerKey, pushTargetOf } from './pushAddress.ts'

/** So often the platform is asked again: permissions change, people end subscriptions there, and servers lose them. */
const AGAIN_MS = 86_400_000

type Context = Pick<JobContext, 'databases' | 'clock' | 'log'>
type Ours = { keys: SecretKeys; publicUrl: string }
type Call = { reach: Reach; secret: Secret; account: AccountRef }

/**
 * Asks the platform to notify us of what is written to a channel, once a day, with its first kind's reading. Without
 * notifications everything is read all the same, only later: what the platform refuses is noted in the log.
 */
export async function subscribeChannel(
  context: Context,
  ours: Ours,
  platform: Platform,
  reading: Reading,
  call: Call,
): Promise<void> {
  const { databases, clock, log } = context
  const { org_id: orgId, channel_id: channelId, kind } = reading
  const now = clock.now()
  const isFresh = reading.subscribed_at !== null && now.getTime() - reading.subscribed_at.getTime() < AGAIN_MS
  if (isFresh || kind !== platform.inbox?.reads[0]?.[0]) return
  const answer = await subscribe(context, ours, platform, call)
  if (!answer) return
  if (answer.kind !== 'subscribed')
    log.info({ channelId, reason: answer.reason.code }, 'the platform was not subscribed to')
  await asSystem(databases.system, (tx) =>
    sql`update inbox_cursor set subscribed_at = ${now} where org_id = ${orgId} and channel_id = ${channelId} and kind = ${kind}`.execute(
      tx,
    ),
  )
}

/** Undefined for platforms that don't send notifications, or notify an app of all its accounts. */
async function subscribe(
  { databases }: Context,
  ours: Ours,
  { key, push, webPush }: Platform,
  { reach, secret, account }: Call,
): Promise<{ kind: 'subscribed' } | Refusal | undefined> {
  if (!webPush) return await push?.subscribe?.(reach, secret, account)
  const of = { platform: key, account: account.remoteId }
  const target = await asSystem(databases.system, (tx) => pushTargetOf(tx, ours, of))
  const answer = await webPush.subscribe(reach, secret, account, target)
  if (answer.kind === 'subscribed') await asSystem(databases.system, (tx) => keepServerKey(tx, of, answer.serverKey))
  return answer
}
