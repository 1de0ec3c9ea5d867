import { sql } from 'kysely'
import type { z } from 'zod'
import type { postFilters, postStatistics } from '#contract/postLists.ts'
import { PostState } from '#contract/postStates.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { pictureAddress } from '../access/channels.ts'
import type { Context } from '../http/route.ts'
import { visibleTo } from '../access/visiblePosts.ts'

type Statistics = z.output<(typeof postStatistics)['reply']>
type Filters = z.output<(typeof postFilters)['reply']>

/**
 * The number of posts by status, in total and by calendar day of the zone (the project's by default). Deleted ones
 * count in `total` only.
 */
export async function statistics(c: Context<typeof postStatistics>): Promise<Statistics> {
  const { from = null, to = null, timezone = c.project.zone } = c.query
  const { rows } = await sql<{ date: string; state: string; n: number }>`
    select (p.shown_at at time zone ${timezone})::date as date, p.state, count(*) as n from post p
    where p.org_id = ${c.org.orgId} and p.project_id = ${c.project.projectId}
      and (${from}::timestamptz is null or p.shown_at >= ${from}::timestamptz) and (${to}::timestamptz is null or p.shown_at < ${to}::timestamptz)
      and ${visibleTo(c)}
    group by 1, 2 order by 1, 2`.execute(c.tx)
  const total: Statistics['total'] = {}
  const days = rows.map(({ date, state, n }) => {
    const status = PostState.parse(state)
    total[status] = (total[status] ?? 0) + n
    return { date, status, count: n }
  })
  return { total, days: days.filter(({ status }) => status !== 'DELETED') }
}

/**
 * Everyone who has written posts here, including former members; labels and campaigns by name, archived ones last;
 * and the channels that the role can access.
 */
export async function filters(c: Context<typeof postFilters>): Promise<Filters> {
  const authors = await sql<{ userId: string; name: string }>`
    select pe.id as "userId", trim(pe.first_name || ' ' || pe.last_name) as name
    from member m join person pe on pe.id = m.person_id
    where m.org_id = ${c.org.orgId}
      and exists (select 1 from post p where p.org_id = m.org_id and p.project_id = ${c.project.projectId} and p.author_id = m.person_id and ${visibleTo(c)})
    order by name, pe.id`.execute(c.tx)
  const channels = await sql<Omit<Filters['channels'][number], 'platformName'> & { platform: string }>`
    select id as "channelId", name as "channelName", handle, platform, ${pictureAddress('channel')} as "profileUrl", simulated from channel
    where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} and deleted_at is null
      and (${c.project.channelIds}::uuid[] is null or id = any(${c.project.channelIds}::uuid[]))
    order by connected_at, id`.execute(c.tx)
  const labels = await sql<Filters['labels'][number]>`
    select id as "labelId", name as "labelName", color, state from label
    where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} order by state, lower(name), id`.execute(c.tx)
  const campaigns = await sql<Filters['campaigns'][number]>`
    select id as "campaignId", name, state from campaign
    where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} order by state, lower(name), id`.execute(c.tx)
  return {
    authors: authors.rows,
    labels: labels.rows,
    campaigns: campaigns.rows,
    channels: channels.rows.flatMap(({ platform, ...channel }) =>
      platformKeys.filter((key) => key === platform).map((platformName) => ({ ...channel, platformName })),
    ),
  }
}
