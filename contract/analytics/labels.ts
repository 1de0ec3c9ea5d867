import type { BioFigureName } from '../linkInBio/figures.ts'
import type { PlatformKey } from '../platforms/rules.ts'
import { valueText, withUnit, type Unit } from '../values.ts'
import { definitionOf } from './catalog/names.ts'
import { type DerivedFigure, type FigureBase, type FigureKey, type FigureSubject } from './names.ts'
import { platformWord, wholeOf } from './platformWords.ts'

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
  interactions: {
    name: "Engagements (platform's count)",
    means:
      "The platform's own total of what people did. It can include more than engagements do here, so the two differ.",
  },
  engagedAccounts: { name: 'Accounts engaged', means: 'How many different people did something.' },
  reactions: { name: 'Reactions', means: 'Likes and other reactions.' },
  likes: { name: 'Like reactions', means: 'Likes alone, without other reactions.' },
  loves: { name: 'Love and Care', means: 'Reactions of this kind.' },
  laughs: { name: 'Haha', means: 'Reactions of this kind.' },
  wows: { name: 'Wow', means: 'Reactions of this kind.' },
  sads: { name: 'Sad', means: 'Reactions of this kind.' },
  angers: { name: 'Angry', means: 'Reactions of this kind.' },
  comments: { name: 'Comments', means: 'Comments and replies.' },
  shares: { name: 'Shares', means: 'All ways of passing it on together: reposts, quotes and sends.' },
  reposts: { name: 'Reposts', means: 'How often it was passed on without a comment.' },
  quotes: { name: 'Quotes', means: 'How often it was passed on with a comment.' },
  sends: { name: 'Sends', means: 'How often it was sent to someone in a message.' },
  saves: { name: 'Saves', means: 'How often it was saved or bookmarked.' },
  clicks: { name: 'Clicks', means: 'Clicks on it, on its links or its pictures.' },
  linkClicks: { name: 'Link clicks', means: 'Clicks that led to your link.' },
  navigation: { name: 'Navigation', means: 'Taps forward, back and out of a story.' },
  shortLinkClicks: {
    name: 'Short link clicks',
    means: "Clicks on the post's short links. We count them, without programs and browsers that only load ahead.",
  },
  bioClicks: {
    name: 'Link in bio clicks',
    means:
      'Clicks on the post in your link in bio pages. We count them, without programs and browsers that only load ahead.',
  },
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

/** What people read about the figures of link in bio pages. */
export const bioWords: Record<BioFigureName, Words> = {
  bioViews: {
    name: 'Page views',
    means: 'How often the page was opened by people, without programs and browsers that only load ahead.',
  },
  bioVisitors: {
    name: 'Visitors',
    means:
      'How many different people opened the page on a day, as far as that can be told without cookies. The same person on two days would count twice, so visitors are never added up.',
  },
  bioClicks: { name: 'Link clicks', means: "Clicks on the page's links and posts." },
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

/** The platform's own word for the figure of its posts, or of its channels, or ours if it's worked out: "Likes". */
export const termOf = (platform: PlatformKey, subject: FigureSubject, name: FigureKey): string =>
  platformWord(platform, name, subject) ?? figureName(name)

/** A figure of posts where only those are: in the platform's word if all of them are of one. */
export const postTitle = (name: FigureKey, platform?: PlatformKey): string =>
  platform ? termOf(platform, 'post', name) : figureTitle('post', name)

/** What contains the figure, if anything does: "Part of Shares". In the words of the platform, if there's only one. */
export function partOfText(
  name: FigureKey,
  platform?: PlatformKey,
  subject: FigureSubject = 'channel',
): string | undefined {
  const whole = wholeOf(name, platform)
  if (whole === undefined) return undefined
  return `Part of ${platform === undefined ? figureName(whole) : termOf(platform, subject, whole)}`
}

/** What a base is called above its figures. */
export const baseTitles: Record<FigureBase, string> = {
  inTheseDays: 'In these days',
  postsPublished: 'Posts published in these days',
}

/** What a figure covers, after its name: "Published posts in these days". */
export const baseText = (base: FigureBase, name: FigureKey): string =>
  base === 'postsPublished' && name !== 'published'
    ? 'of posts published in these days'
    : addsOf(name) === 'last'
      ? 'at the end of these days'
      : 'in these days'

/** A figure's name beside what it covers; in a platform's word. */
export const baseTerm = (base: FigureBase, name: FigureKey, platform?: PlatformKey): string =>
  platform === undefined ? figureName(name) : termOf(platform, isOfDays(base, name) ? 'channel' : 'post', name)

/** A figure's name where both bases are beside each other: "Views and impressions", and the same "of posts"; in a platform's word. */
export function cardTitle(base: FigureBase, name: FigureKey, platform?: PlatformKey): string {
  const title = baseTerm(base, name, platform)
  return isOfDays(base, name) ? title : `${title} of posts`
}

const isOfDays = (base: FigureBase, name: FigureKey): boolean => base === 'inTheseDays' || name === 'published'

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
