import { sql } from 'kysely'
import { PostMetrics } from '#contract/metrics.ts'
import { PlatformKey, platformKeys, PostType } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import type { Metrics, Platform, Refusal } from '../platforms/platform.ts'
import { closeTokens, takeTokens } from '../delivery/budgets.ts'
import { storable } from '../delivery/storable.ts'
import { openChannel, type ChannelDeps, type ReadChannel } from './openChannel.ts'

/*
 * Figures are read 1 hour, 24 hours and 7 days after a post was published, then weekly (decisions, Posts). A reading only reads: one
 * that a killed worker never ended is simply done again. Posts are taken by channel, since each reading needs its sign-in. Calls
 * are counted with those of publishing, which goes first.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WEEK = 7 * 24 * HOUR
/** What a post gained until its first reading is counted on that day if it's no older than this. */
const FRESH_MS = 48 * HOUR
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

export type MetricsDeps = ChannelDeps & { platforms: (key: PlatformKey) => Platform | undefined }

export type Due = { id: string; remote_id: string; post_type: string; published_at: Date }
type DueChannel = ReadChannel & { posts: Due[] }

/** Stories end after 24 hours, and nothing is reported about them afterwards. */
const STORY_HOURS = [1, 6, 12, 20, 23.5]

/** When a post's metrics are read next after a reading at `now`; null for a story that is about to end. */
export function nextReading(
  { published_at: publishedAt, post_type }: Pick<Due, 'published_at' | 'post_type'>,
  now: Date,
): Date | null {
  const age = now.getTime() - publishedAt.getTime()
  if (post_type === 'story') {
    const next = STORY_HOURS.find((hours) => hours * HOUR > age)
    return next === undefined ? null : new Date(publishedAt.getTime() + next * HOUR)
  }
  const step = [HOUR, 24 * HOUR, WEEK].find((after) => after > age)
  return new Date(
    step === undefined ? publishedAt.getTime() + (Math.floor(age / WEEK) + 1) * WEEK : publishedAt.getTime() + step,
  )
}

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

/** Takes them for an hour: if this worker dies, they're read then. A signed-out channel's posts keep their time. */
async function takeDue(tx: Tx, able: readonly string[], now: Date): Promise<DueChannel[]> {
  const { rows } = await sql<DueChannel>`
    with channels as (
      select c.org_id, c.id, first.since
      from channel c cross join lateral (
        select p.metrics_at as since from measured_post p where p.org_id = c.org_id and p.channel_id = c.id and p.metrics_at <= ${now} order by p.metrics_at limit 1
      ) first
      where c.status = 'CONNECTED' and c.deleted_at is null and c.platform = any(${[...able]}::text[])
      order by first.since limit ${CHANNELS}
    ), due as (
      select d.org_id, d.id from channels c cross join lateral (
        select p.org_id, p.id from measured_post p where p.org_id = c.org_id and p.channel_id = c.id and p.metrics_at <= ${now} order by p.metrics_at limit ${POSTS} for no key update skip locked
      ) d
    ), taken as (
      update measured_post p set metrics_at = ${new Date(now.getTime() + AGAIN_MS)} from due where p.org_id = due.org_id and p.id = due.id returning p.*
    )
    select c.org_id, c.id as channel_id, c.platform, c.remote_id, c.handle, c.service, coalesce(l.credentials, 'own') as credentials, s.key_id, s.sealed, s.version as secret_version, s.expires_at as secret_expires_at,
      array_agg(json_build_object('id', t.id, 'remote_id', t.remote_id, 'post_type', t.post_type, 'published_at', t.published_at)) as posts
    from taken t join channel c on c.org_id = t.org_id and c.id = t.channel_id left join lane l on l.org_id = c.org_id and l.channel_id = c.id
    left join channel_secret s on s.org_id = c.org_id and s.channel_id = c.id
    group by c.org_id, c.id, l.credentials, s.key_id, s.sealed, s.version, s.expires_at`.execute(tx)
  return rows.map((row) => ({
    ...row,
    platform: PlatformKey.parse(row.platform),
    posts: row.posts.map((post) => ({ ...post, published_at: new Date(post.published_at) })),
  }))
}

/** One channel's posts, as many in a call as its platform takes. What a refusal leaves unread waits, at least as long as the platform says. */
async function readChannel(deps: MetricsDeps, context: JobContext, channel: DueChannel): Promise<number> {
  const { databases, clock } = context
  const platform = deps.platforms(channel.platform)
  if (!platform?.metrics) return 0
  const { most, read } = platform.metrics
  const opened = await openChannel(deps, context, platform, channel)
  if (!opened) return 0
  const { reach, secret, account, caller } = opened
  let written = 0
  for (let from = 0; from < channel.posts.length; from += most) {
    const batch = channel.posts.slice(from, from + most)
    const turn = await asSystem(databases.system, (tx) => takeTokens(tx, platform, 'metrics', caller, clock.now()), {
      durable: false,
    })
    if (turn.kind === 'later') {
      await asSystem(databases.system, (tx) => putOff(tx, channel.org_id, channel.posts.slice(from), turn.at))
      break
    }
    const asked = batch.map(({ remote_id: remoteId, post_type, published_at: publishedAt }) => ({
      remoteId,
      postType: PostType.parse(post_type),
      publishedAt,
    }))
    const answer: Awaited<ReturnType<Metrics['read']>> = storable(await read(reach, secret, account, asked))
    if (answer.kind !== 'metrics') {
      await asSystem(databases.system, async (tx) => {
        if (answer.kind === 'retry') await closeTokens(tx, platform, 'metrics', caller, answer, clock.now())
        await putOff(tx, channel.org_id, channel.posts.slice(from), againAfter(answer, clock.now()))
      })
      break
    }
    written += await asSystem(databases.system, (tx) => keepFigures(tx, channel.org_id, batch, answer.of, clock.now()))
  }
  return written
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
  await tx
    .updateTable('measured_post')
    .set({ metrics_at: at })
    .where('org_id', '=', orgId)
    .where(
      'id',
      'in',
      posts.map(({ id }) => id),
    )
    .where('metrics_at', 'is not', null)
    .execute()
}

/** Keeps what a platform told of these posts at `now`, and when they're read next. What is missing from the answer is gone from the platform: it is asked for once more after a week, like the others. */
async function keepFigures(
  tx: Tx,
  orgId: string,
  posts: readonly Due[],
  of: ReadonlyMap<string, PostMetrics>,
  now: Date,
): Promise<number> {
  let written = 0
  for (const post of posts) {
    const figures = PostMetrics.safeParse(of.get(post.remote_id))
    // nothing reported isn't a reading: what was told before stays the latest
    if (figures.success && Object.keys(figures.data).length > 0) {
      await keepReading(tx, orgId, post.id, figures.data, now)
      written += 1
    }
    await tx
      .updateTable('measured_post')
      .set({ metrics_at: nextReading(post, now) })
      .where('org_id', '=', orgId)
      .where('id', '=', post.id)
      .where('metrics_at', 'is not', null)
      .execute()
  }
  return written
}

/**
 * Keeps a reading at `now`, the last one of its day. The first reading of a post that was published elsewhere days ago says
 * nothing of when it gained that.
 */
export async function keepReading(
  tx: Tx,
  orgId: string,
  postId: string,
  figures: PostMetrics,
  now: Date,
): Promise<void> {
  await sql`
    insert into post_metric (org_id, post_id, day, figures, read_at, after_gap)
    select m.org_id, m.id, (${now}::timestamptz at time zone 'UTC')::date, ${JSON.stringify(figures)}, ${now},
      m.elsewhere and m.published_at < ${new Date(now.getTime() - FRESH_MS)} and not exists (select from post_metric o where o.org_id = m.org_id and o.post_id = m.id)
    from measured_post m where m.org_id = ${orgId} and m.id = ${postId}
    on conflict (org_id, post_id, day) do update set figures = excluded.figures, read_at = excluded.read_at`.execute(tx)
}
