import { sql } from 'kysely'
import { FigureKey } from '#contract/analytics/names.ts'
import type { PostInsights } from '#contract/analytics/posts.ts'
import { allows } from '#contract/permissions.ts'
import { type PlatformKey, PostType } from '#contract/platforms/rules.ts'
import { fail } from '../errors.ts'
import type { ProjectContext, ProjectRequest } from '../http/route.ts'
import { kindsFor, reachable } from '../inbox/access.ts'
import { iso } from '../posts/rowJson.ts'
import type { Pictures } from './postPictures.ts'
import { knownFigures, readCurve, type CurveReading } from './postCurve.ts'
import { readPosts } from './postTable.ts'
import { readChannels } from './scope.ts'

type Figures = PostInsights['readings'][number]['figures']

/** A published post since it was published. NOT_FOUND for posts outside of the caller's role, and for unpublished ones. */
export async function readPostInsights(
  c: ProjectRequest,
  postId: string,
  apart: readonly PlatformKey[],
  pictures: Pictures,
): Promise<PostInsights> {
  const post = await findMeasured(c, postId)
  const [channel] = post ? await readChannels(c, { channelIds: [post.channel_id] }) : []
  const [latest] = channel ? await readPosts(c, { channels: [channel], apart }, [postId], { pictures }) : []
  if (!post || !channel || !latest) throw fail('NOT_FOUND')
  const stored = await readReadings(c, post)
  const compares = !apart.includes(channel.platformName)
  const { origin, media, publishedAt, excerpt, thumbnailUrl, permalink, goneAt } = latest
  return {
    postId,
    origin,
    media,
    publishedAt,
    excerpt,
    thumbnailUrl,
    permalink,
    goneAt,
    channelId: channel.channelId,
    platformName: channel.platformName,
    postType: PostType.parse(latest.postType),
    readings: withGains(stored),
    // clicks are counted before anything is read
    figures: stored.length > 0 || Object.keys(latest.figures).length > 0 ? latest.figures : null,
    compares,
    curve: await readCurve(c, post, stored, { compares }),
    conversations: await countConversations(c, post),
    boost: allows(c.project.permissions, 'post', 'view') ? await readBoost(c, postId) : null,
    nextReadAt: post.metrics_at?.toISOString() ?? null,
  }
}

export type Measured = {
  id: string
  channel_id: string
  elsewhere: boolean
  remote_id: string | null
  metrics_at: Date | null
  post_type: string
  shown_at: Date
}

/** A published post that is in lists, if it's of the project. */
export async function findMeasured(
  { tx, org, project }: ProjectContext,
  postId: string,
): Promise<Measured | undefined> {
  return await tx
    .selectFrom('measured_post')
    .select(['id', 'channel_id', 'elsewhere', 'remote_id', 'metrics_at', 'post_type', 'shown_at'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', postId)
    .where('listed', '=', true)
    .executeTakeFirst()
}

type StoredReading = CurveReading & { readAt: Date }

/** The kept readings, oldest first. */
async function readReadings({ tx, org }: ProjectRequest, post: Measured): Promise<StoredReading[]> {
  const { rows } = await sql<{ figures: Record<string, unknown>; read_at: Date; after_gap: boolean }>`
    select figures, read_at, after_gap from post_metric where org_id = ${org.orgId} and post_id = ${post.id} order by read_at`.execute(
    tx,
  )
  return rows.map(({ figures, read_at: readAt, after_gap: afterGap }) => ({
    readAt,
    hours: (readAt.getTime() - post.shown_at.getTime()) / 3_600_000,
    figures: knownFigures(figures),
    afterGap,
  }))
}

/** The readings with what each gained; a gain across deleted readings isn't known. */
function withGains(stored: readonly StoredReading[]): PostInsights['readings'] {
  const before: Figures = {}
  return stored.map(({ readAt, figures, afterGap }) => {
    const gains: Figures = {}
    for (const name of FigureKey.options) {
      const value = figures[name]
      if (value === undefined) continue
      const earlier = before[name] ?? (afterGap ? undefined : 0)
      if (earlier !== undefined) gains[name] = value - earlier
      before[name] = value
    }
    return { readAt: readAt.toISOString(), figures, gains }
  })
}

/** The post's conversations that the caller's role shows; null if it shows none of any kind. */
async function countConversations(c: ProjectRequest, post: Measured): Promise<PostInsights['conversations']> {
  if (kindsFor(c.project, 'view').length === 0) return null
  const isAbout = post.elsewhere
    ? sql`c.id in (select conversations_about(${post.channel_id}::uuid, ${post.remote_id}))`
    : sql`c.post_id = ${post.id}`
  const { rows } = await sql<{ count: number; open: number }>`
    select count(*)::int as count, count(*) filter (where c.status <> 'CLOSED')::int as open from conversation c
    where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and ${isAbout} and ${reachable(c)}`.execute(
    c.tx,
  )
  return rows[0] ?? { count: 0, open: 0 }
}

/** The post's newest promotion. */
async function readBoost({ tx, org }: ProjectRequest, postId: string): Promise<PostInsights['boost']> {
  const { rows } = await sql<NonNullable<PostInsights['boost']>>`
    select b.state, b.currency, b.minor_units as "minorUnits", b.budget, b.spent, b.impressions, b.reach, ${iso('b.ends_at')} as "endsAt"
    from boost b where b.org_id = ${org.orgId} and b.post_id = ${postId} order by b.created_at desc, b.id desc limit 1`.execute(
    tx,
  )
  return rows[0] ?? null
}
