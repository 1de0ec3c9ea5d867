import { sql } from 'kysely'
import { summedPostFigures } from '#contract/analytics/catalog/catalog.ts'
import type { ComparedGroup, ComparedGroups } from '#contract/analytics/compared.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { iso } from '../posts/rowJson.ts'
import { compared } from './compare.ts'
import { publishedIn } from './postFigures.ts'
import type { Reader, Scope } from './scope.ts'
import { newest } from './newest.ts'
import { rateOf } from './totals.ts'

/** How many groups there are without ids: those with the most posts in the range. */
const MOST_GROUPS = 10

/** What posts are compared by: its table, and the table that says which posts belong to it. */
const kinds = {
  campaign: { table: sql`campaign`, links: sql`post_campaign`, link: sql`campaign_id` },
  label: { table: sql`label`, links: sql`post_label`, link: sql`label_id` },
} as const
export type GroupKind = keyof typeof kinds

type GroupRow = { id: string; name: string; color: string; posts: number; before: number; read_at: string | null }
type FigureRow = {
  id: string
  name: FigureKey
  value: number | null
  before: number | null
  part: number | null
  whole: number | null
  part_before: number | null
  whole_before: number | null
}

/**
 * Campaigns or labels side by side: the latest figures of their posts that were published in the range, and in the days
 * compared with it. Posts of platforms whose terms forbid sums count, but not their figures. Ids of other projects are left
 * out.
 */
export async function compareGroups(
  c: Reader,
  scope: Scope,
  kind: GroupKind,
  ids: readonly string[] | undefined,
): Promise<ComparedGroups> {
  const { org, project } = c
  const { range, channels } = scope
  const { table, links, link } = kinds[kind]
  const now = publishedIn(range, project.zone, sql`f.shown_at`)
  const before = range.compare ? publishedIn(range.compare, project.zone, sql`f.shown_at`) : sql`false`
  const summed = channels.filter(({ platformName }) => !scope.apart.includes(platformName))
  const posts = sql`
    posts as materialized (
      select x.${link} as id, f.post_id, f.channel_id, f.read_at, ${now} as is_now, ${before} as is_before
      from post_figure f join ${links} x on x.org_id = f.org_id and x.post_id = f.post_id
      where f.org_id = ${org.orgId} and f.project_id = ${project.projectId} and f.name = 'published' and f.channel_id = any(${channels.map(({ channelId }) => channelId)}::uuid[]) and (${now} or ${before})
        ${ids ? sql`and x.${link} = any(${[...ids]}::uuid[])` : sql``}
        ${scope.posts ? sql`and exists (select from measured_post p where p.org_id = f.org_id and p.id = f.post_id and ${scope.posts})` : sql``}
    )`
  const { rows: groups } = await sql<GroupRow>`
    with ${posts}
    select g.id, g.name, g.color, count(p.post_id) filter (where p.is_now)::int as posts, count(p.post_id) filter (where p.is_before)::int as before, ${iso('max(p.read_at)')} as read_at
    from ${table} g left join posts p on p.id = g.id
    where g.org_id = ${org.orgId} and g.project_id = ${project.projectId} ${ids ? sql`and g.id = any(${[...ids]}::uuid[])` : sql`and p.post_id is not null`}
    group by g.id, g.name, g.color order by 4 desc, lower(g.name), g.id limit ${ids ? ids.length : MOST_GROUPS}`.execute(
    c.tx,
  )
  const names: FigureKey[] = ['viewsAndImpressions', 'engagements', 'engagementRate', ...summedPostFigures]
  const { rows: figures } = await sql<FigureRow>`
    with ${posts}
    select p.id, f.name, sum(f.value) filter (where p.is_now)::bigint as value, sum(f.value) filter (where p.is_before)::bigint as before,
      sum(f.part) filter (where p.is_now)::bigint as part, sum(f.whole) filter (where p.is_now)::bigint as whole,
      sum(f.part) filter (where p.is_before)::bigint as part_before, sum(f.whole) filter (where p.is_before)::bigint as whole_before
    from posts p join post_figure f on f.org_id = ${org.orgId} and f.post_id = p.post_id
    where p.id = any(${groups.map(({ id }) => id)}::uuid[]) and p.channel_id = any(${summed.map(({ channelId }) => channelId)}::uuid[]) and f.name = any(${names}::text[])
    group by p.id, f.name`.execute(c.tx)
  return {
    range,
    groups: groups.map(({ id, name, color, posts: count, before: earlier }): ComparedGroup => ({
      id,
      name,
      color,
      posts: count,
      postsBefore: range.compare ? earlier : null,
      figures: names.flatMap((figure) => {
        const row = figures.find((one) => one.id === id && one.name === figure)
        if (!row) return []
        const isRate = figure === 'engagementRate'
        return [
          compared(
            'post',
            figure,
            isRate
              ? { value: rateOf(row.part, row.whole), before: rateOf(row.part_before, row.whole_before) }
              : { value: row.value, before: row.before },
          ),
        ]
      }),
    })),
    asOf: newest(groups.map(({ read_at: readAt }) => readAt)),
  }
}
