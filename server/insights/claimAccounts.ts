import { sql } from 'kysely'
import { platformFigures, termsOf } from '#contract/analytics/catalog/catalog.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { AccountFigures } from '../platforms/account.ts'
import { claimSyncs, type Sync } from './syncs.ts'

export type AccountSync = Sync<'days' | 'audience' | 'history'>

export type Readers = ReadonlyMap<PlatformKey, AccountFigures>

/** Readings of one run, over all organizations. */
const MOST = 100
const DAY_MS = 86_400_000

/** The platform's day at an instant. */
export const dayAt = (platform: PlatformKey, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: platformFigures[platform].zone }).format(at)
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
/** The days from one to another, both included. */
export const daysFrom = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, (Date.parse(to) - Date.parse(from)) / DAY_MS + 1) }, (_, i) => addDays(from, i))

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

/** Takes due readings: days first, then audiences, history last. */
export const claimAccounts = (tx: Tx, readers: Readers, now: Date): Promise<AccountSync[]> =>
  claimSyncs(tx, { kinds: ['days', 'audience', 'history'], platforms: [...readers.keys()], most: MOST }, now)
