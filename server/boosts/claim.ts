import { sql, type Selectable } from 'kysely'
import type pg from 'pg'
import { asSystem } from '../db/system.ts'
import type { Database } from '../db/schema.ts'
import { claimDelivery, type Going } from '../delivery/claim.ts'
import type { OutcomeWriter } from '../delivery/outcomes.ts'
import { readBoost, type BoostRow } from './access.ts'
import { release, MARGIN_MS } from './write.ts'

/** A claimed promotion, with everything needed to work on it. */
export type ClaimedBoost = {
  claimed: Going
  boost: BoostRow
  /** The channel is gone: its platform can no longer be asked. */
  channelGone: boolean
  /** The post was deleted here. */
  postGone: boolean
  /** Nothing may be created: an operator has paused publishing, or the database was restored from a backup. */
  held: boolean
}

/** How long a promotion belongs to one worker. The worker itself stops earlier: see `outlasts`. */
export const LEASE_MS = 120_000
/** Claims per run. */
const MOST = 20

type Row = Selectable<Database['boost']> & { channel_gone: boolean; post_state: string; held: boolean }

/** Promotions that are due, of all organizations. */
export const dueBoosts = (pool: pg.Pool, now: Date) =>
  asSystem(pool, (tx) =>
    tx
      .selectFrom('boost')
      .select(['org_id', 'id'])
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .limit(MOST)
      .execute(),
  )

/** Claims a due promotion; undefined while another worker has it, or has just advanced it. */
export async function claimBoost(
  pool: pg.Pool,
  writer: OutcomeWriter,
  { org_id, id }: Pick<BoostRow, 'org_id' | 'id'>,
  { now, nodeId }: { now: Date; nodeId: string },
): Promise<ClaimedBoost | undefined> {
  const lease = { milliseconds: LEASE_MS, margin: MARGIN_MS }
  const claimed = await claimDelivery(pool, { now, nodeId }, { org_id, subject: 'boost', subject_id: id }, lease)
  if (!claimed) return undefined
  const { rows } = await asSystem(pool, (tx) =>
    sql<Row>`
      select b.*, c.deleted_at is not null as channel_gone, p.state as post_state,
        exists (
          select from kill_switch k
          where k.scope = 'all' or (k.scope = 'platform' and k.name = c.platform) or (k.scope = 'organization' and k.name = b.org_id::text)
            or (k.scope = 'credentials' and k.name = c.platform || ':' || ${claimed.credentials})
        ) as held
      from boost b join post p on p.org_id = b.org_id and p.id = b.post_id join channel c on c.org_id = b.org_id and c.id = b.channel_id
      where b.org_id = ${org_id} and b.id = ${id}`.execute(tx),
  )
  const [row] = rows
  // another worker finished it before this claim
  if (!row?.next_at || row.next_at > now) {
    await release(writer, claimed)
    return undefined
  }
  const { channel_gone: channelGone, post_state: postState, held, ...boost } = row
  return { claimed, boost: readBoost(boost), channelGone, postGone: postState === 'DELETED', held }
}
