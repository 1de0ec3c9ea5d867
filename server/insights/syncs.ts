import { sql } from 'kysely'
import type { Reason } from '#contract/failures/catalog.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { ReadChannel } from './openChannel.ts'

/* What is read of a channel step by step (`insight_sync`): taking a step, and keeping where it ended. */

/**
 * `days`: the last days and the current values. `history`: older days, backwards. `audience`: who the followers are.
 * `posts`: what was published elsewhere.
 */
export type SyncKind = 'days' | 'history' | 'audience' | 'posts'

export type Sync<K extends SyncKind = SyncKind> = ReadChannel & {
  kind: K
  project_id: string
  zone: string
  /** The first day of the history that was read, and the first that is wanted. Of `days` and `posts`: the day to begin with. */
  read_to: string | null
  until_day: string | null
  /** Of `posts`: where the import continues, how many posts it should have, and how many it has. */
  cursor: string | null
  wanted: number | null
  imported: number | null
  tries: number
}

/** How long a reading is one worker's: if that worker dies, it is read again then. */
export const LEASE_MS = 30 * 60_000

/**
 * Takes due readings of these kinds for half an hour, the first kind first. Channels that aren't connected keep their time, and so do
 * those of platforms that can't be read. A new sign-in gives a reading that lacked rights another try, and a spending limit one of a
 * platform that charges.
 */
export async function claimSyncs<const K extends SyncKind>(
  tx: Tx,
  { kinds, platforms, most }: { kinds: readonly K[]; platforms: readonly PlatformKey[]; most: number },
  now: Date,
): Promise<Sync<K>[]> {
  const wanted = sql`${[...kinds]}::text[]`
  const { rows } = await sql<Sync<K>>`
    with due as (
      select s.org_id, s.channel_id, s.kind from insight_sync s join channel c on c.org_id = s.org_id and c.id = s.channel_id
      where s.kind = any(${wanted}) and c.status = 'CONNECTED' and c.deleted_at is null and c.platform = any(${[...platforms]}::text[])
        and (
          s.next_at <= ${now} or (s.state = 'rights' and c.connected_at > s.read_at)
          or (s.state = 'off' and exists (select from inbox_cost b where b.org_id = s.org_id and b.platform = c.platform and b.monthly_limit is not null))
        )
      order by array_position(${wanted}, s.kind), s.next_at limit ${most} for no key update of s skip locked
    ), taken as (
      update insight_sync s set next_at = ${new Date(now.getTime() + LEASE_MS)}, tries = s.tries + 1
      from due where s.org_id = due.org_id and s.channel_id = due.channel_id and s.kind = due.kind returning s.*
    )
    select t.org_id, t.channel_id, t.kind, t.read_to::text, t.until_day::text, t.cursor, t.wanted, t.imported, t.tries, c.project_id, pr.zone, c.platform, c.remote_id, c.handle, c.service,
      coalesce(l.credentials, 'own') as credentials, k.key_id, k.sealed, k.version as secret_version, k.expires_at as secret_expires_at
    from taken t join channel c on c.org_id = t.org_id and c.id = t.channel_id
    join project pr on pr.org_id = c.org_id and pr.id = c.project_id
    left join lane l on l.org_id = c.org_id and l.channel_id = c.id left join channel_secret k on k.org_id = c.org_id and k.channel_id = c.id
    order by array_position(${wanted}, t.kind)`.execute(tx)
  return rows.map((row) => ({ ...row, platform: PlatformKey.parse(row.platform) }))
}

type Next = {
  state: string
  next_at: Date | null
  read_at: Date
  problem?: Reason
  read_to?: string
  cursor?: string | null
  wanted?: number
  imported?: number
}

/** Keeps where a reading ended, and when the next one is. */
export async function finishSync(tx: Tx, sync: Sync, { problem, ...next }: Next): Promise<void> {
  await tx
    .updateTable('insight_sync')
    .set({ ...next, tries: 0, problem: problem ? JSON.stringify(problem) : null })
    .where('org_id', '=', sync.org_id)
    .where('channel_id', '=', sync.channel_id)
    .where('kind', '=', sync.kind)
    .execute()
}

/** Puts a reading off; where it's only the turn of others, nothing is wrong. */
export async function putOffSync(
  tx: Tx,
  { org_id, channel_id, kind, tries }: Sync,
  at: Date,
  why?: { state: 'late' | 'off'; problem: Reason },
): Promise<void> {
  await tx
    .updateTable('insight_sync')
    .set({
      next_at: at,
      tries: why ? tries : Math.max(0, tries - 1),
      ...(why && { state: why.state, problem: JSON.stringify(why.problem) }),
    })
    .where('org_id', '=', org_id)
    .where('channel_id', '=', channel_id)
    .where('kind', '=', kind)
    .execute()
}
