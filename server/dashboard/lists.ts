import { sql, type RawBuilder } from 'kysely'
import type { PostState } from '#contract/postStates.ts'
import { pictureAddress } from '../access/channels.ts'
import { limitOffset } from '../http/limitOffset.ts'
import { iso } from '../posts/rowJson.ts'
import { andVisible, maySeePosts } from '../access/visiblePosts.ts'
import type { Asker } from './counts.ts'

export type Page = { page: number; limit: number }
export type ListRow = { items: string; total: number }

const upcoming: readonly PostState[] = ['SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL', 'APPROVED', 'PROCESSING']
const slice = (page: Page): RawBuilder<unknown> => {
  const { limit, offset } = limitOffset(page)
  return sql`limit ${limit} offset ${offset}`
}

/** The project's channels in the role, oldest connection first; with the number of their posts for roles that see posts. */
export function channelsPage(c: Asker, page: Page): RawBuilder<ListRow> {
  const scope = c.project.channelIds && [...c.project.channelIds]
  const reached = sql`from channel ch where ch.org_id = ${c.org.orgId} and ch.project_id = ${c.project.projectId} and ch.deleted_at is null${scope ? sql` and ch.id = any(${scope}::uuid[])` : sql``}`
  return sql<ListRow>`
    with waiting as materialized (
      select channel_id, sum(n) as n from post_count where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} and state = any('{SCHEDULED,QUEUED,PROCESSING}'::text[]) group by channel_id
    )
    select (select coalesce(json_agg(r), '[]') from (
        select ch.id as "channelId", ch.name as "channelName", ch.platform as "platformName", ch.handle, ${pictureAddress('ch')} as "profileUrl", ch.status, ch.enabled, ch.simulated,
          ${maySeePosts(c.project) ? sql`coalesce((select w.n from waiting w where w.channel_id = ch.id), 0)` : sql`null::int`} as "scheduledPosts"
        ${reached} order by ch.connected_at, ch.id ${slice(page)}) r)::text as items,
      (select count(*) ${reached}) as total`
}

/** Posts in some statuses: upcoming ones soonest first, the rest newest first. Their number comes from the counts. */
export function postsPage(c: Asker, states: readonly PostState[], page: Page): RawBuilder<ListRow> {
  const seen = andVisible(c)
  const sorted = states.every((state) => upcoming.includes(state))
    ? sql`p.shown_at, p.id`
    : sql`p.shown_at desc, p.id desc`
  const [only, ...more] = states
  const ofState = (state: RawBuilder<unknown>) =>
    sql`p.org_id = ${c.org.orgId} and p.project_id = ${c.project.projectId} and p.state = ${state}${seen}`
  const { limit, offset } = limitOffset(page)
  // each status is read in its own order, as far as the page may need it: together they would be sorted completely
  const posts =
    more.length === 0
      ? { from: sql`post p`, where: ofState(sql`${only}`) }
      : {
          from: sql`unnest(${[...new Set(states)]}::text[]) s (state) cross join lateral (select * from post p where ${ofState(sql`s.state`)} order by ${sorted} limit ${offset + limit}) p`,
          where: sql`true`,
        }
  return sql<ListRow>`
    select (select coalesce(json_agg(r), '[]') from (
        select p.id as "postId", case when p.origin = 'ai' then p.id end as "aiPostId", p.excerpt as text, ch.platform as "platformName", ch.name as "channelName", p.state as status, ${iso('p.shown_at')} as at, ${iso('p.due_at')} as "dueAt",
          case when p.channel_id is null then coalesce(jsonb_array_length(p.draft -> 'channelIds'), 0) else 1 end as "channelCount",
          case when a.thumbnail_key is not null then '/api/' || a.org_id || '/project/' || a.project_id || '/asset/' || a.id || '/thumbnail?of=' || right(a.thumbnail_key, 12) end as "thumbnailUrl"
        from ${posts.from} left join channel ch on ch.org_id = p.org_id and ch.id = p.channel_id
          left join asset a on a.org_id = p.org_id and a.project_id = p.project_id and a.id::text = p.contents #>> '{0,media,0,assetId}'
        where ${posts.where} order by ${sorted} ${slice(page)}) r)::text as items,
      (select coalesce(sum(p.n), 0) from post_count p where p.org_id = ${c.org.orgId} and p.project_id = ${c.project.projectId} and p.state = any(${[...states]}::text[])${seen}) as total`
}
