import type { PlatformKey } from '../platforms/rules.ts'
import { namesOf, platformFigure, platformFigures, summedPostFigures } from './catalog/catalog.ts'
import { definitionOf, FigureName } from './catalog/names.ts'
import { engagementNames, viewNames, type FigureBase, type FigureKey } from './names.ts'

/*
 * Where a figure of "in these days" comes from, per platform, so that nothing is counted twice: the channel's own days where the
 * platform reports them, else what its posts gained in these days.
 */

/** `series`: the channel's own days. `gains`: what its posts gained. `posts`: the posts' figures to date. */
export const figureSources = ['series', 'gains', 'posts'] as const
type FigureSource = (typeof figureSources)[number]
/** The figures of the catalog that a figure is made of, and whose they are. */
export type Source = { kind: FigureSource; names: readonly FigureName[] }

/** What only a channel as a whole has, even if its posts have something of the same name: theirs is a part of it. */
const ofChannelsOnly: readonly FigureKey[] = ['profileViews', 'followersGained']

const channelHas = (platform: PlatformKey, name: FigureName) => platformFigure(platform, 'channel', name) !== undefined
const postHas = (platform: PlatformKey, name: FigureName) =>
  summedPostFigures.includes(name) && platformFigure(platform, 'post', name) !== undefined
const sourceOf = (kind: FigureSource, names: readonly FigureName[]): Source | undefined =>
  names.length > 0 ? { kind, names } : undefined

/** What posts of the platform report for a figure: the part of it that can be added up. */
const ofPosts = (platform: PlatformKey, kind: 'gains' | 'posts', name: FigureKey): Source | undefined =>
  sourceOf(
    kind,
    partsOf(name).filter((part) => postHas(platform, part)),
  )

/**
 * What a figure of the platform's channels is made of in a base; undefined if the platform doesn't report it. With `postsOnly` (a
 * filter for posts, or an account without days of its own) it's only what posts gained. The two sides of a rate have sources of
 * their own.
 */
export function figureSource(
  platform: PlatformKey,
  base: FigureBase,
  name: FigureKey,
  { postsOnly = false }: { postsOnly?: boolean } = {},
): Source | undefined {
  if (base === 'postsPublished') return ofPosts(platform, 'posts', name)
  if (postsOnly) return ofPosts(platform, 'gains', name)
  if (name === 'engagements') {
    const own = engagementNames.filter((part) => channelHas(platform, part))
    // clicks or saves alone aren't what people did with a channel
    if (own.includes('reactions') || own.includes('comments')) return { kind: 'series', names: own }
    if (channelHas(platform, 'interactions')) return { kind: 'series', names: ['interactions'] }
    return ofPosts(platform, 'gains', name)
  }
  const own = partsOf(name).filter((part) => channelHas(platform, part) && definitionOf(part).adds !== 'none')
  if (own.length > 0) return { kind: 'series', names: own }
  return ofChannelsOnly.includes(name) ? undefined : ofPosts(platform, 'gains', name)
}

/**
 * The two sides of the engagement rate. Both have to be counted the same way: by the channel's own days, or as what posts gained.
 */
export function rateSources(
  platform: PlatformKey,
  options: { postsOnly?: boolean } = {},
): { part: Source; whole: Source } | undefined {
  const [part, whole] = (['engagements', 'viewsAndImpressions'] as const).map((name) =>
    figureSource(platform, 'inTheseDays', name, options),
  )
  return part && whole && part.kind === whole.kind ? { part, whole } : undefined
}

/** Whether the platform reports a figure of a base at all. Posts are counted by us. */
export function isReported(
  platform: PlatformKey,
  { base, name }: { base: FigureBase; name: FigureKey },
  options: { postsOnly?: boolean } = {},
): boolean {
  if (name === 'published') return base === 'postsPublished'
  if (name !== 'engagementRate') return figureSource(platform, base, name, options) !== undefined
  return base === 'inTheseDays'
    ? rateSources(platform, options) !== undefined
    : (['viewsAndImpressions', 'engagements'] as const).every((side) => figureSource(platform, base, side))
}

/** The figures of the catalog that a figure is the sum of. */
export function partsOf(name: FigureKey): readonly FigureName[] {
  if (name === 'viewsAndImpressions') return viewNames
  if (name === 'engagements') return engagementNames
  const known = FigureName.safeParse(name)
  return known.success ? [known.data] : []
}

/** Each is in `viewsAndImpressions`. */
const isWithinViews = (name: FigureName) => viewNames.some((one) => one === name)
const channelNames = namesOf('channel').filter((name) => definitionOf(name).adds !== 'none' && !isWithinViews(name))
const postNames = summedPostFigures.filter((name) => !isWithinViews(name))

/** The figures with a total in each base, the most asked for first. */
export const figuresOfBase: Record<FigureBase, readonly FigureKey[]> = {
  inTheseDays: [
    'viewsAndImpressions',
    'engagements',
    'engagementRate',
    ...new Set([...postNames.filter((name) => !ofChannelsOnly.includes(name)), ...channelNames]),
  ],
  postsPublished: ['published', 'viewsAndImpressions', 'engagements', 'engagementRate', ...postNames],
}

/** Whether accounts of this kind have no days of their own: LinkedIn reports none about profiles. */
export const hasNoSeries = (platform: PlatformKey, kind: string | null): boolean =>
  kind !== null && (platformFigures[platform].kindsWithoutSeries ?? []).includes(kind)
