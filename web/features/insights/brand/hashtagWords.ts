import {
  HASHTAG_DAYS,
  MOST_HASHTAGS,
  type insightsHashtags,
  type NoHashtagReason,
} from '#contract/analytics/hashtags.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'

type Used = ReplyOf<typeof insightsHashtags>['used']

/** Why no posts are shown. */
export function noHashtagText(why: NoHashtagReason, { hashtag }: { hashtag: string }): string {
  switch (why) {
    case 'signedOut':
      return 'This channel is signed out. Reconnect it to search with it.'
    case 'rights':
      return "Hashtag search needs an Instagram channel that's connected through Facebook, and Meta's approval of this installation's app for Instagram Public Content Access."
    case 'limit':
      return `This channel has searched for ${MOST_HASHTAGS} hashtags in ${HASHTAG_DAYS} days, which is all that Instagram allows. You can search again for one of those.`
    case 'none':
      return `Instagram shows nothing for #${hashtag}. It may not exist, or Instagram treats it as sensitive.`
    case 'notPossible':
    default:
      return "This channel's platform has no hashtag search."
  }
}

/** How much of the limit is used, and when there is room again. */
export function usedText({ hashtags, most }: Used, zone: string): string {
  const used = `${hashtags.length} of ${most} hashtags used in the last ${HASHTAG_DAYS} days.`
  const [next] = hashtags
  if (!next) return used
  const at = dayAndTimeOf(next.until, zone)
  return hashtags.length >= most
    ? `${used} There's room for another one on ${at}.`
    : `${used} The first one is free again on ${at}.`
}
