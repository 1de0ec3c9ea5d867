import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { IMPORTED_AT_FIRST } from '#contract/analytics/collecting.ts'
import { because } from '#contract/failures/catalog.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { closeTokens, takeTokens } from '../delivery/budgets.ts'
import { storable } from '../delivery/storable.ts'
import { isLost, setAside, settle } from '../inbox/costs.ts'
import type { JobContext } from '../jobs/job.ts'
import type { FoundPost, OwnPosts } from '../platforms/ownPosts.ts'
import type { Platform } from '../platforms/platform.ts'
import { keepFound } from './foundPosts.ts'
import { openChannel, READ_MS } from './openChannel.ts'
import type { MetricsDeps } from './readMetrics.ts'
import { claimSyncs, finishSync, LEASE_MS, putOffSync, type Sync } from './syncs.ts'

/*
 * Posts that were published elsewhere, from the channels' own lists: the newest ones when a channel is connected, page by page, and
 * once a day what is new since then. A page and how far it got are kept in one transaction, so a killed worker's page is read again and
 * nothing is there twice. Readings wait for everything else.
 */

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
/** Channels in one run. */
const CHANNELS = 50
/** Parallel readings: a server that never responds blocks one of them. */
const AT_ONCE = 3
/** Pages of one channel in a run, and at most for what is new. */
const PAGES = 5
/** Imports leave half of each rate limit to everything else. */
const LEFT_BY_IMPORT = 0.5
/** Where each post costs money: how many are read at a time to see what is new, and the fewest that may be asked for. */
const PAID_LOOK = 10
const PAID_LEAST = 5
/** Posts whose figures are first read in one run of the readings: imported ones never keep those of new posts waiting. */
const FIRST_READ_AT_ONCE = 10
const RUN_MINUTES = 10

type PostSync = Sync<'posts'>
type Answer = Awaited<ReturnType<OwnPosts['list']>>
type Lists = ReadonlyMap<PlatformKey, OwnPosts>

/** The platforms that list an account's posts. */
export const listing = (platforms: MetricsDeps['platforms']): Lists =>
  new Map(
    platformKeys.flatMap((key): [PlatformKey, OwnPosts][] => {
      const own = platforms(key)?.ownPosts
      return own ? [[key, own]] : []
    }),
  )

/** Reads the lists whose time has come, in all organizations. Returns how many channels were read. */
export async function readOwnPosts(deps: MetricsDeps, context: JobContext): Promise<number> {
  const { databases, clock, log, signal } = context
  const platforms = [...listing(deps.platforms).keys()]
  const claimed = await asSystem(databases.system, async (tx) => {
    await beginImports(tx, platforms, clock.now())
    return await claimSyncs(tx, { kinds: ['posts'], platforms, most: CHANNELS }, clock.now())
  })
  let read = 0
  const waiting = claimed.values()
  const place = async () => {
    for (const sync of waiting) {
      if (signal.aborted) return
      try {
        if (await readChannel(deps, context, sync)) read += 1
      } catch (error) {
        log.error({ err: error, channelId: sync.channel_id }, "a channel's posts couldn't be read")
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, place))
  return read
}

/** Begins with every connected channel whose platform lists posts and that wasn't read yet. */
async function beginImports(tx: Tx, platforms: readonly PlatformKey[], now: Date): Promise<void> {
  await sql`
    insert into insight_sync (org_id, channel_id, kind, wanted, imported, next_at)
    select c.org_id, c.id, 'posts', ${IMPORTED_AT_FIRST}, 0, ${now} from channel c
    where c.status = 'CONNECTED' and c.deleted_at is null and c.platform = any(${[...platforms]}::text[])
      and not exists (select from insight_sync s where s.org_id = c.org_id and s.channel_id = c.id and s.kind = 'posts')
    on conflict (org_id, channel_id, kind) do nothing`.execute(tx)
}

/** How far the import of a channel got. */
type Progress = { cursor: string | null; imported: number; wanted: number }
const leftOf = ({ imported, wanted }: Progress): number => Math.max(0, wanted - imported)

async function readChannel(deps: MetricsDeps, context: JobContext, sync: PostSync): Promise<boolean> {
  const { databases, clock, signal } = context
  const platform = deps.platforms(sync.platform)
  const opened = platform && (await openChannel(deps, context, platform, sync))
  if (!platform?.ownPosts || !opened) return false
  const { secret, account, caller } = opened
  const reader = { ...context, platform, own: platform.ownPosts, sync }
  let progress: Progress = { cursor: sync.cursor, imported: sync.imported ?? 0, wanted: sync.wanted ?? 0 }
  const isImport = leftOf(progress) > 0
  // what is new is looked for from the newest post on, wherever the import ended
  let cursor = isImport ? progress.cursor : null
  for (let page = 1; ; page++) {
    const turn = await mayRead(reader, caller, leftOf(progress))
    if (turn.kind === 'no') return page > 1
    const reach = { ...opened.reach, signal: AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]) }
    const ask = { cursor, ...(turn.most !== undefined && { atMost: turn.most }) }
    const answer: Answer = storable(await platform.ownPosts.list(reach, secret, account, ask))
    await turn.settle(answer)
    if (answer.kind !== 'posts') {
      await asSystem(databases.system, async (tx) => {
        if (answer.kind === 'retry') await closeTokens(tx, platform, 'ownPosts', caller, answer, clock.now())
        await refused(tx, sync, answer, { isLost: isImport && cursor !== null, now: clock.now() })
      })
      return page > 1
    }
    const { posts, next } = answer
    const before = progress.imported
    if (isImport) progress = { ...progress, cursor: next, imported: before + posts.length }
    const isDone = next === null || (isImport ? leftOf(progress) === 0 : page === PAGES || isKnownFrom(posts, sync))
    const at = { ...progress, isImport, isNewest: cursor === null, isDone, isLast: isDone || page === PAGES }
    await asSystem(databases.system, async (tx) => {
      const now = clock.now()
      await keepFound(tx, sync, posts, { now, afterMinutes: firstReadings(platform, isImport ? before : 0) })
      await keepProgress(tx, sync, at, now)
    })
    if (at.isLast) return true
    cursor = next
  }
}

/** Whether a page reaches back to what was looked at the day before. */
const isKnownFrom = (posts: readonly FoundPost[], { read_to: from }: PostSync): boolean =>
  from !== null && posts.some(({ publishedAt }) => publishedAt.getTime() < Date.parse(from))

/** Spreads the first readings of a page of posts, of which `before` were imported earlier. */
const firstReadings = ({ metrics }: Platform, before: number) => {
  const each = Math.max(FIRST_READ_AT_ONCE, metrics?.most ?? 1)
  return (nth: number) => Math.floor((before + nth) / each) * RUN_MINUTES
}

type Turn =
  | { kind: 'no' }
  | {
      kind: 'yes'
      /** How many posts may be read, where they cost money. */
      most: number | undefined
      settle: (answer: Answer) => Promise<void>
    }

/** Takes what a page costs of the rate limits and, where the platform charges, of the organization's limit. */
async function mayRead(
  { databases, clock, platform, own, sync }: JobContext & { platform: Platform; own: OwnPosts; sync: PostSync },
  caller: Parameters<typeof takeTokens>[3],
  left: number,
): Promise<Turn> {
  const turn = await asSystem(
    databases.system,
    (tx) => takeTokens(tx, platform, 'ownPosts', caller, clock.now(), left > 0 ? { leave: LEFT_BY_IMPORT } : {}),
    { durable: false },
  )
  if (turn.kind === 'later') {
    await asSystem(databases.system, (tx) => putOffSync(tx, sync, turn.at))
    return { kind: 'no' }
  }
  const price = platformFigures[sync.platform].readPrices?.post
  if (price === undefined) return { kind: 'yes', most: undefined, settle: async () => undefined }
  const of = { orgId: sync.org_id, platform: sync.platform }
  const most = Math.max(PAID_LEAST, Math.min(own.most, left > 0 ? left : PAID_LOOK))
  const allowed = await asSystem(databases.system, (tx) =>
    setAside(tx, of, { price, most, least: PAID_LEAST }, clock.now()),
  )
  if (allowed.kind !== 'allowed') {
    const isOff = allowed.kind === 'off'
    const at = isOff ? new Date(clock.now().getTime() + DAY) : allowed.until
    await asSystem(databases.system, (tx) =>
      putOffSync(tx, sync, at, { state: isOff ? 'off' : 'late', problem: allowed.reason }),
    )
    return { kind: 'no' }
  }
  const settled = async (answer: Answer) => {
    if (isLost(answer)) return
    // a full page is charged for, also what an adapter leaves out of it
    const items = answer.kind !== 'posts' ? 0 : answer.next === null ? answer.posts.length : allowed.most
    await asSystem(databases.system, (tx) => settle(tx, of, allowed, { items, price }))
  }
  return { kind: 'yes', most: allowed.most, settle: settled }
}

type Refused = Exclude<Answer, { kind: 'posts' }>

async function refused(
  tx: Tx,
  sync: PostSync,
  answer: Refused,
  { isLost: isPlaceLost, now }: { isLost: boolean; now: Date },
): Promise<void> {
  if (answer.kind === 'rights') {
    const problem = because('figures-need-rights', { platform: platformLabel(sync.platform) })
    // until someone reconnects
    return await finishSync(tx, sync, { state: 'rights', problem, next_at: null, read_at: now })
  }
  // a place in a list may be forgotten: from the newest post again
  if (answer.kind === 'rejected' && isPlaceLost)
    return await finishSync(tx, sync, {
      state: 'reading',
      next_at: new Date(now.getTime() + DAY),
      read_at: now,
      cursor: null,
      imported: 0,
    })
  const least = answer.kind === 'rejected' ? DAY : HOUR * 2 ** Math.min(sync.tries - 1, 4)
  const asked = answer.kind === 'retry' ? (answer.afterSeconds ?? 0) * 1000 : 0
  await putOffSync(tx, sync, new Date(now.getTime() + Math.min(Math.max(least, asked), DAY)), {
    state: 'late',
    problem: answer.reason,
  })
}

type Page = Progress & { isImport: boolean; isNewest: boolean; isDone: boolean; isLast: boolean }

/** Keeps how far a page got. What is new is next looked for from the day before this look on. */
async function keepProgress(
  tx: Tx,
  sync: PostSync,
  { cursor, imported, wanted, isImport, isNewest, isDone, isLast }: Page,
  now: Date,
): Promise<void> {
  const from = new Date(now.getTime() - DAY).toISOString().slice(0, 10)
  const next = isDone ? DAY : isLast ? 0 : LEASE_MS
  await finishSync(tx, sync, {
    state: isDone ? 'done' : 'reading',
    next_at: new Date(now.getTime() + next),
    read_at: now,
    ...(isImport && { cursor, imported, wanted: isDone ? imported : wanted }),
    ...((isImport ? isNewest : isDone) && { read_to: from }),
  })
}
