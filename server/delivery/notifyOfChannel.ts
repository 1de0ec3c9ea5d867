import type { Reason } from '#contract/failures/catalog.ts'
import { sql } from 'kysely'
import { emit } from '../live/emit.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import type { Notify } from '../notifications/create.ts'
import type { Going } from './claim.ts'
import type { Alongside } from './decision.ts'

/** A channel, and the version of the secret that turned out to be invalid. */
export type SignedInChannel = Pick<
  Going,
  'org_id' | 'channel_id' | 'platform' | 'handle' | 'lateness_minutes' | 'secret_version'
>

/**
 * For an ended sign-in: marks the channel and notifies people, unless it was reconnected in the meantime (the secret
 * has another version).
 */
export function notifyOfChannel(notify: Notify, claimed: SignedInChannel, reason: Reason, now: Date): Alongside {
  return async (tx) => {
    const { rows: changed } = await sql<{ project_id: string }>`
      update channel c set status = 'TOKEN_EXPIRED', problem = ${JSON.stringify(reason)}::jsonb,
        away_since = case when c.enabled then ${now}::timestamptz else coalesce(c.away_since, ${now}::timestamptz) end
      where c.org_id = ${claimed.org_id} and c.id = ${claimed.channel_id} and c.status = 'CONNECTED'
        and not exists (select from channel_secret s where s.org_id = c.org_id and s.channel_id = c.id and s.version <> ${claimed.secret_version ?? 0})
      returning c.project_id`.execute(tx)
    const [channel] = changed
    if (!channel) return
    const projectId = channel.project_id
    await emit(tx, { orgId: claimed.org_id, projectId, kind: 'channel', ref: claimed.channel_id }, now)
    await notify(
      tx,
      {
        orgId: claimed.org_id,
        projectId,
        dedupeKey: dedupeKeys.reconnect(claimed.channel_id),
        kind: 'channel-signed-out',
        params: {
          handle: claimed.handle,
          platform: claimed.platform,
          reason,
          latenessMinutes: claimed.lateness_minutes,
        },
        people: 'project-editors',
        channelIds: [claimed.channel_id],
      },
      now,
    )
  }
}
