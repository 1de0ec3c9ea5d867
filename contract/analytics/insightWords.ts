import { dayText } from '../days.ts'
import { addsOf, type Adds } from './labels.ts'
import type { FigureKey } from './names.ts'
import type { MissingReason } from './overview.ts'
import type { Source } from './sources.ts'

/* Why figures are missing, not compared or not final, and how they're counted, in the words of screens and reports. */

/** Why a channel isn't in a figure. */
export const missingWords: Record<MissingReason, string> = {
  notReported: "The platform doesn't report it",
  countedDifferently: 'Its views and engagements are counted in different ways, so there is no rate of them',
  notReadYet: "It hasn't been read yet",
  nothingReported: 'The platform reported nothing for these days',
  noPosts: 'Nothing was published in these days',
  rightsMissing: 'Reconnect it to allow reading this',
  off: 'Reading costs money, and no monthly limit is set',
  termsForbid: "The platform's terms don't allow adding it to others",
  tooFewFollowers: 'The platform only reports it for accounts with more followers',
  disconnected: "Reconnect it: nothing new is read while it's disconnected",
}
/** The same for readers of reports, who can't change it: clients, for example. */
export const missingForReaders: Record<MissingReason, string> = {
  ...missingWords,
  rightsMissing: 'A permission to read it is missing',
  off: "It isn't read at the moment",
  disconnected: "It's disconnected, so nothing new is read",
}
/** Reasons that reconnecting the channel ends. */
export const isFixedByReconnecting = (reason: MissingReason): boolean =>
  reason === 'rightsMissing' || reason === 'disconnected'

/** How a figure becomes a total. */
export const addsText = (name: FigureKey): string =>
  name === 'engagementRate' ? 'Worked out from all of these days together, not by day.' : addsWords[addsOf(name)]

const addsWords: Record<Adds, string> = {
  sum: 'Added up over days, posts and channels.',
  last: 'The last value of these days, added up over channels.',
  none: 'Never added up. Shown by day and by post.',
}

const breakWords: Record<string, string> = {
  'views-from-first-frame': 'Views count from the first frame since this day, so they are higher than before.',
  'views-replace-impressions': 'Views replaced impressions on this day. They are counted differently.',
}
/** What a platform changed about its counting. */
export const breakText = (note: string): string => breakWords[note] ?? 'The platform changed how it counts on this day.'

/** Where a platform's values come from. */
export const sourceWords: Record<Source['kind'], string> = {
  series: "The channel's own days",
  gains: 'What its posts gained in these days, whenever they were published',
  posts: 'Posts published in these days, with their figures to date',
}

/** The one sentence for days that can still change: on cards, in goals and in lists. */
export const finalSentence = (finalUntil: string): string => `Final up to ${dayText(finalUntil)}.`
