import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { COMPETITOR_POSTS } from '#contract/analytics/competitors.ts'
import { excerptOf } from '#contract/excerpt.ts'
import { MOST_FIGURE, PostMetrics } from '#contract/metrics.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { dayAt } from '../insights/claimAccounts.ts'
import type { CompetitorReading } from '../platforms/competitor.ts'
import { profileOf } from './change.ts'
import type { Due } from './claim.ts'

const KEY_MOST = 500
const ADDRESS_MOST = 2000
/** Before any platform: an account of which all posts are known. */
const EVER = new Date(Date.UTC(2000, 0))

/** Keeps a reading of a competitor, which replaces an earlier one of the same day. Nothing of one that was removed meanwhile. */
export async function keepReading(
  tx: Tx,
  due: Due,
  reading: CompetitorReading,
  { now, nextAt, channelId }: { now: Date; nextAt: Date; channelId: string },
): Promise<void> {
  const { org_id: orgId, id } = due
  // anyone's server of the fediverse can list more than it was asked for
  const listed = reading.posts.slice(0, COMPETITOR_POSTS)
  const posts = listed.filter(
    ({ remoteId }, nth) => remoteId.length <= KEY_MOST && listed.findIndex((one) => one.remoteId === remoteId) === nth,
  )
  const { numUpdatedRows } = await tx
    .updateTable('competitor')
    .set({
      ...profileOf(reading.account),
      state: 'read',
      problem: null,
      tries: 0,
      read_at: now,
      next_at: nextAt,
      via_channel_id: channelId,
      posts_since: await knownSince(tx, due, {
        posts: listed,
        isAll: reading.isAll && listed.length === reading.posts.length,
      }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const figures = figuresOf(due.platform, reading)
  if (figures.length > 0)
    await sql`
      insert into competitor_figure (org_id, competitor_id, day, name, value, read_at)
      select ${orgId}, ${id}, ${dayAt(due.platform, now)}::date, f.name, f.value, ${now}
      from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb) as f(name text, value bigint)
      on conflict (org_id, competitor_id, name, day) do update set value = excluded.value, read_at = excluded.read_at`.execute(
      tx,
    )
  if (posts.length > 0)
    await sql`
      insert into competitor_post (org_id, competitor_id, remote_id, published_at, excerpt, permalink, figures, read_at)
      select ${orgId}, ${id}, p.remote_id, p.published_at, p.excerpt, p.permalink, p.figures, ${now}
      from jsonb_to_recordset(${JSON.stringify(posts.map(rowOf))}::jsonb) as p(remote_id text, published_at timestamptz, excerpt text, permalink text, figures jsonb)
      on conflict (org_id, competitor_id, remote_id) do update
      set published_at = excluded.published_at, excerpt = excluded.excerpt, permalink = excluded.permalink, figures = excluded.figures, read_at = excluded.read_at`.execute(
      tx,
    )
}

function figuresOf(platform: PlatformKey, { account }: CompetitorReading): { name: string; value: number }[] {
  const { competitors } = platformFigures[platform]
  return Object.entries(account.figures).flatMap(([name, value]) =>
    competitors.isPossible && competitors.account.some((told) => told === name) && value >= 0 && value <= MOST_FIGURE
      ? [{ name, value: Math.round(value) }]
      : [],
  )
}

const rowOf = ({ remoteId, publishedAt, text, permalink, figures }: CompetitorReading['posts'][number]) => ({
  remote_id: remoteId,
  published_at: publishedAt,
  excerpt: excerptOf(text.normalize('NFC')),
  permalink: permalink !== null && permalink.length <= ADDRESS_MOST ? permalink : null,
  figures: PostMetrics.catch({}).parse(figures ?? {}),
})

/** Since when all posts are known: from the oldest of this reading on, or further back if it continues what was read before. */
async function knownSince(
  tx: Tx,
  due: Due,
  { posts, isAll }: Pick<CompetitorReading, 'posts' | 'isAll'>,
): Promise<Date | null> {
  if (isAll) return EVER
  const oldest = posts.map(({ publishedAt }) => publishedAt).toSorted((a, b) => a.getTime() - b.getTime())[0]
  if (!oldest) return due.posts_since
  if (due.posts_since === null) return oldest
  const { rows } = await sql<{ newest: Date | null }>`
    select max(published_at) as newest from competitor_post where org_id = ${due.org_id} and competitor_id = ${due.id}`.execute(
    tx,
  )
  const newest = rows[0]?.newest ?? null
  return newest !== null && oldest <= newest ? due.posts_since : oldest
}
