import { sql } from 'kysely'
import { summedPostFigures, termsOf } from '#contract/analytics/catalog/catalog.ts'
import type { ComparedGroup, ComparedGroups } from '#contract/analytics/compared.ts'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { iso } from '../posts/rowJson.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { compareRates, compareSums, type Comparison } from './likeWithLike.ts'
import { newest } from './newest.ts'
import { publishedIn } from './postFigures.ts'
import { comparedPostDays, POSTS_DELAY_DAYS } from './postSums.ts'
import type { Reader, Scope } from './scope.ts'
import { breaksOf, todayIn } from './totals.ts'

/** How many groups there are without ids: those with the most posts in the range. */
const MOST_GROUPS = 10

/** What posts are compared by: its table, and the table that says which posts belong to it. */
const kinds = {
  campaign: { table: sql`campaign`, links: sql`post_campaign`, link: sql`campaign_id` },
  label: { table: sql`label`, links: sql`post_label`, link: sql`label_id` },
} as const
export type GroupKind = keyof typeof kinds

type GroupRow = { id: string; name: string; color: string; posts: number; before: number; read_at: string | null }
/** The figures to date of a group's posts on one platform: of channels that have them on both sides, or on one. */
type FigureRow = {
  id: string
  name: FigureKey
  platform: PlatformKey
  side: 'both' | 'onlyNow' | 'onlyBefore' | 'notComparable'
  channels: number
  value: number | null
  before: number | null
  like_value: number | null
  like_before: number | null
  whole: number | null
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
  const days = comparedPostDays(range, todayIn(c)).figures
  // published on the days that both ranges have
  const isLike =
    range.compare && days > 0
      ? sql.join(
          [range.from, range.compare.from].map((from) =>
            publishedIn({ from, to: addDays(from, days - 1) }, project.zone, sql`f.shown_at`),
          ),
          sql` or `,
        )
      : sql`false`
  const summed = channels.filter(({ platformName }) => !scope.apart.includes(platformName))
  const posts = sql`
    posts as materialized (
      select x.${link} as id, f.post_id, f.channel_id, f.read_at, ${now} as is_now, ${before} as is_before, ${isLike} as is_like
      from post_figure f join ${links} x on x.org_id = f.org_id and x.post_id = f.post_id
      where f.org_id = ${org.orgId} and f.project_id = ${project.projectId} and f.name = 'published' and f.channel_id = any(${channels.map(({ channelId }) => channelId)}::uuid[]) and (${now} or ${before})
        ${ids ? sql`and x.${link} = any(${[...ids]}::uuid[])` : sql``}
        ${scope.posts ? sql`and exists (select from measured_post p where p.org_id = f.org_id and p.id = f.post_id and ${scope.posts})` : sql``}
    )`
  const { rows: groups } = await sql<GroupRow>`
    with ${posts}
    select g.id, g.name, g.color, count(p.post_id) filter (where p.is_now)::int as posts, count(p.post_id) filter (where p.is_before)::int as before, ${iso('max(p.read_at)')} as read_at
    from ${table} g left join posts p on p.id = g.id
    where g.org_id = ${org.orgId} and g.project_id = ${project.projectId} ${ids ? sql`and g.id = any(${[...ids]}::uuid[])` : sql``} ${ids && project.channelIds === null ? sql`` : sql`and p.post_id is not null`}
    group by g.id, g.name, g.color order by 4 desc, lower(g.name), g.id limit ${ids ? ids.length : MOST_GROUPS}`.execute(
    c.tx,
  )
  const names: FigureKey[] = ['viewsAndImpressions', 'engagements', 'engagementRate', ...summedPostFigures]
  // of the rate, the two sides that are divided
  const sumOfSide = (of: 'part' | 'whole', side: 'is_now' | 'is_before') => {
    const sum = sql`sum(${of === 'part' ? sql`case when f.name = 'engagementRate' then f.part else f.value end` : sql`f.whole`}) filter (where p.${sql.raw(side)})`
    return sql`${sum}::bigint`
  }
  const { rows: figures } = await sql<FigureRow>`
    with ${posts}, of_channel as (
      select p.id, f.name, p.channel_id, ${sumOfSide('part', 'is_now')} as value, ${sumOfSide('part', 'is_before')} as before,
        (sum(f.value) filter (where p.is_now and p.is_like))::bigint as like_value, (sum(f.value) filter (where p.is_before and p.is_like))::bigint as like_before,
        ${sumOfSide('whole', 'is_now')} as whole, ${sumOfSide('whole', 'is_before')} as whole_before
      from posts p join post_figure f on f.org_id = ${org.orgId} and f.post_id = p.post_id
      where p.id = any(${groups.map(({ id }) => id)}::uuid[]) and p.channel_id = any(${summed.map(({ channelId }) => channelId)}::uuid[]) and f.name = any(${names}::text[])
      group by p.id, f.name, p.channel_id
    )
    select o.id, o.name, k.platform, case when o.before is null then 'onlyNow' when o.value is null then 'onlyBefore' when o.name <> 'engagementRate' and (o.like_value is null or o.like_before is null) then 'notComparable' else 'both' end as side, count(*)::int as channels,
      sum(o.value)::bigint as value, sum(o.before)::bigint as before, sum(o.like_value) filter (where o.like_before is not null)::bigint as like_value, sum(o.like_before) filter (where o.like_value is not null)::bigint as like_before, sum(o.whole)::bigint as whole, sum(o.whole_before)::bigint as whole_before
    from of_channel o join unnest(${summed.map(({ channelId }) => channelId)}::uuid[], ${summed.map(({ platformName }) => platformName)}::text[]) k(id, platform) on k.id = o.channel_id
    group by o.id, o.name, k.platform, 4`.execute(c.tx)
  return {
    range,
    groups: groups.map(({ id, name, color, posts: count, before: earlier }): ComparedGroup => ({
      id,
      name,
      color,
      posts: count,
      postsBefore: range.compare ? earlier : null,
      figures: names.flatMap((figure): ComparedFigure[] => {
        const rows = figures.filter((one) => one.id === id && one.name === figure)
        if (rows.length === 0) return []
        return [{ base: 'postsPublished', subject: 'post', name: figure, ...comparisonOf(c, scope, figure, rows) }]
      }),
    })),
    asOf: newest(groups.map(({ read_at: readAt }) => readAt)),
  }
}

function comparisonOf(c: Reader, scope: Scope, name: FigureKey, rows: readonly FigureRow[]): Comparison {
  const { range, accepted } = scope
  const today = todayIn(c)
  const { figures: days } = comparedPostDays(range, today)
  const settled = name === 'engagementRate' ? daysIn(range) : days
  const facts = ({ platform }: FigureRow) => ({
    platform,
    days: null,
    daysBefore: null,
    delayDays: POSTS_DELAY_DAYS,
    keepDays: termsOf(platform, accepted).keepDays,
    finalUntil: null,
  })
  const comparing = { range, today, breaks: breaksOf('postsPublished', name, scope.channels, scope) }
  const ratio = (part: number | null, whole: number | null) =>
    part === null || whole === null ? null : { part, whole }
  const compared =
    name === 'engagementRate'
      ? compareRates(
          rows.map((row) => {
            const [value, before] = [ratio(row.value, row.whole), ratio(row.before, row.whole_before)]
            return { ...facts(row), value, before, like: value && before && { value, before, days: settled } }
          }),
          comparing,
        )
      : compareSums(
          rows.map((row) => {
            const { value, before, like_value: like, like_before: likeBefore } = row
            return {
              ...facts(row),
              value,
              before,
              // a channel that has no posts on the days compared is on one side only
              like: like === null || likeBefore === null ? null : { value: like, before: likeBefore, days: settled },
            }
          }),
          comparing,
        )
  const countOf = (side: FigureRow['side']) =>
    rows.filter((row) => row.side === side).reduce((sum, { channels }) => sum + channels, 0)
  return {
    ...compared,
    coverage: {
      ...compared.coverage,
      channels: {
        both: countOf('both'),
        onlyNow: countOf('onlyNow'),
        onlyBefore: countOf('onlyBefore'),
        notComparable: countOf('notComparable'),
      },
    },
  }
}
