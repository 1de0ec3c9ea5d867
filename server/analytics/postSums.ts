import { sql } from 'kysely'
import type { FigureKey } from '#contract/analytics/names.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { publishedIn } from './postFigures.ts'
import type { Reader, Scope } from './scope.ts'

/** Posts' figures to date, added up per channel. */
export type PostSums = {
  channel_id: string
  name: FigureKey
  value: number | null
  before: number | null
  /** Of the posts published in the days that both ranges have. */
  like_value: number | null
  like_before: number | null
  /** The two sides of the engagement rate, of posts that have both. */
  part: number | null
  whole: number | null
  part_before: number | null
  whole_before: number | null
}

/** How old posts have to be until sums of their figures are compared: by then, they have most of what they get. */
const SETTLED_DAYS = 7

/**
 * How many days from the start of each range are compared: the count of posts up to yesterday; their figures on the days whose
 * posts had time, if that's at least half of them. 0: none.
 */
export function comparedPostDays(range: Scope['range'], today: string): { published: number; figures: number } {
  const { compare } = range
  if (!compare) return { published: 0, figures: 0 }
  const both = Math.min(daysIn(range), daysIn(compare))
  const until = (back: number) => Math.min(both, Math.max(0, daysIn({ from: range.from, to: addDays(today, -back) })))
  const settled = until(SETTLED_DAYS)
  return { published: until(1), figures: settled * 2 < both ? 0 : settled }
}

/** As `delayDays` of posts' figures: days that ended later aren't compared yet. */
export const POSTS_DELAY_DAYS = SETTLED_DAYS - 1

/** The figures to date of the scope's posts that were published in the range, and in the days compared. */
export async function readPostSums(
  c: Reader,
  scope: Scope,
  today: string,
  names: readonly FigureKey[],
): Promise<PostSums[]> {
  const { org, project } = c
  const { range, channels } = scope
  const { compare } = range
  if (names.length === 0 || channels.length === 0) return []
  const shown = sql`f.shown_at`
  const now = publishedIn(range, project.zone, shown)
  const before = compare ? publishedIn(compare, project.zone, shown) : sql<boolean>`false`
  const days = comparedPostDays(range, today)
  const first = (from: string, of: number) =>
    of === 0 ? sql`false` : publishedIn({ from, to: addDays(from, of - 1) }, project.zone, shown)
  const isLike = (from: string) =>
    sql`case when f.name = 'published' then ${first(from, days.published)} else ${first(from, days.figures)} end`
  const { rows } = await sql<PostSums>`
    select f.channel_id, f.name, (sum(f.value) filter (where ${now}))::bigint as value, (sum(f.value) filter (where ${before}))::bigint as before,
      (sum(f.value) filter (where ${isLike(range.from)}))::bigint as like_value, ${compare ? sql`(sum(f.value) filter (where ${isLike(compare.from)}))::bigint` : sql`null::bigint`} as like_before,
      (sum(f.part) filter (where ${now}))::bigint as part, (sum(f.whole) filter (where ${now}))::bigint as whole,
      (sum(f.part) filter (where ${before}))::bigint as part_before, (sum(f.whole) filter (where ${before}))::bigint as whole_before
    from post_figure f
    where f.org_id = ${org.orgId} and f.project_id = any(${scope.projectIds}::uuid[]) and f.name = any(${[...names]}::text[]) and f.channel_id = any(${channels.map(({ channelId }) => channelId)}::uuid[])
      and (${now} or ${before}) ${scope.posts ? sql`and exists (select from measured_post p where p.org_id = f.org_id and p.id = f.post_id and ${scope.posts})` : sql``}
    group by f.channel_id, f.name`.execute(c.tx)
  return rows
}
