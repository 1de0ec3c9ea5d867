import { sql, type Selectable } from 'kysely'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { Database } from '../db/schema.ts'
import type { SecretHolder } from '../delivery/refresh.ts'
import { readBoost, type BoostRow } from './access.ts'

/** A promotion that was taken up, with what working on it needs. */
export type Taken = {
  boost: BoostRow
  /** Null once the channel is gone: its platform can no longer be asked. */
  channel:
    | (Omit<SecretHolder, 'attempt_id'> & {
        platform: PlatformKey
        remoteId: string
        handle: string
        service: string | null
      })
    | null
  /** The post was deleted here. */
  postGone: boolean
  /** Nothing is to be sent: an operator holds it, or the database came back from a backup. */
  held: boolean
}

/** So long a promotion is one worker's. It ends before by its own account: see `outlasts`. */
export const LEASE_MS = 120_000
/** In one go. */
const MOST = 20

type Row = Selectable<Database['boost']> & {
  platform: string | null
  channel_remote_id: string | null
  handle: string | null
  service: string | null
  channel_gone: boolean
  key_id: string | null
  sealed: Buffer | null
  secret_version: number | null
  secret_expires_at: Date | null
  post_state: string
  held: boolean
}

/** Takes up what is due, in whatever organization: the fence is raised, and whatever becomes of this worker, it is due again when the lease is over. */
export async function takeDue(tx: Tx, now: Date): Promise<Taken[]> {
  const { rows } = await sql<Row>`
    with due as (
      select org_id, id from boost where next_at <= ${now} order by next_at limit ${MOST} for no key update skip locked
    ), taken as (
      update boost b set fence = b.fence + 1, next_at = ${new Date(now.getTime() + LEASE_MS)} from due where b.org_id = due.org_id and b.id = due.id returning b.*
    )
    select t.*, c.platform, c.remote_id as channel_remote_id, c.handle, c.service, c.deleted_at is not null as channel_gone,
      s.key_id, s.sealed, s.version as secret_version, s.expires_at as secret_expires_at, p.state as post_state,
      exists (
        select from kill_switch k
        where k.scope = 'all' or (k.scope = 'platform' and k.name = c.platform) or (k.scope = 'organization' and k.name = t.org_id::text)
          or (k.scope = 'credentials' and exists (select from lane l where l.org_id = c.org_id and l.channel_id = c.id and k.name = c.platform || ':' || l.credentials))
      ) as held
    from taken t join post p on p.org_id = t.org_id and p.id = t.post_id join channel c on c.org_id = t.org_id and c.id = t.channel_id
    left join channel_secret s on s.org_id = c.org_id and s.channel_id = c.id`.execute(tx)
  return rows.map((row) => {
    const {
      platform,
      channel_remote_id: remoteId,
      handle,
      service,
      channel_gone: gone,
      key_id,
      sealed,
      secret_version,
      secret_expires_at,
      post_state: postState,
      held,
      ...boost
    } = row
    const channel =
      gone || sealed === null
        ? null
        : {
            org_id: boost.org_id,
            channel_id: boost.channel_id,
            platform: PlatformKey.parse(platform),
            remoteId: remoteId ?? '',
            handle: handle ?? '',
            service,
            key_id,
            sealed,
            secret_version,
            secret_expires_at,
          }
    return { boost: readBoost(boost), channel, postGone: postState === 'DELETED', held }
  })
}
