import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { figureBases, isClicks, isCountedHere, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import type { InsightsCard, insightsSummary } from '#contract/analytics/overview.ts'
import { figuresOfBase, isReported, type Source } from '#contract/analytics/sources.ts'
import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Comparison } from './likeWithLike.ts'
import { missingIn, readReadings } from './missing.ts'
import { newest } from './newest.ts'
import { readNormals } from './normals.ts'
import { isWorkedOut, type Reader, type Scope, type ScopeChannel } from './scope.ts'
import { idOf } from './channelTotals.ts'
import { postsApart, postsWith, readTotals, subjectOf, totalOf, type Totals } from './totals.ts'

type Summary = ReplyOf<typeof insightsSummary>
type Figure = { base: FigureBase; name: FigureKey }

/** The figures of each base that a call asks for; all of them without names. */
export function namesOfBases(
  names: readonly FigureKey[] | undefined,
  postNames = names,
): Record<FigureBase, readonly FigureKey[]> {
  const of = (base: FigureBase, asked: typeof names) =>
    figuresOfBase[base].filter((name) => asked === undefined || asked.includes(name))
  return { inTheseDays: of('inTheseDays', names), postsPublished: of('postsPublished', postNames) }
}
export const listFigures = (names: Record<FigureBase, readonly FigureKey[]>): Figure[] =>
  figureBases.flatMap((base) => names[base].map((name) => ({ base, name })))

/** The totals of the scope, and of each platform if that's asked for. */
export async function readSummary(
  c: Reader,
  scope: Scope,
  {
    names,
    postNames = names,
    byPlatform = [],
    postsByPlatform = byPlatform,
    normal = false,
    totals: given,
  }: Pick<QueryOf<typeof insightsSummary>, 'names' | 'postNames' | 'byPlatform' | 'postsByPlatform'> & {
    normal?: boolean
    /** What the channels have, where that's read already. */
    totals?: Totals | undefined
  },
): Promise<Summary> {
  const { apart } = scope
  const asked = namesOfBases(names, postNames)
  const wanted = namesOfBases(names && [...names, ...byPlatform], postNames && [...postNames, ...postsByPlatform])
  const [totals, readings] = await Promise.all([given ?? readTotals(c, scope, wanted), readReadings(c, scope)])
  const isAdded = ({ platformName }: ScopeChannel) => !apart.includes(platformName)
  const added = scope.channels.filter(isAdded)
  const usual = normal ? await readNormals(c, { ...scope, channels: added }, wanted.inTheseDays) : undefined
  const withUsual = (channels: readonly ScopeChannel[], one: ComparedFigure): ComparedFigure =>
    usual ? { ...one, normal: one.base === 'inTheseDays' ? usual(channels, one.name) : null } : one
  const figure = (channels: readonly ScopeChannel[], { base, name }: Figure): ComparedFigure => {
    const posts = postsWith(totals, channels, { base, name })
    return {
      base,
      subject: subjectOf(scope, base),
      name,
      ...totalOf(scope, totals, channels, { base, name }),
      ...(posts ? { posts } : {}),
    }
  }
  const leftOut = postsApart(totals, scope)
  const cards = listFigures(asked).flatMap((one): InsightsCard[] => {
    // what we count is a total whatever platforms' terms say; of the others, a total says how many posts it leaves out
    const ofAll = isCountedHere(one.name) ? figure(scope.channels, one) : undefined
    // a figure of clicks is there once someone clicked
    if (ofAll && isClicks(one.name) && ofAll.value === null && ofAll.before === null) return []
    const total = ofAll ? countOf(ofAll, scope) : withApart(withUsual(added, figure(added, one)), leftOut)
    // a figure only of platforms that are on their own has no total
    const isKnown = (added.length > 0 ? added : scope.channels).some(({ platformName }) =>
      isReported(platformName, one, { postsOnly: scope.posts !== null }),
    )
    if (total.value === null && total.before === null && !isKnown) return []
    return [{ ...total, holds: isClicks(one.name) ? [] : holdsOf(added, one, totals) }]
  })
  const ofPlatform = [...Map.groupBy(scope.channels, ({ platformName }) => platformName)]
  return {
    range: scope.range,
    asOf: newest([...totals.values()].map(({ asOf }) => asOf)),
    cards,
    missing: missingIn(scope, totals, cards, readings),
    platforms: ofPlatform.flatMap(([platform, channels]): Summary['platforms'] => {
      const isApart = apart.includes(platform)
      const all = listFigures(namesOfBases(byPlatform, postsByPlatform))
        .filter(({ name }) => !isApart || isCountedHere(name))
        .map((one) => (isApart ? figure(channels, one) : withUsual(channels, figure(channels, one))))
      const has = ({ value, before }: ComparedFigure) => value !== null || before !== null
      const own = channels.filter(({ deleted }) => !deleted).length
      if (all.length === 0 || (own === 0 && !all.some(has))) return []
      const counted = all.map((one) => (one.name === 'published' ? countOf(one, scope) : one))
      return [{ platform, channels: own, figures: counted.filter(has) }]
    }),
    apart: apart.flatMap((platform): Summary['apart'] => {
      const channels = scope.channels.filter(({ platformName }) => platformName === platform)
      if (channels.length === 0) return []
      const isOwn = ({ name }: Figure) => !isCountedHere(name) && !isWorkedOut(name)
      const figures = listFigures(asked)
        .filter(isOwn)
        .map((one) => figure(channels, one))
      return [{ platform, figures: figures.filter(({ value, before }) => value !== null || before !== null) }]
    }),
  }
}

const withApart = ({ posts, ...figure }: ComparedFigure, apart: ReturnType<typeof postsApart>): ComparedFigure => ({
  ...figure,
  ...(posts ? { posts: apart.length > 0 ? { ...posts, apart } : posts } : {}),
})

/** A number that we count: 0 where there's nothing, as far as we know a channel's posts. */
export const countOf = <T extends Comparison>(figure: T, { range }: Scope): T => ({
  ...figure,
  value: figure.value ?? 0,
  // of channels whose posts weren't known before, there's no number
  before: range.compare ? (figure.before ?? (figure.coverage.channels.onlyNow > 0 ? null : 0)) : null,
  whyNotComparable:
    figure.whyNotComparable ?? (range.compare && figure.changePercent === null ? 'nothingBefore' : null),
})

/** Which platforms' figures are in the value, under their own terms. */
function holdsOf(channels: readonly ScopeChannel[], { base, name }: Figure, totals: Totals): InsightsCard['holds'] {
  const held = new Map<string, { platform: PlatformKey; source: Source['kind']; terms: Set<string> }>()
  for (const { channelId, platformName: platform } of channels)
    for (const { kind, names } of totals.get(channelId)?.sources.get(idOf(base, name)) ?? []) {
      const key = `${platform} ${kind}`
      const one = held.get(key) ?? { platform, source: kind, terms: new Set<string>() }
      held.set(key, one)
      const subject = kind === 'series' ? 'channel' : 'post'
      // figures that a platform no longer reports keep their name
      for (const part of names) one.terms.add(platformFigure(platform, subject, part)?.term ?? part)
    }
  return [...held.values()].map((one) => ({ ...one, terms: [...one.terms] }))
}
