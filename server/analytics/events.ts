import { sql } from 'kysely'
import { EVENTS_MOST_DAYS, type insightsEvents } from '#contract/analytics/events.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { addDays } from '../rangeDays.ts'
import { readPublished } from './postSums.ts'
import type { Reader, Scope } from './scope.ts'

type Events = ReplyOf<typeof insightsEvents>

/** The most campaigns on one axis. */
const MOST_CAMPAIGNS = 10
const DAY_MS = 86_400_000

/** What happened on the days of the scope: its posts, and the campaigns that they belong to. */
export async function readEvents(c: Reader, scope: Scope): Promise<Events> {
  const { range } = scope
  const days = (Date.parse(range.to) - Date.parse(range.from)) / DAY_MS + 1
  return {
    range,
    posts: days > EVENTS_MOST_DAYS ? [] : await readPostDays(c, scope),
    campaigns: await readCampaigns(c, scope),
  }
}

async function readPostDays(c: Reader, scope: Scope): Promise<Events['posts']> {
  const counts = await readPublished(c, scope)
  return [...counts].flatMap((count, day) => (count > 0 ? [{ day: addDays(scope.range.from, day), count }] : []))
}

/** A campaign whose dates are in the range, of which some post is in the scope: others say nothing about its figures. */
async function readCampaigns(
  { tx, org, project }: Reader,
  { range, channels, posts }: Scope,
): Promise<Events['campaigns']> {
  const { rows } = await sql<Events['campaigns'][number]>`
    select g.id as "campaignId", g.name, to_char(g.starts_on, 'YYYY-MM-DD') as from, to_char(g.ends_on, 'YYYY-MM-DD') as to
    from campaign g
    where g.org_id = ${org.orgId} and g.project_id = ${project.projectId} and (g.starts_on is not null or g.ends_on is not null)
      and coalesce(g.starts_on, ${range.from}::date) <= ${range.to}::date and coalesce(g.ends_on, ${range.to}::date) >= ${range.from}::date
      and exists (
        select from post_campaign x join measured_post p on p.org_id = x.org_id and p.id = x.post_id
        where x.org_id = g.org_id and x.campaign_id = g.id and p.listed and p.channel_id = any(${channels.map(({ channelId }) => channelId)}::uuid[]) ${posts ? sql`and p.id in (${posts})` : sql``})
    order by coalesce(g.starts_on, g.ends_on) desc, lower(g.name), g.id limit ${MOST_CAMPAIGNS}`.execute(tx)
  return rows
}
