import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { excerptOf } from '#contract/excerpt.ts'
import { TAG_LETTERS, TAG_OTHERS, TAG_SIGNS } from '#contract/hashtag.ts'
import { PostMetrics } from '#contract/metrics.ts'
import type { Tx } from '../db/kysely.ts'
import type { FoundPost } from '../platforms/ownPosts.ts'
import { lockMeasured } from './lockMeasured.ts'
import { keepReadings } from './readMetrics.ts'
import { nextReading } from './readingPlan.ts'
import type { Sync } from './syncs.ts'

/** In an index, whose keys have 2,700 bytes. */
const KEY_MOST = 500
const ADDRESS_MOST = 2000
const HASHTAGS_MOST = 30
const MINUTE = 60_000
/** The margin of a page in which a missing post isn't taken for a deleted one: lists may be ordered by another time. */
const EDGE_MS = 60 * MINUTE

type Channel = Pick<Sync, 'org_id' | 'project_id' | 'channel_id' | 'zone' | 'platform'>

/** As the hashtag filter finds them in our own posts: `#` and a word, not in the middle of one. */
const word = String.raw`[${TAG_LETTERS}${TAG_OTHERS}\p{N}]`
const hashtag = new RegExp(`(?<!${word})[${TAG_SIGNS}](${word}{1,100})(?!${word})`, 'gu')
const hashtagsOf = (text: string): string[] => {
  const found = [...text.normalize('NFC').matchAll(hashtag)]
  return [...new Set(found.map(([, tag = '']) => tag.toLowerCase()))].slice(0, HASHTAGS_MOST)
}

const addressOf = (address: string | null): string | null =>
  address !== null && address.length <= ADDRESS_MOST ? address : null

/**
 * Keeps a page of a channel's posts: new ones are measured from now on, `after` minutes later; of those that are known, what
 * people see of them is renewed. A post of ours is left as it is. Posts published elsewhere that are missing between two others
 * of the page are gone. Does nothing twice.
 */
export async function keepFound(
  tx: Tx,
  channel: Channel,
  page: readonly FoundPost[],
  { now, afterMinutes = () => 0 }: { now: Date; afterMinutes?: (nth: number) => number },
): Promise<void> {
  const { org_id: orgId, project_id: projectId, channel_id: channelId } = channel
  const isKey = (remoteId: string) => remoteId !== '' && remoteId.length <= KEY_MOST
  const posts = page.filter(
    ({ remoteId }, nth) => isKey(remoteId) && page.findIndex((one) => one.remoteId === remoteId) === nth,
  )
  if (posts.length === 0) return
  const times = posts.map(({ publishedAt }) => publishedAt.getTime())
  const span = { oldest: new Date(Math.min(...times)), newest: new Date(Math.max(...times)) }
  // like everyone who writes figures, before any row
  await sql`select lock_days(${projectId}::uuid, false)`.execute(tx)
  const isKnown = sql<boolean>`m.remote_id = any(${posts.map(({ remoteId }) => remoteId)}::text[])`
  await lockMeasured(
    tx,
    orgId,
    sql`m.channel_id = ${channelId} and (${isKnown} or m.elsewhere and m.published_at between ${span.oldest} and ${span.newest})`,
  )
  const rows = posts.map(({ text, figures, ...post }, nth) => {
    const id = randomUUIDv7()
    return {
      id,
      remote_id: post.remoteId,
      post_type: post.postType,
      published_at: post.publishedAt,
      excerpt: excerptOf(text.normalize('NFC')),
      text_length: Array.from(text.normalize('NFC')).length,
      permalink: addressOf(post.permalink),
      picture_url: addressOf(post.pictureUrl),
      hashtags: hashtagsOf(text),
      metrics_at: figures
        ? nextReading(
            { id, platform: channel.platform, published_at: post.publishedAt, post_type: post.postType },
            now,
            channel.zone,
          )
        : new Date(now.getTime() + afterMinutes(nth) * MINUTE),
    }
  })
  const { rows: fresh } = await sql<{ id: string; remote_id: string }>`
    insert into measured_post (org_id, id, project_id, channel_id, elsewhere, remote_id, post_type, published_at, shown_at, metrics_at, excerpt, text_length, permalink, picture_url, hashtags, found_at)
    select ${orgId}, n.id, ${projectId}, ${channelId}, true, n.remote_id, n.post_type, n.published_at, n.published_at, n.metrics_at, n.excerpt, n.text_length, n.permalink, n.picture_url, hashtag_keys(${projectId}, n.hashtags), ${now}
    from ${rowsOf(rows)} order by n.remote_id
    on conflict (org_id, channel_id, remote_id) do nothing returning id, remote_id`.execute(tx)
  await sql`
    update measured_post m set excerpt = n.excerpt, text_length = n.text_length, permalink = n.permalink, picture_url = n.picture_url, hashtags = hashtag_keys(${projectId}, n.hashtags), gone_at = null,
      metrics_at = case when m.gone_at is null then m.metrics_at else coalesce(m.metrics_at, ${now}) end
    from ${rowsOf(rows)}
    where m.org_id = ${orgId} and m.channel_id = ${channelId} and m.remote_id = n.remote_id and m.elsewhere
      and (m.excerpt, m.text_length, m.permalink, m.picture_url, m.hashtags, m.gone_at) is distinct from (n.excerpt, n.text_length, n.permalink, n.picture_url, hashtag_keys(${projectId}, n.hashtags), null)`.execute(
    tx,
  )
  const told = new Map(posts.map((post) => [post.remoteId, PostMetrics.safeParse(post.figures).data]))
  await keepReadings(
    tx,
    orgId,
    new Map(
      fresh.flatMap(({ id, remote_id: remoteId }) => {
        const figures = told.get(remoteId)
        return figures && Object.keys(figures).length > 0 ? [[id, figures]] : []
      }),
    ),
    now,
  )
  await sql`select recognize_posts(${orgId}::uuid, ${channelId}::uuid)`.execute(tx)
  await markGone(tx, channel, posts, now)
}

const rowsOf = (rows: readonly unknown[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id uuid, remote_id text, post_type text, published_at timestamptz, excerpt text, text_length int, permalink text, picture_url text, hashtags text[], metrics_at timestamptz)`

/** A list that isn't in the order of time, such as one with pinned posts, doesn't tell what is missing from it. */
async function markGone(
  tx: Tx,
  { org_id: orgId, channel_id: channelId }: Channel,
  posts: readonly FoundPost[],
  now: Date,
): Promise<void> {
  const times = posts.map(({ publishedAt }) => publishedAt.getTime())
  const [newest = 0, oldest = 0] = [times[0], times.at(-1)]
  if (times.some((time, nth) => time > (times[nth - 1] ?? Infinity)) || newest - oldest <= 2 * EDGE_MS) return
  await tx
    .updateTable('measured_post')
    .set({ gone_at: now })
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where('elsewhere', '=', true)
    .where('gone_at', 'is', null)
    // a story is listed until it ends
    .where('post_type', '<>', 'story')
    .where('published_at', '>', new Date(oldest + EDGE_MS))
    .where('published_at', '<', new Date(newest - EDGE_MS))
    .where(
      'remote_id',
      'not in',
      posts.map(({ remoteId }) => remoteId),
    )
    .execute()
}
