import { sql } from 'kysely'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import type { AccountRef, Platform, Reach, Secret } from '../platforms/platform.ts'
import type { Reading } from './claimReadings.ts'

/** So often the platform is asked again: permissions change, and people end subscriptions there. */
const AGAIN_MS = 86_400_000

/**
 * Asks the platform to notify us of what is written to a channel, once a day, with its first kind's reading. Without
 * notifications everything is read all the same, only later: what the platform refuses is noted in the log.
 */
export async function subscribeChannel(
  { databases, clock, log }: Pick<JobContext, 'databases' | 'clock' | 'log'>,
  platform: Platform,
  reading: Reading,
  { reach, secret, account }: { reach: Reach; secret: Secret; account: AccountRef },
): Promise<void> {
  const { org_id: orgId, channel_id: channelId, kind } = reading
  const subscribe = platform.push?.subscribe
  const now = clock.now()
  const isFresh = reading.subscribed_at !== null && now.getTime() - reading.subscribed_at.getTime() < AGAIN_MS
  if (!subscribe || isFresh || kind !== platform.inbox?.reads[0]?.[0]) return
  const answer = await subscribe(reach, secret, account)
  if (answer.kind !== 'subscribed')
    log.info({ channelId, reason: answer.reason.code }, 'the platform was not subscribed to')
  await asSystem(databases.system, (tx) =>
    sql`update inbox_cursor set subscribed_at = ${now} where org_id = ${orgId} and channel_id = ${channelId} and kind = ${kind}`.execute(
      tx,
    ),
  )
}
