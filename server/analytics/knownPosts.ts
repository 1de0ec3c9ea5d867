import { sql } from 'kysely'
import { addDays, daysIn } from '../rangeDays.ts'
import { addDaysTo, dayNumber, noDays } from './packedDays.ts'
import type { Reader, Scope } from './scope.ts'

/*
 * From which day on all posts of a channel are known. Its list was read back to its beginning, or to the oldest post that was imported;
 * without a list, posts are known from the day after the channel was connected. Stories are listed for a day, so a channel with stories
 * is known from there, too. Posts of days before aren't all of them, and can't be compared.
 */

/** The first day of which all posts of each channel are known; channels whose list was read completely have none. */
export type KnownPosts = ReadonlyMap<string, string>

type Row = { id: string; connected: string; list: 'all' | 'part' | 'none'; month: string | null; counts: Buffer | null }

/** Reads from which day on each channel's posts are known. Posts of ours, such as those of a campaign, always are. */
export async function readKnownPosts(c: Reader, scope: Scope): Promise<KnownPosts> {
  const { range, channels, posts } = scope
  if (posts !== null || channels.length === 0) return new Map()
  const ids = channels.map(({ channelId }) => channelId)
  const { rows } = await sql<Row>`
    select ch.id, ((ch.connected_at at time zone ${c.project.zone})::date + 1)::text as connected, m.month::text, m.counts,
      case when s.read_at is null then 'none' when s.cursor is not null then 'part' when s.imported >= s.wanted then 'all' else 'none' end as list
    from channel ch left join insight_sync s on s.org_id = ch.org_id and s.channel_id = ch.id and s.kind = 'posts'
    left join lateral (
      select month, counts from figure_month f where f.org_id = ch.org_id and f.channel_id = ch.id and f.kind = 'posts' and f.name = 'published' and f.total_count > 0
      order by month limit 1
    ) m on s.cursor is not null
    where ch.org_id = ${c.org.orgId} and ch.id = any(${ids}::uuid[])`.execute(c.tx)
  const first = earlier(range.from, range.compare?.from ?? range.from)
  const late = rows.filter(({ connected, list }) => list !== 'none' && connected > first)
  const withStories = await readStories(c, scope, late)
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const listed = row.list === 'part' ? oldestOf(row) : null
      if (withStories.has(row.id) || row.list === 'none' || (row.list === 'part' && listed === null))
        return [[row.id, row.connected]]
      // the day of the oldest post may have had others
      return listed === null ? [] : [[row.id, earlier(row.connected, addDays(listed, 1))]]
    }),
  )
}

/** The first day that has a post. */
function oldestOf({ id, month, counts }: Row): string | null {
  if (month === null || counts === null) return null
  const days = noDays({ from: month, to: addDays(month, 30) })
  const first = dayNumber(month)
  addDaysTo(days, first, {
    channel_id: id,
    name: 'published',
    first,
    amounts: Buffer.alloc(31 * 8),
    counts,
    read: null,
  })
  const nth = days.counts.findIndex((count) => count > 0)
  return nth < 0 ? null : addDays(month, nth)
}

/** Those of the channels that have stories in the range or in the days compared. */
async function readStories(c: Reader, { range }: Scope, channels: readonly Row[]): Promise<ReadonlySet<string>> {
  if (channels.length === 0) return new Set()
  const { zone } = c.project
  const { from, to, compare } = range
  const [first, last] = [earlier(from, compare?.from ?? from), compare && compare.to > to ? compare.to : to]
  const { rows } = await sql<{ id: string }>`
    select distinct m.channel_id as id from measured_post m
    where m.org_id = ${c.org.orgId} and m.project_id = ${c.project.projectId} and m.post_type = 'story' and m.channel_id = any(${channels.map(({ id }) => id)}::uuid[])
      and m.shown_at >= day_begins(${first}::date, ${zone}) and m.shown_at < day_begins(${last}::date + 1, ${zone})`.execute(
    c.tx,
  )
  return new Set(rows.map(({ id }) => id))
}

/** How many days of each range are known, and from which distance to their starts on those of both are. */
export type KnownDays = { days: number; daysBefore: number; low: number }

/** What is known of the ranges of a channel whose posts are known from a day on; all of them without one. */
export function knownDaysOf({ from, to, compare }: Scope['range'], known: string | undefined): KnownDays {
  const unknownOf = (range: { from: string; to: string }) =>
    known === undefined ? 0 : Math.min(daysIn(range), Math.max(0, daysIn({ from: range.from, to: known }) - 1))
  const [now, before] = [unknownOf({ from, to }), compare ? unknownOf(compare) : 0]
  return {
    days: daysIn({ from, to }) - now,
    daysBefore: compare ? daysIn(compare) - before : 0,
    low: Math.max(now, before),
  }
}

/** The first day of which all posts of at least one of these channels are known; null if they always were. */
export function firstKnownDay(known: KnownPosts, channelIds: readonly string[]): string | null {
  const days = channelIds.flatMap((id) => known.get(id) ?? [])
  return channelIds.length === 0 || days.length < channelIds.length ? null : days.reduce(earlier)
}

const earlier = (one: string, other: string): string => (one < other ? one : other)
