import type { PlatformKey } from '../platforms/rules.ts'
import { valueText, withUnit, type Unit } from '../values.ts'
import { platformFigure, platformFigures } from './catalog/catalog.ts'
import { definitionOf } from './catalog/names.ts'
import {
  derivedFigures,
  figureBases,
  type DerivedFigure,
  type FigureBase,
  type FigureKey,
  type FigureSubject,
} from './names.ts'
import { figuresOfBase, figureSource } from './sources.ts'

/*
 * Figures in words: their names, what they mean, and the unit that people see. Screens, files, PDFs and emails use these.
 */

/** What people read about each figure: its name, and what it means. */
type Words = { name: string; means: string }

const words: Record<FigureKey, Words> = {
  published: { name: 'Published posts', means: 'Posts that were published in these days, from here or elsewhere.' },
  viewsAndImpressions: {
    name: 'Views and impressions',
    means:
      'How often your content was shown. Some platforms call this views, others impressions, and they count it differently.',
  },
  engagements: {
    name: 'Engagements',
    means: 'Reactions, comments, shares, saves and clicks together, as far as the platform reports them.',
  },
  engagementRate: {
    name: 'Engagement rate',
    means:
      'Engagements divided by views or impressions, of what reports both: the same channels and days, or the same posts.',
  },
  views: { name: 'Views', means: 'How often it was shown. Showing it to the same person again counts again.' },
  impressions: { name: 'Impressions', means: 'How often it appeared on a screen.' },
  mapImpressions: { name: 'Views on Maps', means: 'How often your profile was shown on Google Maps.' },
  searchImpressions: { name: 'Views on Search', means: 'How often your profile was shown in Google Search.' },
  engagedViews: { name: 'Engaged views', means: 'Views by people who kept watching.' },
  videoViews: { name: 'Video views', means: 'How often the video was played.' },
  reach: {
    name: 'Reach',
    means:
      'How many different people saw it. The same person on two days would count twice, so reach is never added up.',
  },
  reach7: {
    name: 'Reach in 7 days',
    means: 'How many different people saw it in 7 days. The platform counts each of them once.',
  },
  reach28: {
    name: 'Reach in 28 days',
    means: 'How many different people saw it in 28 days. The platform counts each of them once.',
  },
  interactions: { name: 'Interactions', means: "The platform's own total of what people did." },
  engagedAccounts: { name: 'Accounts engaged', means: 'How many different people did something.' },
  reactions: { name: 'Reactions', means: 'Likes and other reactions.' },
  likes: { name: 'Like reactions', means: 'Likes alone, without other reactions.' },
  loves: { name: 'Love and Care', means: 'Reactions of this kind.' },
  laughs: { name: 'Haha', means: 'Reactions of this kind.' },
  wows: { name: 'Wow', means: 'Reactions of this kind.' },
  sads: { name: 'Sad', means: 'Reactions of this kind.' },
  angers: { name: 'Angry', means: 'Reactions of this kind.' },
  comments: { name: 'Comments', means: 'Comments and replies.' },
  shares: { name: 'Shares', means: 'Shares, reposts and quotes.' },
  reposts: { name: 'Reposts', means: 'Shares without a comment.' },
  quotes: { name: 'Quotes', means: 'Shares with a comment.' },
  sends: { name: 'Sends', means: 'How often it was sent to someone.' },
  saves: { name: 'Saves', means: 'How often it was saved or bookmarked.' },
  clicks: { name: 'Clicks', means: 'Clicks on it, on its links or its pictures.' },
  linkClicks: { name: 'Link clicks', means: 'Clicks that led to your link.' },
  navigation: { name: 'Navigation', means: 'Taps forward, back and out of a story.' },
  watchSeconds: { name: 'Watch time', means: 'How long your videos were watched in total.' },
  averageWatchMs: { name: 'Average watch time', means: 'How long the video was watched on average.' },
  averageWatchedShare: { name: 'Average watched', means: 'How much of the video was watched on average.' },
  skipRate: { name: 'Skip rate', means: 'How many viewers skipped it in the first seconds.' },
  followers: { name: 'Followers', means: 'How many people follow the channel at the end of these days.' },
  followersGained: { name: 'New followers', means: 'People who started to follow.' },
  followersLost: { name: 'Unfollows', means: 'People who stopped following.' },
  posts: { name: 'Posts on the profile', means: 'How many posts the profile has, including those from elsewhere.' },
  likesReceived: { name: 'Likes received', means: 'All likes that the profile ever received.' },
  profileViews: { name: 'Profile views', means: 'How often the profile was opened.' },
  profileActions: {
    name: 'Profile actions',
    means: 'Clicks on the website, calls, directions and messages from the profile.',
  },
  websiteClicks: { name: 'Website clicks', means: 'Clicks on your website from the profile.' },
  callClicks: { name: 'Calls', means: 'Clicks on your phone number.' },
  directionRequests: { name: 'Directions', means: 'Requests for directions to you.' },
  chats: { name: 'Messages', means: 'Conversations started from the profile.' },
  bookings: { name: 'Bookings', means: 'Bookings from the profile.' },
}

export const figureName = (name: FigureKey): string => words[name].name
export const figureMeaning = (name: FigureKey): string => words[name].means

/** The name where figures of posts and of channels are beside each other: "Views" of posts, "Channel views". */
export function figureTitle(subject: FigureSubject, name: FigureKey): string {
  if (subject === 'post')
    return name === 'followersGained' || name === 'profileViews' ? `${figureName(name)} from posts` : figureName(name)
  return ALSO_OF_POSTS.has(name) ? `Channel ${figureName(name).toLowerCase()}` : figureName(name)
}
const ALSO_OF_POSTS: ReadonlySet<FigureKey> = new Set<FigureKey>([
  'views',
  'impressions',
  'reach',
  'videoViews',
  'interactions',
  'reactions',
  'comments',
  'shares',
  'reposts',
  'quotes',
  'saves',
  'clicks',
  'linkClicks',
  'watchSeconds',
  'averageWatchMs',
])

/**
 * The platform's own word for the figure, or ours if it's worked out. No two figures of a platform have the same one: where
 * the platform uses a word twice, it says of what it is, such as "Impressions of posts" and "Impressions of the page".
 */
export const termOf = (platform: PlatformKey, subject: FigureSubject, name: FigureKey): string =>
  termsOf(platform).get(`${subject} ${name}`) ?? figureTitle(subject, name)

/** The same where only figures of posts are: "Likes", whatever the platform calls the likes of the account. */
export const postTermOf = (platform: PlatformKey, name: FigureKey): string =>
  differentTerms(platform, ['post']).get(`post ${name}`) ?? figureTitle('post', name)

const terms = new Map<PlatformKey, ReadonlyMap<string, string>>()
function termsOf(platform: PlatformKey): ReadonlyMap<string, string> {
  let known = terms.get(platform)
  if (!known) terms.set(platform, (known = differentTerms(platform)))
  return known
}

/** What the platform calls a whole channel. */
const WHOLE: Partial<Record<PlatformKey, string>> = {
  facebook: 'page',
  linkedin: 'page',
  youtube: 'channel',
  googlemybusiness: 'profile',
}

function differentTerms(
  platform: PlatformKey,
  subjects: readonly FigureSubject[] = ['post', 'channel'],
): Map<string, string> {
  const { post, channel } = platformFigures[platform]
  const all = [
    ...post.map(({ name, term }) => ({ subject: 'post' as const, name, term })),
    ...channel.map(({ name, term }) => ({ subject: 'channel' as const, name, term })),
  ].filter(({ subject }) => subjects.includes(subject))
  const sharing = Map.groupBy(all, ({ term }) => term.toLowerCase())
  const used = new Set(derivedFigures.map((name) => figureName(name).toLowerCase()))
  return new Map(
    all.map(({ subject, name, term }) => {
      const isOfBoth = new Set(sharing.get(term.toLowerCase())?.map((one) => one.subject)).size > 1
      const whose = !isOfBoth ? '' : subject === 'post' ? ' of posts' : ` of the ${WHOLE[platform] ?? 'account'}`
      const tries = [`${term}${whose}`, `${term}${whose} (${figureName(name).toLowerCase()})`]
      const title = tries.find((one) => !used.has(one.toLowerCase())) ?? `${term}${whose} (${name})`
      used.add(title.toLowerCase())
      return [`${subject} ${name}`, title] as const
    }),
  )
}

/** What a base is called above its figures. */
export const baseTitles: Record<FigureBase, string> = {
  inTheseDays: 'In these days',
  postsPublished: 'Posts published in these days',
}

/** What a figure covers, after its name: "Published posts in these days". */
export const baseText = (base: FigureBase, name: FigureKey): string =>
  base === 'inTheseDays' || name === 'published' ? 'in these days' : 'of posts published in these days'

/** A figure's name where both bases are beside each other: "Views and impressions", and the same "of posts". */
export const cardTitle = (base: FigureBase, name: FigureKey, platform?: PlatformKey): string =>
  (platform && cardTerms(platform).get(`${base} ${name}`)) ??
  (base === 'inTheseDays' || name === 'published' ? figureName(name) : `${figureName(name)} of posts`)

const cardTermsOf = new Map<PlatformKey, ReadonlyMap<string, string>>()
/** The platform's own words, where it has one for the figure; no two the same. */
function cardTerms(platform: PlatformKey): ReadonlyMap<string, string> {
  const known = cardTermsOf.get(platform)
  if (known) return known
  const used = new Set(figureBases.flatMap((base) => derivedFigures.map((name) => cardTitle(base, name).toLowerCase())))
  const titles = new Map<string, string>()
  cardTermsOf.set(platform, titles)
  for (const base of figureBases)
    for (const name of figuresOfBase[base]) {
      const source = figureSource(platform, base, name)
      const [part, ...others] = source?.names ?? []
      if (!source || part === undefined || others.length > 0 || name === 'engagements') continue
      const term = platformFigure(platform, source.kind === 'series' ? 'channel' : 'post', part)?.term
      if (term === undefined) continue
      const of = base === 'postsPublished' ? ' of posts' : ''
      const tries = [`${term}${of}`, `${term}${of} (${figureName(name).toLowerCase()})`]
      const title = tries.find((one) => !used.has(one.toLowerCase())) ?? `${term}${of} (${name})`
      used.add(title.toLowerCase())
      titles.set(`${base} ${name}`, title)
    }
  return titles
}

const derived: Record<DerivedFigure, { unit: Unit; adds: 'sum' | 'none' }> = {
  published: { unit: 'count', adds: 'sum' },
  viewsAndImpressions: { unit: 'count', adds: 'sum' },
  engagements: { unit: 'count', adds: 'sum' },
  engagementRate: { unit: 'percent', adds: 'none' },
}
const isDerived = (name: FigureKey): name is DerivedFigure => name in derived

/** Which direction of a figure is good. Others say nothing: how much you publish is your decision, and a tap on a story can mean both. */
export function goodDirection(name: FigureKey): 'more' | 'fewer' | undefined {
  if (name === 'followersLost' || name === 'skipRate') return 'fewer'
  return NEITHER.has(name) ? undefined : 'more'
}
const NEITHER: ReadonlySet<FigureKey> = new Set<FigureKey>(['published', 'posts', 'navigation', 'sads', 'angers'])

export type Adds = 'sum' | 'last' | 'none'
export const addsOf = (name: FigureKey): Adds => (isDerived(name) ? derived[name].adds : definitionOf(name).adds)

/** How a figure is shown, and what turns its stored unit into that one. */
export function unitOf(name: FigureKey): { unit: Unit; divisor: number } {
  if (isDerived(name)) return { unit: derived[name].unit, divisor: 1 }
  switch (definitionOf(name).unit) {
    case 'seconds':
      return { unit: 'seconds', divisor: 1 }
    case 'milliseconds':
      return { unit: 'seconds', divisor: 1000 }
    case 'basisPoints':
      return { unit: 'percent', divisor: 100 }
    case 'count':
    default:
      return { unit: 'count', divisor: 1 }
  }
}

/** A stored value in the unit that people see. */
export const shownValue = (name: FigureKey, value: number | null): number | null =>
  value === null ? null : value / unitOf(name).divisor

/** A figure's title over a column of a file, which has bare numbers: "Watch time (seconds)". */
export const columnTitle = (title: string, name: FigureKey): string => withUnit(title, unitOf(name).unit)

/** A stored value as text, in full; a gap is a dash. */
export const figureText = (name: FigureKey, value: number | null | undefined): string =>
  valueText(shownValue(name, value ?? null), unitOf(name).unit)
