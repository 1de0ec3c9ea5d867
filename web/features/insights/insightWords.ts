import type { Adds } from '#contract/analytics/labels.ts'
import type { MissingReason } from '#contract/analytics/overview.ts'

/** Why a channel isn't in a figure. */
export const missingWords: Record<MissingReason, string> = {
  notReported: "The platform doesn't report it",
  notReadYet: 'Nothing was read in these days',
  rightsMissing: 'Reconnect it to allow reading this',
  termsForbid: "The platform's terms don't allow adding it to others",
  tooFewFollowers: 'The platform only reports it for accounts with more followers',
  disconnected: "Reconnect it: nothing new is read while it's disconnected",
}
/** Reasons that reconnecting the channel ends. */
export const isFixedByReconnecting = (reason: MissingReason): boolean =>
  reason === 'rightsMissing' || reason === 'disconnected'

/** How a figure becomes a total. */
export const addsWords: Record<Adds, string> = {
  sum: 'Added up over days, posts and channels.',
  last: 'The value of the last day, added up over channels.',
  none: 'Never added up. Shown by day and by post.',
}

const breakWords: Record<string, string> = {
  'views-from-first-frame': 'Views count from the first frame since this day, so they are higher than before.',
  'views-replace-impressions': 'Views replaced impressions on this day. They are counted differently.',
}
/** What a platform changed about its counting. */
export const breakText = (note: string): string => breakWords[note] ?? 'The platform changed how it counts on this day.'
