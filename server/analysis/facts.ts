import type { AnalysisFact, AnalysisFacts } from '#contract/analytics/analysis.ts'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { findingsIn, type ToldGroup } from '#contract/analytics/findings.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { offeredBy, WORKED_LEAST_DAYS } from '#contract/analytics/worked.ts'
import { groupName } from '#contract/analytics/workedNames.ts'
import { excerptOf } from '#contract/excerpt.ts'
import { readChannelTotals } from '../analytics/channels.ts'
import type { Pictures } from '../analytics/postPictures.ts'
import { readPostTable } from '../analytics/postTable.ts'
import type { Reader, Scope } from '../analytics/scope.ts'
import { readShownNames } from '../analytics/shownNames.ts'
import { namesOfBases, readSummary } from '../analytics/summary.ts'
import { readTotals, type Totals } from '../analytics/totals.ts'
import { readWorked } from '../analytics/worked.ts'
import { addDays } from '../rangeDays.ts'

/** What facts are about: what most platforms report, and what means the same on each. */
const totals: FigureKey[] = [
  'published',
  'viewsAndImpressions',
  'engagements',
  'engagementRate',
  'followers',
  'followersGained',
  'followersLost',
  'reactions',
  'comments',
  'shares',
  'saves',
  'clicks',
]
const ofPosts: FigureKey[] = ['viewsAndImpressions', 'engagements', 'engagementRate']
const ofPlatforms: FigureKey[] = ['published', 'viewsAndImpressions', 'engagements', 'engagementRate', 'followers']
const ofChannels: FigureKey[] = ['viewsAndImpressions', 'engagements', 'followers']
/** Channels with the most engagements, and posts with the most. */
const MOST_CHANNELS = 12
/** Of a post's text, in characters: enough to recognize it. */
const POST_WORDS = 60
type Names = Awaited<ReturnType<typeof readShownNames>>
const POSTS = 3

type Subject = Pick<AnalysisFact, 'group'> & Partial<Pick<AnalysisFact, 'platform' | 'channel' | 'post'>>
type Unnumbered = Omit<AnalysisFact, 'id'>

/**
 * The closed list of what an analysis may say: figures that are shown elsewhere, of the channels of the scope, without platforms
 * whose terms forbid it. A post's first words are for the people who read the facts: no model gets them.
 */
export async function readFacts(c: Reader, whole: Scope, pictures: Pictures): Promise<AnalysisFacts> {
  const channels = whole.channels.filter(({ platformName }) => !whole.apart.includes(platformName))
  const scope: Scope = { ...whole, channels }
  // what chosen posts gained is worked out from each of their readings: once for both
  const known =
    scope.posts && (await readTotals(c, scope, namesOfBases([...totals, ...ofPlatforms], [...ofPosts, ...ofPlatforms])))
  const found = await readSummary(c, scope, {
    names: totals,
    postNames: ['published', ...ofPosts],
    byPlatform: ofPlatforms,
    totals: known ?? undefined,
  })
  const names = await readShownNames(c)
  const facts: Unnumbered[] = [
    ...found.cards.flatMap((card) => factsOf(card, { group: 'total' })),
    ...found.platforms.flatMap(({ platform, figures }) =>
      figures
        .filter(({ base, name }) => base === 'inTheseDays' || name === 'published')
        .flatMap((figure) => factsOf(figure, { group: 'platform', platform })),
    ),
    ...(await channelFacts(c, scope, names, known ?? undefined)),
    ...(await postFacts(c, scope, names, pictures)),
    ...(await workedFacts(c, scope)),
  ]
  return {
    range: scope.range,
    facts: facts.map((fact, place) => ({ id: `f${place + 1}`, ...fact })),
    platforms: [...new Set(channels.map(({ platformName }) => platformName))],
    apart: whole.apart.filter((platform) => whole.channels.some(({ platformName }) => platformName === platform)),
    asOf: found.asOf,
  }
}

/** A figure as a fact, if it has a value. Nothing published in either range is nothing to write about. */
function factsOf(figure: ComparedFigure, subject: Subject): Unnumbered[] {
  const { base, name, value, before, compared, whyNotComparable, changePercent, changePoints, coverage } = figure
  if (value === null || (name === 'published' && value === 0 && (before ?? 0) === 0)) return []
  return [
    {
      platform: null,
      channel: null,
      post: null,
      worked: null,
      ...subject,
      base,
      name,
      value,
      compared,
      whyNotComparable,
      coverage,
      changePercent,
      changePoints,
      finalUntil: coverage.finalUntil,
    },
  ]
}

async function channelFacts(c: Reader, scope: Scope, names: Names, totals?: Totals): Promise<Unnumbered[]> {
  // one channel has the figures of its platform
  if (scope.channels.length < 2) return []
  const { channels } = await readChannelTotals(c, scope, { names: ofChannels, totals })
  const engagementsOf = ({ figures }: (typeof channels)[number]) =>
    figures.find(({ base, name }) => base === 'inTheseDays' && name === 'engagements')?.value ?? -1
  return channels
    .filter(({ deleted }) => !deleted)
    .toSorted((a, b) => engagementsOf(b) - engagementsOf(a))
    .slice(0, MOST_CHANNELS)
    .flatMap(({ channelId, channelName: own, platformName: platform, figures }) =>
      figures
        .filter(({ base }) => base === 'inTheseDays')
        .flatMap((figure) =>
          factsOf(figure, {
            group: 'channel',
            platform,
            channel: { channelId, channelName: names.get(channelId) ?? own },
          }),
        ),
    )
}

/** The posts of the range with the most engagements so far. */
async function postFacts(c: Reader, scope: Scope, names: Names, pictures: Pictures): Promise<Unnumbered[]> {
  const { posts, channels } = await readPostTable(
    c,
    scope,
    { sort: 'engagements', order: 'desc', limit: POSTS, columns: ofPosts },
    pictures,
  )
  return posts.flatMap((post, place) => {
    const channel = channels.find(({ channelId }) => channelId === post.channelId)
    return ofPosts.flatMap((name): Unnumbered[] => {
      const value = post.figures[name]
      if (!channel || value === undefined || value === null) return []
      return [
        {
          group: 'post',
          base: 'postsPublished',
          name,
          platform: channel.platformName,
          channel: { channelId: channel.channelId, channelName: names.get(channel.channelId) ?? channel.channelName },
          post: { postId: post.postId, place: place + 1, excerpt: excerptOf(post.excerpt, POST_WORDS) },
          worked: null,
          value,
          compared: null,
          whyNotComparable: null,
          coverage: null,
          changePercent: null,
          changePoints: null,
          finalUntil: null,
        },
      ]
    })
  })
}

/** What clearly worked better, as "What worked" says it of engagements: by format, label, weekday, hour and length. */
async function workedFacts(c: Reader, scope: Scope): Promise<Unnumbered[]> {
  // no post of the range is old enough
  if (scope.range.from > addDays(scope.today, -WORKED_LEAST_DAYS)) return []
  const facts: Unnumbered[] = []
  for (const by of offeredBy) {
    // of the hours of a week, some always stand out by chance
    if (by === 'weekdayHour') continue
    for (const { high, low } of findingsIn(await readWorked(c, scope, { by, figure: 'engagements' })))
      facts.push({
        group: 'worked',
        base: 'postsPublished',
        name: 'engagements',
        platform: null,
        channel: null,
        post: null,
        worked: { by, high: sideOf(high), low: sideOf(low) },
        value: high.spread.median,
        compared: null,
        whyNotComparable: null,
        coverage: null,
        changePercent: null,
        changePoints: null,
        finalUntil: null,
      })
  }
  return facts
}

const sideOf = (group: ToldGroup): NonNullable<AnalysisFact['worked']>['high'] => {
  const { q1, median, q3 } = group.spread
  return { name: groupName(group), posts: group.posts, q1, median, q3 }
}
