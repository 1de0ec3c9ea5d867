import { sql } from 'kysely'
import { summedPostFigures } from '#contract/analytics/catalog/catalog.ts'
import type { ComparedGroup, ComparedGroups, insightsCampaigns } from '#contract/analytics/compared.ts'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { isCountedHere, type FigureKey } from '#contract/analytics/names.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import { iso } from '../posts/rowJson.ts'
import { addDays } from '../rangeDays.ts'
import { totalsOf } from './channelTotals.ts'
import type { WindowSums } from './months.ts'
import { newest } from './newest.ts'
import { columnsOf, publishedIn, publishedPosts } from './postFigures.ts'
import { comparedPostDays, postSumsOf, storedNames } from './postSums.ts'
import { missingIn, readReadings } from './missing.ts'
import { planEachTime, type Reader, type Scope, type ScopeChannel } from './scope.ts'
import { totalOf, type Totals } from './totals.ts'
import { wantedOf } from './wanted.ts'

/** How many groups there are without ids: those with the most posts in the range. */
const MOST_GROUPS = 10

/** What posts are compared by: its table, and the table that says which posts belong to it. */
const kinds = {
  campaign: { table: sql`campaign`, links: sql`post_campaign`, link: sql`campaign_id` },
  label: { table: sql`label`, links: sql`post_label`, link: sql`label_id` },
} as const
export type GroupKind = keyof typeof kinds

type GroupRow = { id: string; name: string; color: ComparedGroup['color'] }
/** What a group's posts of one channel have to date that were published on the same days. */
type SumsRow = {
  id: string
  channel_id: string
  /** In the range; else in the days compared. */
  is_now: boolean
  is_like: boolean
  posts: number
  read_at: string | null
  sums: Record<string, number | null>
}
type Row = GroupRow & (SumsRow | { channel_id: null })

/**
 * Campaigns or labels side by side: the latest figures of their posts that were published in the range, and in the days
 * compared with it. Posts of platforms whose terms forbid sums count, but not their figures. Ids of other projects are left
 * out.
 */
export async function compareGroups(
  c: Reader,
  scope: Scope,
  kind: GroupKind,
  { ids, names }: Pick<QueryOf<typeof insightsCampaigns>, 'ids' | 'names'>,
): Promise<ComparedGroups> {
  const { org, project } = c
  const { range, channels } = scope
  const { table, links, link } = kinds[kind]
  const days = comparedPostDays(range, scope.today).figures
  const spans = [range, ...(range.compare ? [range.compare] : [])].map(({ from, to }, nth) => ({
    from,
    to,
    is: sql`${nth === 0}::bool`,
  }))
  // on the days that both ranges have
  const isLike = (span: { from: string }) =>
    days === 0
      ? sql`false`
      : publishedIn({ from: span.from, to: addDays(span.from, days - 1) }, project.zone, sql`f.shown_at`)
  const asked = figureNames.filter((name) => names?.includes(name) ?? true)
  await planEachTime(c.tx)
  const { record, sums } = columnsOf(storedNames(asked))
  const { rows } = await sql<Row>`
    with sums as materialized (
      select f.id, f.channel_id, f.is_now, f.is_like, count(*)::int as posts, max(f.read_at) as read_at, ${sums} as sums
      from (
        select x.${link} as id, f.channel_id, f.read_at, f.figures, f.span as is_now, case when f.span then ${isLike(range)} else ${isLike(range.compare ?? range)} end as is_like
        from ${publishedPosts(c, spans)} f join ${links} x on x.org_id = f.org_id and x.post_id = f.post_id
        where f.channel_id = any(${channels.map(({ channelId }) => channelId)}::uuid[])
          ${ids ? sql`and x.${link} = any(${[...ids]}::uuid[])` : sql``}
          ${scope.posts ? sql`and f.post_id in (${scope.posts})` : sql``}
      ) f cross join lateral ${record}
      group by f.id, f.channel_id, f.is_now, f.is_like
    ), chosen as materialized (
      select g.id, g.name, g.color, row_number() over (order by coalesce(sum(s.posts) filter (where s.is_now), 0) desc, lower(g.name), g.id) as nth
      from ${table} g left join sums s on s.id = g.id
      where g.org_id = ${org.orgId} and g.project_id = ${project.projectId} ${ids ? sql`and g.id = any(${[...ids]}::uuid[])` : sql``} ${ids && project.channelIds === null ? sql`` : sql`and s.id is not null`}
      group by g.id, g.name, g.color order by nth limit ${ids ? ids.length : MOST_GROUPS}
    )
    select c.id, c.name, c.color, s.channel_id, s.is_now, s.is_like, s.posts, ${iso('s.read_at')} as read_at, s.sums
    from chosen c left join sums s on s.id = c.id order by c.nth`.execute(c.tx)
  const groups = [...Map.groupBy(rows, ({ id }) => id).values()]
  const published = new Set(rows.flatMap((row) => (row.channel_id !== null && row.is_now ? [row.channel_id] : [])))
  const isPublishing = ({ channelId }: ScopeChannel) => published.has(channelId)
  const readings = await readReadings(c, { ...scope, channels: channels.filter(isPublishing) })
  return {
    range,
    groups: groups.flatMap((all): ComparedGroup[] => {
      const [group] = all
      const sumsOf = all.flatMap((row) => (row.channel_id === null ? [] : [row]))
      const totals = totalsIn(scope, asked, sumsOf)
      const count = (isNow: boolean) => sumsOf.reduce((sum, row) => sum + (row.is_now === isNow ? row.posts : 0), 0)
      return group === undefined
        ? []
        : [
            {
              id: group.id,
              name: group.name,
              color: group.color,
              posts: count(true),
              postsBefore: range.compare ? count(false) : null,
              figures: comparedFigures(scope, asked, totals),
              missing: missingOf(scope, asked, { totals, rows: sumsOf, readings }),
            },
          ]
    }),
    asOf: newest(rows.map((row) => (row.channel_id === null ? null : row.read_at))),
  }
}

const figureNames: readonly FigureKey[] = ['viewsAndImpressions', 'engagements', 'engagementRate', ...summedPostFigures]

/** What each channel's posts of a group have. */
function totalsIn(scope: Scope, names: readonly FigureKey[], rows: readonly SumsRow[]): Totals {
  const ofChannel = Map.groupBy(rows, ({ channel_id: id }) => id)
  return new Map(
    scope.channels.flatMap((channel) => {
      const own = ofChannel.get(channel.channelId)
      if (!own) return []
      const stored = new Map(storedNames(names).map((name) => [name, windowsOf(own, ({ sums }) => sums[name] ?? null)]))
      stored.set(
        'published',
        windowsOf(own, ({ posts }) => posts),
      )
      const asked = [...names, 'published' as const]
      const posts = postSumsOf(channel.channelId, asked, stored)
      const place = { scope, channel, wanted: wantedOf([], 'post', []), covered: undefined }
      const none = { series: [], levels: [], gains: [] }
      const totals = totalsOf(place, { ...none, posts }, { inTheseDays: [], postsPublished: asked })
      return [[channel.channelId, totals] as const]
    }),
  )
}

const summedIn = ({ channels, apart }: Scope): ScopeChannel[] =>
  channels.filter(({ platformName }) => !apart.includes(platformName))

/** The figures of a group that some of its posts have, each with its change. */
const comparedFigures = (scope: Scope, names: readonly FigureKey[], totals: Totals): ComparedFigure[] =>
  names.flatMap((name): ComparedFigure[] => {
    const figure = { base: 'postsPublished', name } as const
    const total = totalOf(scope, totals, isCountedHere(name) ? scope.channels : summedIn(scope), figure)
    if (total.value === null && total.before === null) return []
    return [{ ...figure, subject: 'post', ...total }]
  })

/** What the posts of a group that were published in the range aren't in, and why. */
function missingOf(
  scope: Scope,
  names: readonly FigureKey[],
  {
    totals,
    rows,
    readings,
  }: { totals: Totals; rows: readonly SumsRow[]; readings: Awaited<ReturnType<typeof readReadings>> },
): ComparedGroup['missing'] {
  const published = new Set(rows.flatMap((row) => (row.is_now ? [row.channel_id] : [])))
  const channels = scope.channels.filter(({ channelId }) => published.has(channelId))
  const figures = names.map((name) => ({ base: 'postsPublished', name }) as const)
  return missingIn({ ...scope, channels }, totals, figures, readings).map(
    ({ platform, reason, channelIds, figures: of }) => ({
      platform,
      reason,
      channels: channelIds.length,
      channelId: channelIds.length === 1 ? (channelIds[0] ?? null) : null,
      names: of.postsPublished ?? [],
    }),
  )
}

/** What these posts have of a figure in the range, in the days compared, and on the days that both have. */
function windowsOf(rows: readonly SumsRow[], valueOf: (row: SumsRow) => number | null): WindowSums {
  const sum = (isNow: boolean, isLike = false): number | null => {
    const values = rows.flatMap((row) => (row.is_now === isNow && (!isLike || row.is_like) ? (valueOf(row) ?? []) : []))
    return values.length === 0 ? null : values.reduce((all, value) => all + value, 0)
  }
  return {
    value: sum(true),
    before: sum(false),
    like_value: sum(true, true),
    like_before: sum(false, true),
    read_at: null,
  }
}
