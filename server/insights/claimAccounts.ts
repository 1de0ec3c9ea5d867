import { sql } from 'kysely'
import { platformFigures, termsOf } from '#contract/analytics/catalog/catalog.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { AccountFigures } from '../platforms/account.ts'
import type { ReadChannel } from './openChannel.ts'

/** `days`: the last days and the current values. `history`: older days, backwards. `audience`: who the followers are. */
type SyncKind = 'days' | 'history' | 'audience'

export type Sync = ReadChannel & {
  kind: SyncKind
  /** The first day of the history that was read, and the first that is wanted. Of `days`: the day to begin with. */
  read_to: string | null
  until_day: string | null
  tries: number
}

export type Readers = ReadonlyMap<PlatformKey, AccountFigures>

/** How long a reading is one worker's: if that worker dies, it is read again then. */
const LEASE_MS = 30 * 60_000
/** Readings of one run, over all organizations. */
const MOST = 100
const DAY_MS = 86_400_000

/** The platform's day at an instant. */
export const dayAt = (platform: PlatformKey, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: platformFigures[platform].zone }).format(at)
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** How far back a platform's days are read: as far as it reports them, and as long as they may be kept. */
function firstDay(platform: PlatformKey, accepted: readonly PlatformKey[], today: string): string {
  const { channel } = platformFigures[platform]
  const { keepDays } = termsOf(platform, accepted)
  const days = Math.max(0, ...channel.map(({ historyDays }) => historyDays ?? 0))
  const first = addDays(today, -Math.min(days, keepDays ?? days))
  const since = channel.flatMap((figure) => figure.since ?? []).toSorted()[0]
  return since !== undefined && since > first ? since : first
}

/** The days until a value is final: they are read again each day. */
export const unsettledDays = (platform: PlatformKey): number =>
  Math.ceil(Math.max(0, ...platformFigures[platform].channel.map(({ delayHours }) => delayHours)) / 24) + 2

/** Begins with every connected channel that can be read and isn't yet. */
export async function beginAccounts(
  tx: Tx,
  readers: Readers,
  accepted: readonly PlatformKey[],
  now: Date,
): Promise<void> {
  const rows = [...readers].flatMap(([platform, { series, snapshot, audience }]) => {
    const today = dayAt(platform, now)
    const recent = addDays(today, 1 - unsettledDays(platform))
    return [
      ...(series || snapshot ? [{ platform, kind: 'days', read_to: recent, until_day: null }] : []),
      ...(audience ? [{ platform, kind: 'audience', read_to: null, until_day: null }] : []),
      ...(series
        ? [
            {
              platform,
              kind: 'history',
              read_to: recent,
              until_day: firstDay(platform, accepted, today),
            },
          ]
        : []),
    ]
  })
  if (rows.length === 0) return
  await sql`
    insert into insight_sync (org_id, channel_id, kind, read_to, until_day, next_at)
    select c.org_id, c.id, n.kind, n.read_to, n.until_day, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(platform text, kind text, read_to date, until_day date)
    join channel c on c.platform = n.platform
    where c.status = 'CONNECTED' and c.deleted_at is null
      and not exists (select from insight_sync s where s.org_id = c.org_id and s.channel_id = c.id and s.kind = n.kind)
    on conflict (org_id, channel_id, kind) do nothing`.execute(tx)
}

/**
 * Takes due readings for half an hour: days first, then audiences, history last. Channels that aren't connected keep their time, and
 * so do those of platforms that can't be read. A new sign-in gives a reading that lacked rights another try, and a spending limit one
 * of a platform that charges.
 */
export async function claimAccounts(tx: Tx, readers: Readers, now: Date): Promise<Sync[]> {
  const { rows } = await sql<Sync>`
    with due as (
      select s.org_id, s.channel_id, s.kind from insight_sync s join channel c on c.org_id = s.org_id and c.id = s.channel_id
      where c.status = 'CONNECTED' and c.deleted_at is null and c.platform = any(${[...readers.keys()]}::text[])
        and (
          s.next_at <= ${now} or (s.state = 'rights' and c.connected_at > s.read_at)
          or (s.state = 'off' and exists (select from inbox_cost b where b.org_id = s.org_id and b.platform = c.platform and b.monthly_limit is not null))
        )
      order by case s.kind when 'days' then 1 when 'audience' then 2 else 3 end, s.next_at limit ${MOST} for no key update of s skip locked
    ), taken as (
      update insight_sync s set next_at = ${new Date(now.getTime() + LEASE_MS)}, tries = s.tries + 1
      from due where s.org_id = due.org_id and s.channel_id = due.channel_id and s.kind = due.kind returning s.*
    )
    select t.org_id, t.channel_id, t.kind, t.read_to::text, t.until_day::text, t.tries, c.platform, c.remote_id, c.handle, c.service,
      coalesce(l.credentials, 'own') as credentials, k.key_id, k.sealed, k.version as secret_version, k.expires_at as secret_expires_at
    from taken t join channel c on c.org_id = t.org_id and c.id = t.channel_id
    left join lane l on l.org_id = c.org_id and l.channel_id = c.id left join channel_secret k on k.org_id = c.org_id and k.channel_id = c.id
    order by case t.kind when 'days' then 1 when 'audience' then 2 else 3 end`.execute(tx)
  return rows.map((row) => ({ ...row, platform: PlatformKey.parse(row.platform) }))
}
