import { sql } from 'kysely'
import { LEVEL_DAYS } from '#contract/analytics/growth.ts'
import { platformFigure, termsOf } from '#contract/analytics/catalog/catalog.ts'
import { windowFigures } from '#contract/analytics/catalog/names.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { ChannelReach, InsightsReach } from '#contract/analytics/reach.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { compareSums } from './likeWithLike.ts'
import { readSyncs, whyNotRead } from './missing.ts'
import { newest } from './newest.ts'
import type { Reader, Scope, ScopeChannel } from './scope.ts'

type WindowFigure = (typeof windowFigures)[number]
type Row = {
  id: string
  since: string | null
  followers: number | null
  day: string | null
  value: number | null
  before: number | null
  read_at: string | null
}

/** How many people each channel of the scope reached in as many days as the range has, if its platform counts them together. */
export async function readReach(c: Reader, scope: Scope): Promise<InsightsReach> {
  const { range } = scope
  const window = windowFigures.find(({ days }) => days === daysIn(range))
  const nothing = { range, days: window?.days ?? null, channels: [], missing: [], asOf: null }
  // posts that a filter chose aren't what people saw of the channel
  if (!window || scope.posts !== null) return nothing
  const asked = scope.channels.filter(({ platformName }) => platformFigure(platformName, 'channel', window.name))
  if (asked.length === 0) return nothing
  const rows = new Map((await readRows(c, scope, asked, window)).map((row) => [row.id, row]))
  const syncs = await readSyncs(c, asked)
  return {
    range,
    days: window.days,
    channels: asked.flatMap((channel) => reachOf(scope, channel, window, rows.get(channel.channelId)) ?? []),
    missing: asked.flatMap((channel): InsightsReach['missing'] => {
      const { channelId, deleted } = channel
      const row = rows.get(channelId)
      if (deleted || row?.day) return []
      const reason = whyNotRead(channel, { sync: syncs.get(channelId), followers: row?.followers ?? null })
      // other figures of the channel may be read for longer
      return [{ channelId, reason: reason === 'nothingReported' ? 'notReadYet' : reason, since: row?.since ?? null }]
    }),
    asOf: newest([...rows.values()].map((row) => row.read_at)),
  }
}

/** Each channel's newest value at the end of the range, and the one of as many days as long before as the days compared are. */
async function readRows(c: Reader, { range, today }: Scope, channels: readonly ScopeChannel[], { name }: WindowFigure) {
  const end = range.to < today ? range.to : today
  const { rows } = await sql<Row>`
    select ch.id, s.day::text as since, n.value::float8 as followers, l.day::text as day, l.value::float8 as value, b.value::float8 as before,
      to_char(l.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as read_at
    from unnest(${channels.map(({ channelId }) => channelId)}::uuid[]) ch(id)
    left join lateral (select f.day from channel_figure f where f.org_id = ${c.org.orgId} and f.channel_id = ch.id and f.name = ${name}
      order by f.day limit 1) s on true
    left join lateral (select f.value from channel_figure f where f.org_id = ${c.org.orgId} and f.channel_id = ch.id and f.name = 'followers'
      and f.day <= ${end}::date order by f.day desc limit 1) n on true
    left join lateral (select f.day, f.value, f.read_at from channel_figure f where f.org_id = ${c.org.orgId} and f.channel_id = ch.id and f.name = ${name}
      and f.day between ${end}::date - ${LEVEL_DAYS}::int and ${end}::date order by f.day desc limit 1) l on true
    left join channel_figure b on b.org_id = ${c.org.orgId} and b.channel_id = ch.id and b.name = ${name} and b.day = l.day - ${shiftOf(range)}::int`.execute(
    c.tx,
  )
  return rows
}

/** How many days before the range the days compared are; null if they're not as many, or share days with it. */
function shiftOf({ from, to, compare }: InsightsRange): number | null {
  if (!compare || daysIn(compare) !== daysIn({ from, to })) return null
  const shift = daysIn({ from: compare.from, to: from }) - 1
  return shift >= daysIn({ from, to }) ? shift : null
}

function reachOf(
  scope: Scope,
  { channelId, platformName: platform, deleted, status }: ScopeChannel,
  { name, days }: WindowFigure,
  row: Row | undefined,
): ChannelReach | undefined {
  if (!row?.day || row.value === null) return undefined
  const { day, value, before } = row
  const spanTo = (to: string) => ({ from: addDays(to, 1 - days), to })
  const shift = shiftOf(scope.range)
  const then = shift === null ? null : spanTo(addDays(day, -shift))
  const sums = {
    platform,
    value,
    before,
    days: null,
    daysBefore: null,
    like: before === null ? null : { value, before, days },
    finalUntil: day,
    day,
    isOver: deleted || status !== 'CONNECTED',
    delayDays: 0,
    keepDays: termsOf(platform, scope.accepted).keepDays,
  }
  // nothing to compare with is said where days were to be compared
  const compare = then ?? scope.range.compare
  const comparing = { range: { ...spanTo(day), compare }, today: scope.today, breaks: [] }
  return {
    channelId,
    ...spanTo(day),
    figure: { base: 'inTheseDays', subject: 'channel', name, ...compareSums([sums], comparing) },
    before: then,
  }
}
