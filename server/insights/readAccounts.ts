import { sql } from 'kysely'
import { MOST_FIGURE } from '#contract/metrics.ts'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { because } from '#contract/failures/catalog.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { closeTokens, takeTokens } from '../delivery/budgets.ts'
import { storable } from '../delivery/storable.ts'
import { isLost, setAside, settle } from '../inbox/costs.ts'
import type { JobContext } from '../jobs/job.ts'
import type { AccountFigures, AudienceBucket, FigureDay, LacksRights } from '../platforms/account.ts'
import type { Refusal } from '../platforms/platform.ts'
import {
  addDays,
  beginAccounts,
  claimAccounts,
  dayAt,
  daysFrom,
  unsettledDays,
  type AccountSync,
  type Readers,
} from './claimAccounts.ts'
import { openChannel } from './openChannel.ts'
import type { MetricsDeps } from './readMetrics.ts'
import { finishSync, putOffSync } from './syncs.ts'

/*
 * Channels' own figures: each day the last days again, since platforms correct them, with the current values; once a week who the
 * followers are; and the history that the platform still has, backwards, in its own steps. Readings only read: one that a killed
 * worker never finished is done again, and a later value of a day replaces the earlier one.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Readings at the same time: a server that never responds blocks one of them, not everyone's figures. */
const AT_ONCE = 5
const NEXT_MS = { days: DAY, audience: 7 * DAY, history: 0 } as const
/** Windows of several days that one reading takes at most. */
const MOST_WINDOWS = 3
/** History leaves half of each rate limit to everything else. */
const LEFT_BY_HISTORY = 0.5

export type AccountDeps = MetricsDeps & {
  /** Platforms whose further terms the operator has accepted. */
  accepted: readonly PlatformKey[]
}

/** Reads the figures of channels whose time has come, in all organizations. Returns how many readings succeeded. */
export async function readDueAccounts(deps: AccountDeps, context: JobContext): Promise<number> {
  const { databases, clock, log, signal } = context
  const readers: Readers = new Map(
    platformKeys.flatMap((key): [PlatformKey, AccountFigures][] => {
      const account = deps.platforms(key)?.account
      return account ? [[key, account]] : []
    }),
  )
  const claimed = await asSystem(databases.system, async (tx) => {
    await beginAccounts(tx, readers, deps.accepted, clock.now())
    return await claimAccounts(tx, readers, clock.now())
  })
  let read = 0
  const place = async (waiting: Iterable<AccountSync>) => {
    for (const sync of waiting) {
      if (signal.aborted) return
      try {
        if (await readAccount(deps, context, sync)) read += 1
      } catch (error) {
        log.error({ err: error, channelId: sync.channel_id }, "a channel's figures couldn't be read")
      }
    }
  }
  // history takes what the others leave of the rate limits
  for (const isHistory of [false, true]) {
    const waiting = claimed.filter(({ kind }) => (kind === 'history') === isHistory).values()
    await Promise.all(Array.from({ length: AT_ONCE }, () => place(waiting)))
  }
  return read
}

type Found = { days: readonly FigureDay[]; audience: readonly AudienceBucket[] }
type Read = { kind: 'found'; found: Found } | LacksRights | Refusal

async function readAccount(deps: AccountDeps, context: JobContext, sync: AccountSync): Promise<boolean> {
  const { databases, clock } = context
  const platform = deps.platforms(sync.platform)
  const opened = platform && (await openChannel(deps, context, platform, sync))
  if (!platform?.account || !opened) return false
  const today = dayAt(sync.platform, clock.now())
  const range = rangeOf(platform.account, sync, today)
  const windows = windowDays(platform.account, sync, { range, today })
  const times = callsOf(platform.account, sync, { range, windows })
  const turn = await asSystem(
    databases.system,
    (tx) =>
      takeTokens(tx, platform, 'metrics', opened.caller, clock.now(), {
        times,
        ...(sync.kind === 'history' && { leave: LEFT_BY_HISTORY }),
      }),
    { durable: false },
  )
  if (turn.kind === 'later') {
    await asSystem(databases.system, (tx) => putOffSync(tx, sync, turn.at))
    return false
  }
  const price = platformFigures[sync.platform].readPrices?.account
  const allowed = price === undefined ? undefined : await payFor(context, sync, price)
  if (allowed && allowed.kind !== 'allowed') {
    const isOff = allowed.kind === 'off'
    const at = isOff ? new Date(clock.now().getTime() + DAY) : allowed.until
    await asSystem(databases.system, (tx) =>
      putOffSync(tx, sync, at, { state: isOff ? 'off' : 'late', problem: allowed.reason }),
    )
    return false
  }
  const answer: Read = storable(await ask(platform.account, opened, sync, { range, today, windows }))
  if (allowed && price !== undefined && !isLost(answer))
    await asSystem(databases.system, (tx) =>
      settle(tx, { orgId: sync.org_id, platform: sync.platform }, allowed, {
        items: answer.kind === 'found' ? 1 : 0,
        price,
      }),
    )
  await asSystem(databases.system, async (tx) => {
    const now = clock.now()
    if (answer.kind === 'found') return await keep(tx, sync, answer.found, { range, today, now })
    if (answer.kind === 'rights') {
      const problem = because('figures-need-rights', { platform: platformLabel(sync.platform) })
      // until someone reconnects
      return await finishSync(tx, sync, { state: 'rights', problem, next_at: null, read_at: now })
    }
    if (answer.kind === 'retry') await closeTokens(tx, platform, 'metrics', opened.caller, answer, now)
    const least = answer.kind === 'rejected' ? DAY : HOUR * 2 ** Math.min(sync.tries - 1, 4)
    const asked = answer.kind === 'retry' ? (answer.afterSeconds ?? 0) * 1000 : 0
    await putOffSync(tx, sync, new Date(now.getTime() + Math.min(Math.max(least, asked), DAY)), {
      state: 'late',
      problem: answer.reason,
    })
  })
  return answer.kind === 'found'
}

/** The days of a reading, both included; null where there is nothing to read by day. */
function rangeOf({ series }: AccountFigures, sync: AccountSync, today: string): { from: string; to: string } | null {
  if (!series || sync.kind === 'audience') return null
  if (sync.kind === 'days') {
    // after an outage, from where the last reading ended
    const recent = addDays(today, 1 - unsettledDays(sync.platform))
    const from = sync.read_to !== null && sync.read_to < recent ? sync.read_to : recent
    const last = addDays(from, series.mostDays - 1)
    return { from, to: last < today ? last : today }
  }
  if (sync.read_to === null || sync.until_day === null || sync.read_to <= sync.until_day) return null
  const from = addDays(sync.read_to, -series.mostDays)
  return { from: from < sync.until_day ? sync.until_day : from, to: addDays(sync.read_to, -1) }
}

/**
 * The days on which the windows that are read end, the newest last: those that became final since the last reading. What becomes
 * final later is missing from windows that were read earlier, and reading them again would cost as many calls each day.
 */
function windowDays({ windows }: AccountFigures, sync: AccountSync, { range, today }: Days): string[] {
  // after an outage, once the newest days are read
  if (!windows || sync.kind !== 'days' || !range || range.to < today) return []
  const last = addDays(today, 1 - unsettledDays(sync.platform))
  const first = addDays(last, 1 - MOST_WINDOWS)
  return daysFrom(range.from > first ? range.from : first, last)
}

type Days = { range: { from: string; to: string } | null; today: string }

function callsOf(
  { series, snapshot, windows }: AccountFigures,
  { kind }: AccountSync,
  { range, windows: ends }: { range: Days['range']; windows: readonly string[] },
): number {
  const days = range ? daysFrom(range.from, range.to).length : 0
  const ofSeries = series && range ? series.calls(days) : 0
  return Math.max(1, ofSeries + (windows ? windows.calls * ends.length : 0) + (kind === 'days' && snapshot ? 1 : 0))
}

const payFor = ({ databases, clock }: JobContext, { org_id: orgId, platform }: AccountSync, price: number) =>
  asSystem(databases.system, (tx) => setAside(tx, { orgId, platform }, { price, most: 1, least: 1 }, clock.now()))

type Opened = NonNullable<Awaited<ReturnType<typeof openChannel>>>

async function ask(
  { series, snapshot, audience, windows }: AccountFigures,
  { reach, secret, account }: Opened,
  { kind }: AccountSync,
  { range, today, windows: ends }: Days & { windows: readonly string[] },
): Promise<Read> {
  const found = { days: new Array<FigureDay>(), audience: new Array<AudienceBucket>() }
  if (kind === 'audience') {
    const answer = await audience?.(reach, secret, account, today)
    if (answer && answer.kind !== 'audience') return answer
    found.audience.push(...(answer?.buckets ?? []))
    return { kind: 'found', found }
  }
  if (kind === 'days' && snapshot) {
    const answer = await snapshot(reach, secret, account)
    if (answer.kind !== 'snapshot') return answer
    found.days.push({ day: today, figures: answer.figures })
  }
  if (series && range) {
    const answer = await series.read(reach, secret, account, range)
    // what is known without the right is kept
    if (answer.kind === 'rights' && found.days.length > 0) return { kind: 'found', found }
    if (answer.kind !== 'series') return answer
    found.days.push(...answer.days.filter(({ day }) => day >= range.from && day <= range.to))
  }
  for (const day of ends) {
    const answer = await windows?.read(reach, secret, account, day)
    if (answer?.kind === 'retry' || answer?.kind === 'reconnect') return answer
    // other refusals don't keep the days
    if (answer?.kind === 'windows') found.days.push({ day, figures: answer.figures })
  }
  return { kind: 'found', found }
}

type Reading = Days & { now: Date }

/** Keeps what was found and when to read next. Days of the history never replace later readings. */
async function keep(
  tx: Tx,
  sync: AccountSync,
  { days, audience }: Found,
  { range, today, now }: Reading,
): Promise<void> {
  await keepFigures(tx, sync, days, now)
  if (audience.length > 0)
    await sql`
      with old as (delete from audience where org_id = ${sync.org_id} and channel_id = ${sync.channel_id} and day = ${today}::date)
      insert into audience (org_id, channel_id, day, breakdown, bucket, value)
      select ${sync.org_id}, ${sync.channel_id}, ${today}::date, a.breakdown, a.bucket, sum(a.value)::bigint
      from jsonb_to_recordset(${JSON.stringify(audience)}::jsonb) as a(breakdown text, bucket text, value bigint)
      group by a.breakdown, a.bucket
      on conflict (org_id, channel_id, breakdown, day, bucket) do update set value = excluded.value`.execute(tx)
  if (sync.kind === 'days' && range && range.to < today)
    return await finishSync(tx, sync, { state: 'reading', next_at: now, read_at: now, read_to: addDays(range.to, 1) })
  if (sync.kind === 'days' && range)
    return await finishSync(tx, sync, {
      state: 'done',
      next_at: new Date(now.getTime() + NEXT_MS.days),
      read_at: now,
      read_to: addDays(today, 2 - unsettledDays(sync.platform)),
    })
  if (sync.kind !== 'history')
    return await finishSync(tx, sync, {
      state: 'done',
      next_at: new Date(now.getTime() + NEXT_MS[sync.kind]),
      read_at: now,
    })
  const isDone = range === null || sync.until_day === null || range.from <= sync.until_day
  await finishSync(tx, sync, {
    state: isDone ? 'done' : 'reading',
    next_at: isDone ? null : now,
    read_at: now,
    ...(range && { read_to: range.from }),
  })
}

async function keepFigures(tx: Tx, sync: AccountSync, days: readonly FigureDay[], now: Date): Promise<void> {
  const told = new Set<string>(platformFigures[sync.platform].channel.map(({ name }) => name))
  const rows = days.flatMap(({ day, figures }) =>
    Object.entries(figures).flatMap(([name, value]) =>
      told.has(name) && Math.abs(value) <= MOST_FIGURE ? [{ day, name, value: Math.round(value) }] : [],
    ),
  )
  if (rows.length === 0) return
  await sql`
    insert into channel_figure (org_id, channel_id, day, name, value, read_at)
    select distinct on (f.day, f.name) ${sync.org_id}, ${sync.channel_id}, f.day, f.name, f.value, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f(day date, name text, value bigint)
    on conflict (org_id, channel_id, name, day) do update set value = excluded.value, read_at = excluded.read_at
    where ${sync.kind !== 'history'}`.execute(tx)
}
