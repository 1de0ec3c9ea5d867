import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { PostMetrics } from '#contract/metrics.ts'
import { PlatformKey, platformKeys, PostType } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import type { Metrics, Platform, Refusal } from '../platforms/platform.ts'
import { closeTokens, takeTokens } from '../delivery/budgets.ts'
import { storable } from '../delivery/storable.ts'
import { isLost, mayBeSpent, microsOf, setAside, settle } from '../inbox/costs.ts'
import { lockMeasured } from './lockMeasured.ts'
import { openChannel, type ChannelDeps, type ReadChannel } from './openChannel.ts'
import { nextReading, type Planned } from './readingPlan.ts'

/*
 * Reads the figures of published posts when the reading plan says so (readingPlan.ts). A reading only reads: one that a killed worker
 * never finished is done again. Posts are taken by channel, since each reading needs its sign-in. Calls are counted with those of
 * publishing, which goes first. Where the platform charges, the price of each post is set aside before it's read, within the limit
 * that the organization set for all readings of that platform.
 */

const HOUR = 60 * 60_000
/**
 * After a reading without a result, and after one that never finished. What is refused permanently is requested once a
 * day.
 */
const AGAIN_MS = HOUR
const LONGEST_WAIT_MS = 24 * HOUR
/** Channels in one run, and posts of one channel. */
const CHANNELS = 50
/** Parallel readings: a server that never responds blocks a few slots, not everyone's metrics. */
const AT_ONCE = 5
const POSTS = 200
/** What a post gained until its first reading counts if it's no older than this. */
const FRESH_MS = 48 * HOUR
/** How many readings are written at once where a call reads fewer. */
const WRITTEN_AT_ONCE = 25

export type MetricsDeps = ChannelDeps & { platforms: (key: PlatformKey) => Platform | undefined }

type Due = Omit<Planned, 'platform'> & { remote_id: string }
type DueChannel = ReadChannel & { zone: string; posts: Due[] }
/** A post that was read, with what was reported about it. */
type Told = { post: Due; figures: PostMetrics; /** Whether the platform still has it. */ isThere: boolean }

const priceOf = (platform: PlatformKey): number | undefined => platformFigures[platform].readPrices?.post

/** Reads the metrics of posts whose time has come, in all organizations. Returns for how many it stored some. */
export async function readDueMetrics(deps: MetricsDeps, context: JobContext): Promise<number> {
  const { databases, clock, log, signal } = context
  const able = platformKeys.filter((key) => deps.platforms(key)?.metrics !== undefined)
  const channels = await asSystem(databases.system, (tx) => takeDue(tx, able, clock.now()))
  let written = 0
  const waiting = channels.values()
  const place = async () => {
    for (const channel of waiting) {
      if (signal.aborted) return
      try {
        const read = await readChannel(deps, context, channel)
        written += read
      } catch (error) {
        log.error({ err: error, channelId: channel.channel_id }, "a channel's metrics couldn't be read")
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, place))
  return written
}

/**
 * Takes them for an hour: if this worker dies, they're read then. Posts keep their time while their channel is signed out, and while
 * nothing more may be spent on a platform that charges.
 */
async function takeDue(tx: Tx, able: readonly PlatformKey[], now: Date): Promise<DueChannel[]> {
  const charging = able.flatMap((platform) => {
    const price = priceOf(platform)
    return price === undefined ? [] : [{ platform, price: microsOf(price) }]
  })
  const { rows } = await sql<DueChannel>`
    with prices as (
      select * from jsonb_to_recordset(${JSON.stringify(charging)}::jsonb) as p(platform text, price int)
    ), channels as (
      select c.org_id, c.id, first.since
      from channel c cross join lateral (
        select p.metrics_at as since from measured_post p where p.org_id = c.org_id and p.channel_id = c.id and p.metrics_at <= ${now} order by p.metrics_at limit 1
      ) first
      where c.status = 'CONNECTED' and c.deleted_at is null and c.platform = any(${[...able]}::text[])
        and not exists (select from prices r where r.platform = c.platform and not ${mayBeSpent(sql`c.org_id`, sql`c.platform`, sql`r.price`, now)})
      order by first.since limit ${CHANNELS}
    ), due as (
      select d.org_id, d.id from channels c cross join lateral (
        select p.org_id, p.id from measured_post p where p.org_id = c.org_id and p.channel_id = c.id and p.metrics_at <= ${now} order by p.metrics_at limit ${POSTS} for no key update skip locked
      ) d
    ), taken as (
      update measured_post p set metrics_at = ${new Date(now.getTime() + AGAIN_MS)} from due where p.org_id = due.org_id and p.id = due.id returning p.*
    )
    select c.org_id, c.id as channel_id, c.platform, c.remote_id, c.handle, c.service, pr.zone, coalesce(l.credentials, 'own') as credentials, s.key_id, s.sealed, s.version as secret_version, s.expires_at as secret_expires_at,
      array_agg(json_build_object('id', t.id, 'remote_id', t.remote_id, 'post_type', t.post_type, 'published_at', t.published_at)) as posts
    from taken t join channel c on c.org_id = t.org_id and c.id = t.channel_id join project pr on pr.org_id = c.org_id and pr.id = c.project_id left join lane l on l.org_id = c.org_id and l.channel_id = c.id
    left join channel_secret s on s.org_id = c.org_id and s.channel_id = c.id
    group by c.org_id, c.id, pr.zone, l.credentials, s.key_id, s.sealed, s.version, s.expires_at`.execute(tx)
  return rows.map((row) => ({
    ...row,
    platform: PlatformKey.parse(row.platform),
    posts: row.posts.map((post) => ({ ...post, published_at: new Date(post.published_at) })),
  }))
}

/**
 * Reads one channel's posts, as many in a call as its platform takes, and writes what they report in batches. Returns how many
 * reported something. What wasn't read waits, at least as long as the platform says.
 */
async function readChannel(deps: MetricsDeps, context: JobContext, channel: DueChannel): Promise<number> {
  const { databases, clock } = context
  const platform = deps.platforms(channel.platform)
  if (!platform?.metrics) return 0
  const opened = await openChannel(deps, context, platform, channel)
  if (!opened) return 0
  const told: Told[] = []
  let written = 0
  const write = async () => {
    const batch = told.splice(0)
    if (batch.length > 0)
      written += await asSystem(databases.system, (tx) => keepFigures(tx, channel, batch, clock.now()))
  }
  let left = channel.posts
  while (left.length > 0) {
    const answer = await readBatch(context, channel, { ...opened, platform, metrics: platform.metrics }, left)
    if (answer.kind === 'later') {
      const rest = left
      await asSystem(databases.system, (tx) => putOff(tx, channel.org_id, rest, answer.at))
      break
    }
    left = left.slice(answer.told.length)
    told.push(...answer.told)
    if (told.length >= WRITTEN_AT_ONCE) await write()
  }
  await write()
  return written
}

type Opened = NonNullable<Awaited<ReturnType<typeof openChannel>>> & { platform: Platform; metrics: Metrics }

/** One call for the first of these posts: what each reported, or until when they all wait. */
async function readBatch(
  { databases, clock }: JobContext,
  { org_id: orgId, platform: key }: DueChannel,
  { reach, secret, account, caller, platform, metrics }: Opened,
  posts: readonly Due[],
): Promise<{ kind: 'told'; told: Told[] } | { kind: 'later'; at: Date }> {
  const turn = await asSystem(databases.system, (tx) => takeTokens(tx, platform, 'metrics', caller, clock.now()), {
    durable: false,
  })
  if (turn.kind === 'later') return turn
  const price = priceOf(key)
  const of = { orgId, platform: key }
  const most = Math.min(metrics.most, posts.length)
  const allowed =
    price === undefined
      ? undefined
      : await asSystem(databases.system, (tx) => setAside(tx, of, { price, most, least: 1 }, clock.now()))
  // the posts are due until more may be spent
  if (allowed && allowed.kind !== 'allowed') return { kind: 'later', at: clock.now() }
  const batch = posts.slice(0, allowed?.most ?? most)
  const answer: Awaited<ReturnType<Metrics['read']>> = storable(
    await metrics.read(
      reach,
      secret,
      account,
      batch.map(({ remote_id: remoteId, post_type, published_at: publishedAt }) => ({
        remoteId,
        postType: PostType.parse(post_type),
        publishedAt,
      })),
    ),
  )
  // X charges for the posts that a response contains
  if (allowed && price !== undefined && !isLost(answer))
    await asSystem(databases.system, (tx) =>
      settle(tx, of, allowed, { items: answer.kind === 'metrics' ? answer.of.size : 0, price }),
    )
  if (answer.kind !== 'metrics') {
    if (answer.kind === 'retry')
      await asSystem(databases.system, (tx) => closeTokens(tx, platform, 'metrics', caller, answer, clock.now()))
    return { kind: 'later', at: againAfter(answer, clock.now()) }
  }
  const told = batch.map((post): Told => {
    const figures = PostMetrics.safeParse(answer.of.get(post.remote_id))
    return { post, figures: figures.success ? figures.data : {}, isThere: answer.of.has(post.remote_id) }
  })
  return { kind: 'told', told }
}

function againAfter(refusal: Refusal, now: Date): Date {
  const wait =
    refusal.kind === 'retry'
      ? Math.max((refusal.afterSeconds ?? 0) * 1000, AGAIN_MS)
      : refusal.kind === 'rejected'
        ? LONGEST_WAIT_MS
        : AGAIN_MS
  return new Date(now.getTime() + Math.min(wait, LONGEST_WAIT_MS))
}

async function putOff(tx: Tx, orgId: string, posts: readonly Due[], at: Date): Promise<void> {
  await lockPosts(tx, orgId, posts)
  await sql`
    update measured_post p set metrics_at = ${at} where p.org_id = ${orgId} and p.id = any(${posts.map(({ id }) => id)}::uuid[]) and p.metrics_at is not null`.execute(
    tx,
  )
}

const lockPosts = (tx: Tx, orgId: string, posts: readonly Due[]) =>
  lockMeasured(tx, orgId, sql`m.id = any(${posts.map(({ id }) => id)}::uuid[])`)

/**
 * Keeps what was reported about these posts at `now`, and when they're read next. A post without figures in the
 * response gets no reading: what was reported before stays the latest. One that was
 * published elsewhere and is missing, although it was reported before, is gone; if the next reading doesn't have it either, it was
 * the last one. Returns how many had figures.
 */
async function keepFigures(
  tx: Tx,
  { org_id: orgId, zone, platform }: DueChannel,
  batch: readonly Told[],
  now: Date,
): Promise<number> {
  const reported = new Map(
    batch.flatMap(({ post, figures }) => (Object.keys(figures).length > 0 ? [[post.id, figures]] : [])),
  )
  await lockPosts(
    tx,
    orgId,
    batch.map(({ post }) => post),
  )
  await keepReadings(tx, orgId, reported, now)
  const next = batch.map(({ post }) => nextReading({ ...post, platform }, now, zone))
  await sql`
    update measured_post p set metrics_at = case when n.there or p.gone_at is null then n.at end,
      gone_at = case when n.there then null when p.gone_at is not null then p.gone_at when p.elsewhere and exists (select from post_metric m where m.org_id = p.org_id and m.post_id = p.id) then ${now}::timestamptz end
    from unnest(${batch.map(({ post }) => post.id)}::uuid[], ${next}::timestamptz[], ${batch.map(({ isThere }) => isThere)}::boolean[]) n(id, at, there)
    where p.org_id = ${orgId} and p.id = n.id and p.metrics_at is not null`.execute(tx)
  return reported.size
}

/**
 * Keeps readings at `now`, by the post's ID, of posts that are locked. A post's first reading counts from when it was
 * published; that of a post that was published elsewhere days ago says nothing of when it gained that.
 */
export async function keepReadings(
  tx: Tx,
  orgId: string,
  readings: ReadonlyMap<string, PostMetrics>,
  now: Date,
): Promise<void> {
  if (readings.size === 0) return
  const rows = [...readings].map(([id, figures]) => ({ id, figures }))
  await sql`
    insert into post_metric (org_id, post_id, figures, read_at, since, after_gap)
    select m.org_id, m.id, r.figures, ${now}, m.published_at,
      m.elsewhere and m.published_at < ${new Date(now.getTime() - FRESH_MS)} and not exists (select from post_metric o where o.org_id = m.org_id and o.post_id = m.id)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, figures jsonb) join measured_post m on m.org_id = ${orgId} and m.id = r.id order by m.id
    on conflict (org_id, post_id, read_at) do update set figures = excluded.figures`.execute(tx)
}
