import { randomUUIDv7 } from 'node:crypto'
import { because, type Reason } from '#contract/failures/catalog.ts'
import { inboxRules, readPriceOf } from '#contract/platforms/inboxRegistry.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { Apps } from '../apps/apps.ts'
import { asSystem } from '../db/system.ts'
import { closeTokens, takeTokens } from '../delivery/budgets.ts'
import { storable } from '../delivery/storable.ts'
import { freshSecret, sourceFor } from '../delivery/refresh.ts'
import type { SecretKeys } from '../delivery/secrets.ts'
import type { JobContext } from '../jobs/job.ts'
import type { Cursor, Inbox, ReadAnswer } from '../platforms/inbox.ts'
import type { Platform, Refusal, Secret } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { dueAfter, readingInterval } from './cadence.ts'
import { isLost, setAside, settle, type Allowance } from './costs.ts'
import {
  beginReadings,
  claimReadings,
  endReading,
  moveCursor,
  READING_LEASE_MS,
  type Reading,
  type ReadingResult,
} from './claimReadings.ts'
import { notifyReceived } from './notifyReceived.ts'
import { readSooner } from './readSooner.ts'
import { applyChanges } from './store.ts'
import { subscribeChannel } from './subscribe.ts'

/*
 * Reading what people wrote to channels. What platforms send by themselves only makes it faster: reading finds what was
 * missed. A reading goes page by page, and keeps what a page brought together with where the next one begins, so that a
 * killed worker loses nothing and repeats at most one page, which changes nothing.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The first reading goes back this far. */
const FIRST_MS = 30 * DAY
/** Pages of one turn; the rest follows with the next one, at once. */
const PAGES = 10
const AT_ONCE = 5
/** A reading that fails is told as late after this long. */
const LATE_MS = HOUR
const LONGEST_WAIT_MS = 6 * HOUR
/** Between two looks whether someone has reconnected the channel with the rights that it lacks. */
const SIGN_IN_MS = 15 * MINUTE

export type ReadingDeps = {
  /** Platforms are asked to notify us only where they can reach us. */
  env?: { publicUrl: string }
  platforms: (key: PlatformKey) => Platform | undefined
  secrets: SecretKeys
  fetch: SafeFetch
  apps: Pick<Apps, 'ofChannel'>
}

/** The job that reads what is due; what makes a reading due enqueues it. */
export const READ = { name: 'inbox.read' }

/** Makes due what is wanted sooner than it was planned. */
export async function readWatchedSooner(
  { platforms }: Pick<ReadingDeps, 'platforms'>,
  { databases, clock }: Pick<JobContext, 'databases' | 'clock'>,
): Promise<void> {
  const paces = platformKeys.flatMap((platform) => {
    const inbox = platforms(platform)?.inbox
    return inbox ? [{ platform, leastMinutes: inbox.leastMinutes ?? 0 }] : []
  })
  await asSystem(databases.system, (tx) => readSooner(tx, paces, clock.now()))
}

/** Reads what is due, in whatever organization, up to READINGS_MOST. Returns how many readings it took up. */
export async function readDueInboxes(deps: ReadingDeps, context: JobContext): Promise<number> {
  const { databases, clock, log, signal } = context
  const readers = new Map(
    platformKeys.flatMap((key) => {
      const inbox = deps.platforms(key)?.inbox
      return inbox ? [[key, inbox.reads] as const] : []
    }),
  )
  if (readers.size === 0) return 0
  const readings = await asSystem(databases.system, async (tx) => {
    await beginReadings(tx, readers, clock.now())
    return await claimReadings(tx, readers, clock.now())
  })
  const waiting = readings.values()
  const place = async () => {
    for (const reading of waiting) {
      if (signal.aborted) return
      try {
        await readOne(deps, context, reading)
      } catch (error) {
        // it is due again when its lease is over
        log.error({ err: error, channelId: reading.channel_id, kind: reading.kind }, 'conversations could not be read')
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, place))
  return readings.length
}

type Turn = { isThrough: boolean; heardAt: Date | null; refused?: Refusal | Extract<ReadAnswer, { kind: 'closed' }> }

async function readOne(deps: ReadingDeps, context: JobContext, reading: Reading): Promise<void> {
  const { databases, clock } = context
  const platform = deps.platforms(reading.platform)
  const group = platform?.inbox?.reads.find(([leading]) => leading === reading.kind)
  if (!platform?.inbox || !group) return
  const end = (result: ReadingResult) =>
    asSystem(databases.system, (tx) => endReading(tx, reading, group, result, clock.now()))
  const pause = (milliseconds: number, state: ReadingResult['state'], trouble: Reason | null) =>
    end({
      nextAt: later(clock.now(), milliseconds),
      state,
      trouble,
      tries: reading.tries,
      isThrough: false,
      heardAt: null,
    })
  if (lacksRight(reading, group))
    return await pause(
      SIGN_IN_MS,
      'reconnect',
      because('inbox-permission-missing', { platform: platformLabel(platform.key) }),
    )
  const fresh = await secretOf(deps, context, platform, reading)
  // publishing and the daily look tell people of a dead sign-in
  if (fresh.kind !== 'fresh')
    return await pause(fresh.kind === 'wait' ? MINUTE : HOUR, lateness(reading, clock.now()), fresh.reason)
  const first = await readPages(deps, context, { platform, inbox: platform.inbox, reading, secret: fresh.secret })
  const turn =
    first.refused?.kind === 'retry' && first.refused.first === 'renew'
      ? await again(deps, context, platform, platform.inbox, reading, first)
      : first
  await end(resultOf(turn, platform, reading, clock.now()))
}

/** A right that reading needs was asked for and not given. */
function lacksRight({ platform, missing_rights: missing }: Reading, group: readonly ConversationKind[]): boolean {
  const needed = new Set(group.flatMap((kind) => inboxRules[platform].kinds[kind]?.needs ?? []))
  return missing.some((right) => needed.has(right))
}

function secretOf(
  deps: ReadingDeps,
  { databases, clock, signal }: JobContext,
  platform: Platform,
  reading: Reading,
  force = false,
) {
  const source = sourceFor(deps, { databases, clock, signal }, 'inbox')
  return freshSecret(source, platform, { ...reading, attempt_id: randomUUIDv7() }, accountOf(reading), force)
}

const accountOf = ({ remote_id: remoteId, handle, service }: Reading) => ({ remoteId, handle, service })

/** Once more with a new token, where the platform refused the old one. */
async function again(
  deps: ReadingDeps,
  context: JobContext,
  platform: Platform,
  inbox: Inbox,
  reading: Reading,
  before: Turn,
): Promise<Turn> {
  const renewed = await secretOf(deps, context, platform, reading, true)
  return renewed.kind === 'fresh'
    ? await readPages(deps, context, { platform, inbox, reading, secret: renewed.secret })
    : before
}

type Work = { platform: Platform; inbox: Inbox; reading: Reading; secret: Secret }

async function readPages(
  deps: ReadingDeps,
  context: JobContext,
  { platform, inbox, reading, secret }: Work,
): Promise<Turn> {
  const { databases, clock, signal } = context
  const app = await deps.apps.ofChannel(reading.org_id, reading.channel_id)
  const reach = {
    fetch: deps.fetch,
    signal: AbortSignal.any([signal, AbortSignal.timeout(READING_LEASE_MS - 10_000)]),
    ...(app && app !== 'gone' && { app }),
  }
  const caller = { channelId: reading.channel_id, credentials: reading.credentials, service: reading.service }
  const channel = {
    orgId: reading.org_id,
    projectId: reading.project_id,
    channelId: reading.channel_id,
    platform: reading.platform,
  }
  const ask = {
    kind: reading.kind,
    since: later(reading.began_at, -FIRST_MS),
    posts: reading.posts.map(({ remote_id: remoteId, published_at: publishedAt }) => ({ remoteId, publishedAt })),
  }
  // written by the adapter that reads it, as an object
  let cursor = reading.cursor as Cursor | null
  const turn: Turn = { isThrough: false, heardAt: null }
  for (let page = 0; page < PAGES; page++) {
    const budget = await asSystem(databases.system, (tx) => takeTokens(tx, platform, 'inbox', caller, clock.now()), {
      durable: false,
    })
    if (budget.kind === 'later') {
      const afterSeconds = Math.max(0, (budget.at.getTime() - clock.now().getTime()) / 1000)
      const reason = because('inbox-quota-used-up', { platform: platformLabel(platform.key) })
      return { ...turn, refused: { kind: 'retry', afterSeconds, reason } }
    }
    const price = readPriceOf(reading.platform)
    const allowance =
      price === null || !inbox.pays
        ? undefined
        : await asSystem(databases.system, (tx) =>
            setAside(tx, channel, { price, ...(inbox.pays ?? { most: 0, least: 1 }) }, clock.now()),
          )
    if (allowance && allowance.kind !== 'allowed') return { ...turn, refused: unpaid(allowance, clock.now()) }
    const answer = storable(
      await inbox.read(reach, secret, accountOf(reading), {
        ...ask,
        cursor,
        now: clock.now(),
        ...(allowance && { most: allowance.most }),
      }),
    )
    if (allowance && price !== null && !isLost(answer)) {
      const items = answer.kind === 'read' ? (answer.charged ?? allowance.most) : 0
      await asSystem(databases.system, (tx) => settle(tx, channel, allowance, { items, price }))
    }
    if (answer.kind !== 'read') {
      if (answer.kind === 'retry')
        await asSystem(databases.system, (tx) => closeTokens(tx, platform, 'inbox', caller, answer, clock.now()))
      return { ...turn, refused: answer }
    }
    const stored = await asSystem(databases.system, async (tx) => {
      const now = clock.now()
      if (!(await moveCursor(tx, reading, answer.cursor))) return undefined
      const applied = await applyChanges(tx, channel, answer.changes, {
        now,
        first: reading.first,
        began: reading.began_at,
      })
      await notifyReceived(tx, channel, applied.received, now)
      return applied
    })
    if (!stored) return turn
    if (stored.changed.length > 0) turn.heardAt = clock.now()
    cursor = answer.cursor
    if (answer.more) continue
    if (deps.env?.publicUrl.startsWith('https://'))
      await subscribeChannel(context, { keys: deps.secrets, publicUrl: deps.env.publicUrl }, platform, reading, {
        reach,
        secret,
        account: accountOf(reading),
      })
    return { ...turn, isThrough: true }
  }
  return turn
}

/** Nothing is read without a limit, and once it's reached. */
const unpaid = (allowance: Exclude<Allowance, { kind: 'allowed' }>, now: Date): NonNullable<Turn['refused']> =>
  allowance.kind === 'off'
    ? { kind: 'closed', reason: allowance.reason, reconnect: false }
    : { kind: 'retry', afterSeconds: (allowance.until.getTime() - now.getTime()) / 1000, reason: allowance.reason }

function resultOf(
  { isThrough, heardAt, refused }: Turn,
  platform: Platform,
  reading: Reading,
  now: Date,
): ReadingResult {
  if (!refused) {
    const activity = {
      postedAt: reading.posts[0]?.published_at ?? null,
      heardAt: heardAt ?? reading.heard_at,
      pushedAt: reading.pushed_at,
      isWatched: reading.is_watched,
    }
    const least = (platform.inbox?.leastMinutes ?? 0) * MINUTE
    const nextAt = isThrough ? dueAfter(now, Math.max(least, readingInterval(activity, now))) : now
    return { nextAt, state: 'reading', trouble: null, tries: 0, isThrough, heardAt }
  }
  const base = { isThrough: false, heardAt, trouble: refused.reason, tries: reading.tries + 1 }
  // rights that this channel's sign-in doesn't have: someone may reconnect it, and then it is a new one
  if (refused.kind === 'closed')
    return {
      ...base,
      tries: 0,
      state: refused.reconnect ? 'reconnect' : 'none',
      nextAt: later(now, refused.reconnect ? SIGN_IN_MS : DAY),
    }
  if (refused.kind === 'reconnect') return { ...base, tries: 0, state: 'reconnect', nextAt: later(now, SIGN_IN_MS) }
  const named = refused.kind === 'retry' ? (refused.afterSeconds ?? 0) * 1000 : 0
  const growing = Math.min(MINUTE * 2 ** Math.min(reading.tries, 8), LONGEST_WAIT_MS)
  const wait = Math.max(named, refused.kind === 'retry' ? growing : Math.max(growing, HOUR))
  const nextAt = later(now, Math.min(wait, DAY))
  return { ...base, nextAt, state: lateness(reading, nextAt) }
}

/** What will not have been read for an hour is late. */
const lateness = ({ read_at: readAt, began_at: beganAt }: Reading, by: Date): 'reading' | 'late' =>
  by.getTime() - (readAt ?? beganAt).getTime() > LATE_MS ? 'late' : 'reading'

const later = (from: Date, milliseconds: number): Date => new Date(from.getTime() + milliseconds)
