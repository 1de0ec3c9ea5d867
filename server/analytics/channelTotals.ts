import { LEVEL_DAYS } from '#contract/analytics/growth.ts'
import { termsOf } from '#contract/analytics/catalog/catalog.ts'
import { isClicks, isCountedHere, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import { figureSource, type Source } from '#contract/analytics/sources.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { DAYS_TO_END, wholeDays, type Covered, type GainSums } from './gainSums.ts'
import { knownDaysOf } from './knownPosts.ts'
import { addParts, likeOf, type ChannelRate, type ChannelSums } from './likeWithLike.ts'
import { newest } from './newest.ts'
import { comparedPostDays, POSTS_DELAY_DAYS, type PostSums } from './postSums.ts'
import type { Scope, ScopeChannel } from './scope.ts'
import type { Level, SeriesSums } from './seriesSums.ts'
import { rateFor, sourceFor, type Wanted } from './wanted.ts'

/** A figure by its base and name: there is one of each. */
export type FigureId = `${FigureBase}.${FigureKey}`
export const idOf = (base: FigureBase, name: FigureKey): FigureId => `${base}.${name}`

/** What one channel has of each figure, where it comes from, and when the newest reading behind it was taken. */
export type ChannelTotals = {
  sums: Map<FigureId, ChannelSums>
  rates: Map<FigureId, ChannelRate>
  sources: Map<FigureId, readonly Source[]>
  /** How many posts published in the range have each figure. */
  posts: Map<FigureKey, number>
  /** Whether posts of the channel were read around the range. */
  isRead: boolean
  asOf: string | null
}

type Place = {
  scope: Scope
  channel: ScopeChannel
  wanted: Wanted
  covered: CoveredDays
  /** The first day of which all posts are known; undefined if they are of all days. */
  knownFrom?: string | undefined
}
type Rows = { series: SeriesSums[]; levels: Level[]; gains: GainSums[]; posts: PostSums[] }

/** A channel's figures, from what the queries added up. */
export function totalsOf(
  { covered, ...at }: Omit<Place, 'covered'> & { covered: Covered | undefined },
  rows: Rows,
  names: Record<FigureBase, readonly FigureKey[]>,
): ChannelTotals {
  const { scope, channel } = at
  const place = { ...at, covered: coveredDays(scope.range, covered) }
  const totals: ChannelTotals = {
    sums: new Map(),
    rates: new Map(),
    sources: new Map(),
    posts: new Map(rows.posts.flatMap(({ name, posts }) => (posts === undefined ? [] : [[name, posts]]))),
    isRead: covered !== undefined,
    asOf: newest([
      ...rows.series.map((row) => row.read_at),
      ...rows.levels.map((row) => row.read_at),
      ...(scope.posts === null ? [covered?.read_at ?? null] : rows.gains.map((row) => row.read_at)),
    ]),
  }
  for (const name of names.inTheseDays) {
    const id = idOf('inTheseDays', name)
    if (name === 'engagementRate') {
      const sources = rateFor(scope, channel)
      const rate = sources && (sources.part.kind === 'series' ? seriesRate(place, rows) : gainRate(place, rows))
      if (rate) totals.rates.set(id, rate)
      if (sources && rate?.value)
        totals.sources.set(id, [reportedOf(sources.whole, rows), reportedOf(sources.part, rows)])
      continue
    }
    const source = sourceFor(scope, channel, name)
    if (!source) continue
    const parts = source.names.flatMap((part) =>
      source.kind === 'series' ? (seriesPart(place, rows, part) ?? []) : (gainPart(place, rows, part) ?? []),
    )
    const sums = addParts(parts)
    if (sums) totals.sums.set(id, sums)
    if (sums && sums.value !== null) totals.sources.set(id, [reportedOf(source, rows)])
  }
  for (const name of names.postsPublished) {
    const row = rows.posts.find((one) => one.name === name)
    const id = idOf('postsPublished', name)
    if (!row) continue
    if (name === 'engagementRate') totals.rates.set(id, postRate(place, row))
    else totals.sums.set(id, postPart(place, row))
    const source =
      name === 'engagementRate' ? rateOfPosts(channel) : figureSource(channel.platformName, 'postsPublished', name)
    if (source && (row.value !== null || row.whole !== null)) totals.sources.set(id, [source])
  }
  return totals
}

/** The source with the names that have a value. */
function reportedOf({ kind, names }: Source, { series, levels, gains }: Rows): Source {
  const rows: readonly { name: string; value: number | null }[] = kind === 'series' ? [...series, ...levels] : gains
  return { kind, names: names.filter((name) => rows.some((row) => row.name === name && row.value !== null)) }
}

const rateOfPosts = ({ platformName }: ScopeChannel): Source => ({
  kind: 'posts',
  names: (['viewsAndImpressions', 'engagements'] as const).flatMap(
    (side) => figureSource(platformName, 'postsPublished', side)?.names ?? [],
  ),
})

type Facts = Pick<ChannelSums, 'platform' | 'delayDays' | 'keepDays' | 'isOver'>
const factsOf = ({ scope, channel }: Place, delayDays: number): Facts => ({
  platform: channel.platformName,
  delayDays,
  keepDays: termsOf(channel.platformName, scope.accepted).keepDays,
  isOver: channel.deleted || channel.status !== 'CONNECTED',
})
const delayOf = ({ wanted, channel }: Place, name: string): number => {
  const of = wanted.channels.find(({ id }) => id === channel.channelId)?.of
  return wanted.rows.find((row) => row.of === of && row.name === name && row.kind !== 'gain')?.delayDays ?? 0
}

function seriesPart(place: Place, { series, levels }: Rows, name: string): ChannelSums | undefined {
  const level = levels.find((row) => row.name === name)
  if (level) return levelPart(place, level)
  const row = series.find((one) => one.name === name)
  if (!row) return undefined
  const common = { value: row.like_value, before: row.like_before, days: row.like_days }
  return {
    ...factsOf(place, delayOf(place, name)),
    value: row.value,
    before: row.before,
    days: row.days,
    daysBefore: row.days_before,
    like: likeOf(common, { days: row.days, daysBefore: row.days_before }),
    finalUntil: row.final_at === null ? null : addDays(place.scope.range.from, row.final_at),
  }
}

const levelPart = (place: Place, { value, before, day }: Level): ChannelSums => ({
  ...factsOf(place, 0),
  value,
  before,
  days: null,
  daysBefore: null,
  like: value === null || before === null ? null : { value, before, days: LEVEL_DAYS },
  finalUntil: day,
  day,
})

function seriesRate(place: Place, { series }: Rows): ChannelRate | undefined {
  const row = series.find((one) => one.name === 'engagementRate')
  if (!row || (row.days === 0 && row.days_before === 0)) return undefined
  const { days, days_before: daysBefore } = row
  const [value, before] = [ratioOf(row.value, row.whole), ratioOf(row.before, row.whole_before)]
  const [like, likeBefore] = [ratioOf(row.like_value, row.like_whole), ratioOf(row.like_before, row.like_whole_before)]
  const isEnough = row.like_days * 2 >= Math.max(days, daysBefore)
  return {
    ...factsOf(place, delayOf(place, 'views') || delayOf(place, 'impressions')),
    value,
    before,
    days,
    daysBefore,
    like: like && likeBefore && isEnough ? { value: like, before: likeBefore, days: row.like_days } : null,
    finalUntil: row.final_at === null ? null : addDays(place.scope.range.from, row.final_at),
  }
}

const ratioOf = (part: number | null, whole: number | null) =>
  part === null || whole === null ? null : { part, whole }

function gainPart(place: Place, { gains }: Rows, name: string): ChannelSums | undefined {
  const row = gains.find((one) => one.name === name)
  if (!row || (row.value === null && row.before === null)) return undefined
  if (isClicks(name)) return clicksPart(place, row)
  const days = place.covered
  return {
    ...factsOf(place, DAYS_TO_END),
    value: row.value,
    before: row.before,
    days: days.days,
    daysBefore: days.daysBefore,
    like:
      row.value === null || row.before === null
        ? null
        : likeOf({ value: row.like_value, before: row.like_before, days: days.common }, days),
    finalUntil: days.finalUntil,
  }
}

/** Clicks that we count: 0 on days without any, whatever was read of the channel. */
function clicksPart(place: Place, { value, before, like_value: like, like_before: likeBefore }: GainSums): ChannelSums {
  const { range, today } = place.scope
  const { days, daysBefore } = knownDaysOf(range, undefined)
  const { published: common } = comparedPostDays(range, today)
  return {
    ...countFacts(place),
    value: value ?? 0,
    before: range.compare ? (before ?? 0) : null,
    days,
    daysBefore,
    like: likeOf({ value: like ?? 0, before: likeBefore ?? 0, days: common }, ALL_KNOWN),
    finalUntil: earlier(range.to, addDays(today, -1)),
  }
}

/** How many days of each range a channel's readings cover, and of both. */
type CoveredDays = { days: number; daysBefore: number; common: number; finalUntil: string | null }

function coveredDays(range: Scope['range'], covered: Covered | undefined): CoveredDays {
  const { compare } = range
  if (!covered) return { days: 0, daysBefore: 0, common: 0, finalUntil: null }
  const within = ({ from, to }: { from: string; to: string }) =>
    Math.max(0, daysIn({ from: later(from, covered.first), to: earlier(to, covered.last) }))
  const last = addDays(covered.last, -DAYS_TO_END)
  const { low, high } = wholeDays(range, covered)
  return {
    days: within(range),
    daysBefore: compare ? within(compare) : 0,
    common: Math.max(0, high - low + 1),
    finalUntil: last >= range.from ? earlier(last, range.to) : null,
  }
}
const later = (one: string, other: string) => (one > other ? one : other)
const earlier = (one: string, other: string) => (one < other ? one : other)

function gainRate(place: Place, { gains }: Rows): ChannelRate | undefined {
  const row = gains.find(({ name }) => name === 'engagementRate')
  const [value, before] = [
    ratioOf(row?.value ?? null, row?.whole ?? null),
    ratioOf(row?.before ?? null, row?.whole_before ?? null),
  ]
  if (!row || (!value && !before)) return undefined
  const { days, daysBefore, common, finalUntil } = place.covered
  const [like, likeBefore] = [ratioOf(row.like_value, row.like_whole), ratioOf(row.like_before, row.like_whole_before)]
  const isEnough = common > 0 && common * 2 >= Math.max(days, daysBefore)
  return {
    ...factsOf(place, DAYS_TO_END),
    value,
    before,
    days,
    daysBefore,
    like: like && likeBefore && isEnough ? { value: like, before: likeBefore, days: common } : null,
    finalUntil,
  }
}

function postPart(place: Place, row: PostSums): ChannelSums {
  const { range } = place.scope
  const isCount = row.name === 'published'
  const { published, figures } = comparedPostDays(range, place.scope.today)
  const { days, daysBefore, low } = knownDaysOf(range, place.knownFrom)
  const common = Math.max(0, (isCount ? published : figures) - low)
  const nothing = isCount && daysBefore > 0 ? 0 : null
  const [value, before] = [row.value ?? (isCount ? 0 : null), row.before ?? nothing]
  const [like, likeBefore] = [row.like_value ?? (isCount ? 0 : null), row.like_before ?? nothing]
  return {
    ...postFacts(place, row.name),
    value,
    before,
    days,
    daysBefore,
    like:
      // a channel that has no posts on the days compared is on one side only
      !isCountedHere(row.name) && isForgotten(place)
        ? null
        : likeOf({ value: like, before: likeBefore, days: common }, low === 0 ? ALL_KNOWN : { days, daysBefore }),
    finalUntil: isCount ? earlier(range.to, addDays(place.scope.today, -1)) : null,
  }
}

/** Nothing is left out but days that are still to come, of which `comparedPostDays` decides. */
const ALL_KNOWN = { days: 0, daysBefore: 0 }

function postRate(place: Place, row: PostSums): ChannelRate {
  const { range, today } = place.scope
  const { days, daysBefore, low } = knownDaysOf(range, place.knownFrom)
  // on the days on which its two sides are compared
  const common = Math.max(0, comparedPostDays(range, today).figures - low)
  const isEnough = common > 0 && (low === 0 || common * 2 >= Math.max(days, daysBefore))
  const [value, before] = [ratioOf(row.part, row.whole), ratioOf(row.part_before, row.whole_before)]
  const [like, likeBefore] = [
    ratioOf(row.like_part, row.like_whole),
    ratioOf(row.like_part_before, row.like_whole_before),
  ]
  return {
    ...postFacts(place, row.name),
    value,
    before,
    days,
    daysBefore,
    like:
      like && likeBefore && isEnough && !isForgotten(place) ? { value: like, before: likeBefore, days: common } : null,
    finalUntil: null,
  }
}

/** Whether figures of posts of these days had to be deleted. */
function isForgotten({ scope, channel }: Place): boolean {
  const { keepDays } = termsOf(channel.platformName, scope.accepted)
  const { from, compare } = scope.range
  return keepDays !== null && earlier(from, compare?.from ?? from) < addDays(scope.today, -keepDays)
}

/** Of what we count, which no terms make us delete. */
const countFacts = (place: Place): Facts => ({ ...factsOf(place, 0), keepDays: null })
const postFacts = (place: Place, name: FigureKey): Facts => ({
  ...factsOf(place, name === 'published' ? 0 : POSTS_DELAY_DAYS),
  ...(isCountedHere(name) && { keepDays: null }),
})
