import { sql } from 'kysely'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { PostMetrics } from '#contract/metrics.ts'
import type { Tx } from '../db/kysely.ts'
import type { Past } from '../simulators/past.ts'
import type { PastPost } from '../simulators/pastPosts.ts'
import { READING_HOURS } from './figures.ts'

const HOUR = 3_600_000

type Row = Omit<PastPost, 'figures' | 'at'> & {
  channel_id: string
  published_at: Date
  figures: PostMetrics | null
  read_at: Date | null
}
type Channel = { id: string; platform: PlatformKey; remote_id: string; name: string; handle: string }

/** What the simulators have to know of the published posts of a project's channels, with their figures in the end. */
export async function pastPosts(tx: Tx, { orgId, projectId }: { orgId: string; projectId: string }): Promise<Past> {
  const { rows: channels } = await sql<Channel>`
    select id, platform, remote_id, name, handle from channel where org_id = ${orgId} and project_id = ${projectId} order by name, id`.execute(
    tx,
  )
  const { rows } = await sql<Row>`
    select p.channel_id, p.remote_id as "remoteId", p.post_type as "postType", coalesce(o.contents -> 0 ->> 'text', p.excerpt) as text, coalesce(o.permalink, p.permalink) as permalink, p.published_at, m.figures, m.read_at
    from measured_post p left join post o on o.org_id = p.org_id and o.id = p.id left join lateral (
      select figures, read_at from post_metric m where m.org_id = p.org_id and m.post_id = p.id order by read_at desc limit 1) m on true
    where p.org_id = ${orgId} and p.project_id = ${projectId} and p.listed and p.remote_id is not null
    order by p.published_at, p.id`.execute(tx)
  return channels.map(({ id, platform, remote_id: account, name, handle }) => ({
    platform,
    account,
    name,
    handle,
    items: [],
    posts: rows.filter((row) => row.channel_id === id).map(pastPost),
  }))
}

/** Figures that grow as the seed's do: what the last reading will have become in the end. */
function pastPost({ remoteId, postType, text, permalink, published_at: at, figures, read_at: readAt }: Row): PastPost {
  const hours = readAt ? (readAt.getTime() - at.getTime()) / HOUR : 0
  const share = 1 - Math.exp(-hours / READING_HOURS)
  return {
    remoteId,
    postType,
    text,
    permalink,
    at: at.getTime(),
    figures: Object.fromEntries(Object.entries(figures ?? {}).map(([name, value]) => [name, value / share])),
  }
}
