import { breaks, type Break } from '#contract/analytics/catalog/catalog.ts'
import type { FigureBase, FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import { figuresOfBase, partsOf } from '#contract/analytics/sources.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { idOf, totalsOf, type ChannelTotals } from './channelTotals.ts'
import { readGainSums } from './gainSums.ts'
import { readKnownPosts } from './knownPosts.ts'
import { compareRates, compareSums, type Comparison } from './likeWithLike.ts'
import { readPostSums } from './postSums.ts'
import type { Reader, Scope, ScopeChannel } from './scope.ts'
import { readLevels, readSeriesSums } from './seriesSums.ts'
import { rateFor, sourceFor, wantedRows } from './wanted.ts'

export type Totals = ReadonlyMap<string, ChannelTotals>

/** What each channel of the scope has of these figures. */
export async function readTotals(
  c: Reader,
  scope: Scope,
  names: Record<FigureBase, readonly FigureKey[]> = figuresOfBase,
): Promise<Totals> {
  const wanted = wantedRows(scope, new Set(names.inTheseDays))
  const readPosts = async () => {
    const known = names.postsPublished.length > 0 ? await readKnownPosts(c, scope) : new Map<string, string>()
    return { known, posts: await readPostSums(c, scope, names.postsPublished, known) }
  }
  // sent without waiting in between: the database works on one while the rows of another are read
  const [series, levels, gains, { known, posts }] = await Promise.all([
    readSeriesSums(c, scope, wanted),
    readLevels(c, scope, wanted),
    readGainSums(c, scope, wanted),
    readPosts(),
  ])
  const found = {
    series: Map.groupBy(series, ({ channel_id: id }) => id),
    levels: Map.groupBy(levels, ({ channel_id: id }) => id),
    gains: Map.groupBy(gains.sums, ({ channel_id: id }) => id),
    posts: Map.groupBy(posts, ({ channel_id: id }) => id),
  }
  return new Map(
    scope.channels.flatMap((channel) => {
      const { channelId: id } = channel
      const covered = gains.covered.get(id)
      const rows = {
        series: found.series.get(id) ?? [],
        levels: found.levels.get(id) ?? [],
        gains: found.gains.get(id) ?? [],
        posts: found.posts.get(id) ?? [],
      }
      if (!covered && Object.values(rows).every(({ length }) => length === 0)) return []
      return [[id, totalsOf({ scope, channel, wanted, covered, knownFrom: known.get(id) }, rows, names)] as const]
    }),
  )
}

/** The total of a figure over channels, with its change. */
export function totalOf(
  scope: Scope,
  totals: Totals,
  channels: readonly ScopeChannel[],
  { base, name }: { base: FigureBase; name: FigureKey },
): Comparison {
  const id = idOf(base, name)
  const comparing = { range: scope.range, today: scope.today, breaks: breaksOf(base, name, channels, scope) }
  const own = channels.flatMap(({ channelId }) => totals.get(channelId) ?? [])
  return name === 'engagementRate'
    ? compareRates(
        own.flatMap(({ rates }) => rates.get(id) ?? []),
        comparing,
      )
    : compareSums(
        own.flatMap(({ sums }) => sums.get(id) ?? []),
        comparing,
      )
}

/** How many posts that these channels published in the range have a figure, of how many; undefined where it isn't one of posts. */
export function postsWith(
  totals: Totals,
  channels: readonly ScopeChannel[],
  { base, name }: { base: FigureBase; name: FigureKey },
): { known: number; all: number } | undefined {
  if (base !== 'postsPublished' || name === 'published') return undefined
  const all = sumOfPosts(totals, channels, 'published')
  return all === 0 ? undefined : { known: sumOfPosts(totals, channels, name), all }
}

/** How many posts of the range each platform has that isn't in totals by its terms; nothing of platforms without one. */
export const postsApart = (totals: Totals, scope: Scope): { platform: PlatformKey; posts: number }[] =>
  scope.apart.flatMap((platform) => {
    const channels = scope.channels.filter(({ platformName }) => platformName === platform)
    const posts = sumOfPosts(totals, channels, 'published')
    return posts > 0 ? [{ platform, posts }] : []
  })

const sumOfPosts = (totals: Totals, channels: readonly ScopeChannel[], of: FigureKey): number =>
  channels.reduce((all, { channelId }) => all + (totals.get(channelId)?.posts.get(of) ?? 0), 0)

/** The breaks in how these channels' platforms count a figure. */
export function breaksOf(base: FigureBase, name: FigureKey, channels: readonly ScopeChannel[], scope: Scope): Break[] {
  return breaks.filter(({ platform, subject, figure }) => {
    if (!partsOf(name === 'engagementRate' ? 'viewsAndImpressions' : name).includes(figure)) return false
    const channel = channels.find(({ platformName }) => platformName === platform)
    if (!channel) return false
    if (base === 'postsPublished') return subject === 'post'
    const side = name === 'engagementRate' ? rateFor(scope, channel)?.whole : sourceFor(scope, channel, name)
    return (
      side !== undefined && side.names.includes(figure) && subject === (side.kind === 'series' ? 'channel' : 'post')
    )
  })
}

/** Whose a figure is: of posts alone, or of the channel as a whole. */
export const subjectOf = ({ posts }: Pick<Scope, 'posts'>, base: FigureBase): FigureSubject =>
  base === 'postsPublished' || posts !== null ? 'post' : 'channel'
