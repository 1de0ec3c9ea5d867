import { platformFigure, platformFigures, summedPostFigures } from '#contract/analytics/catalog/catalog.ts'
import { FigureName } from '#contract/analytics/catalog/names.ts'
import {
  engagementNames,
  viewNames,
  type DerivedFigure,
  type FigureKey,
  type FigureSubject,
} from '#contract/analytics/names.ts'
import type { InsightsCard, insightsSummary, MissingReason } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { compared } from './compare.ts'
import { newest } from './newest.ts'
import type { Reader, Scope, ScopeChannel } from './scope.ts'
import { keyOf, rateOfAll, readTotals, sumOf, totalChannelFigures, type ChannelTotals, type Pair } from './totals.ts'

type Summary = ReplyOf<typeof insightsSummary>
type Figure = { subject: FigureSubject; name: FigureKey }

/** What figures of posts a derived one is made of; none where it needs no platform's report. */
const madeOf: Partial<Record<FigureKey, readonly FigureName[]>> = {
  published: [],
  viewsAndImpressions: viewNames,
  engagements: engagementNames,
  engagementRate: [...viewNames, ...engagementNames],
} satisfies Partial<Record<DerivedFigure, readonly FigureName[]>>

const cardFigures: readonly Figure[] = [
  ...(['published', 'viewsAndImpressions', 'engagements', 'engagementRate', ...summedPostFigures] as const).map(
    (name) => ({
      subject: 'post' as const,
      name,
    }),
  ),
  ...totalChannelFigures.map((name) => ({ subject: 'channel' as const, name })),
]

/** The totals of the scope. */
export async function readSummary(c: Reader, scope: Scope): Promise<Summary> {
  const { apart } = scope
  const totals = await readTotals(c, scope)
  const [added, separate] = [
    scope.channels.filter(({ platformName }) => !apart.includes(platformName)),
    apart.filter((platform) => scope.channels.some(({ platformName }) => platformName === platform)),
  ]
  const pairsOf = (channels: readonly ScopeChannel[], { subject, name }: Figure) =>
    sumOf(channels.flatMap(({ channelId }) => totals.get(channelId)?.figures.get(keyOf(subject, name)) ?? []))
  const rate = rateOfAll(added.flatMap(({ channelId }) => totals.get(channelId)?.rated ?? []))
  const published = countOf(pairsOf(scope.channels, { subject: 'post', name: 'published' }), scope)
  const cards = cardFigures.flatMap((figure): InsightsCard[] => {
    // a channel as a whole has nothing to say about some of its posts
    if (figure.subject === 'channel' && scope.posts !== null) return []
    const pair =
      figure.name === 'published' ? published : figure.name === 'engagementRate' ? rate : pairsOf(added, figure)
    const isReported = scope.channels.some(({ platformName }) => reports(platformName, figure))
    if (pair.value === null && pair.before === null && !isReported) return []
    return [
      {
        ...compared(figure.subject, figure.name, pair),
        holds: holdsOf(added, figure, totals),
        missing: missingOf(scope.channels, figure, totals, apart),
      },
    ]
  })
  return {
    range: scope.range,
    asOf: newest([...totals.values()].map(({ asOf }) => asOf)),
    cards,
    apart: separate.map((platform) => {
      const channels = scope.channels.filter(({ platformName }) => platformName === platform)
      return {
        platform,
        figures: cardFigures.flatMap((figure) => {
          const pair = pairsOf(channels, figure)
          const isOwn = FigureName.safeParse(figure.name).success
          return isOwn && (pair.value !== null || pair.before !== null)
            ? [compared(figure.subject, figure.name, pair)]
            : []
        }),
      }
    }),
  }
}

/** A number that we count: 0 where there's nothing. */
const countOf = ({ value, before }: Pair, { range }: Scope): Pair => ({
  value: value ?? 0,
  before: range.compare ? (before ?? 0) : null,
})

/** The figures of posts that it's made of. A rate needs both sides; the views or impressions say who has one. */
const parts = (figure: Figure): readonly FigureKey[] => madeOf[figure.name] ?? [figure.name]

/** Whether the platform reports the figure, or a part of it. */
function reports(platform: PlatformKey, figure: Figure): boolean {
  return (
    parts(figure).length === 0 || parts(figure).some((name) => termOf(platform, figure.subject, name) !== undefined)
  )
}

const termOf = (platform: PlatformKey, subject: FigureSubject, name: FigureKey): string | undefined => {
  const known = FigureName.safeParse(name)
  return known.success ? platformFigure(platform, subject, known.data)?.term : undefined
}

/** Which platforms' figures are in the value, under their own terms. */
function holdsOf(
  channels: readonly ScopeChannel[],
  figure: Figure,
  totals: ReadonlyMap<string, ChannelTotals>,
): InsightsCard['holds'] {
  const held = new Map<string, InsightsCard['holds'][number]>()
  for (const { channelId, platformName: platform } of channels)
    for (const name of parts(figure)) {
      const pair = totals.get(channelId)?.figures.get(keyOf(figure.subject, name))
      // figures that a platform no longer reports keep their name
      const term = termOf(platform, figure.subject, name) ?? name
      if (pair && pair.value !== null) held.set(`${platform} ${term}`, { platform, term })
    }
  return [...held.values()]
}

function missingOf(
  channels: readonly ScopeChannel[],
  figure: Figure,
  totals: ReadonlyMap<string, ChannelTotals>,
  apart: readonly PlatformKey[],
): InsightsCard['missing'] {
  return channels.flatMap((channel) => {
    const { channelId, platformName } = channel
    // counted by us, whatever platforms report
    if (figure.name === 'published') return []
    if (!reports(platformName, figure)) return channel.deleted ? [] : [{ channelId, reason: 'notReported' as const }]
    if (apart.includes(platformName)) return [{ channelId, reason: 'termsForbid' as const }]
    const told = totals.get(channelId)?.figures
    if (told?.get(keyOf(figure.subject, figure.name))?.value != null || channel.deleted) return []
    const followers = told?.get(keyOf('channel', 'followers'))?.value ?? null
    return [{ channelId, reason: whyNot(channel, figure.subject, followers) }]
  })
}

/** Why a channel has no value of a figure that its platform reports. */
function whyNot(channel: ScopeChannel, subject: FigureSubject, followers: number | null): MissingReason {
  const { needs = [], leastFollowers } = platformFigures[channel.platformName]
  if (channel.status !== 'CONNECTED') return 'disconnected'
  if (subject === 'channel' && needs.some((right) => channel.missingRights.includes(right))) return 'rightsMissing'
  if (leastFollowers !== undefined && followers !== null && followers < leastFollowers) return 'tooFewFollowers'
  return 'notReadYet'
}
