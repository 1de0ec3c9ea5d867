import type { PlatformKey } from '../../platforms/rules.ts'
import { bluesky } from './bluesky.ts'
import { withClicks } from './clicks.ts'
import type { FigureTerms, PlatformFigure, PlatformFigures } from './define.ts'
import { facebook } from './facebook.ts'
import { googlemybusiness } from './googlemybusiness.ts'
import { instagram } from './instagram.ts'
import { linkedin } from './linkedin.ts'
import { mastodon } from './mastodon.ts'
import { figureNames, figureDefinitions, type FigureName } from './names.ts'
import { pinterest } from './pinterest.ts'
import { threads } from './threads.ts'
import { tiktok } from './tiktok.ts'
import { x } from './x.ts'
import { youtube } from './youtube.ts'

/** Which figures each platform reports, under which names, and what its terms allow. */
export const platformFigures: Record<PlatformKey, PlatformFigures> = {
  facebook: withClicks(facebook),
  instagram: withClicks(instagram),
  linkedin: withClicks(linkedin),
  x: withClicks(x),
  youtube: withClicks(youtube),
  pinterest: withClicks(pinterest),
  tiktok: withClicks(tiktok),
  threads: withClicks(threads),
  mastodon: withClicks(mastodon),
  bluesky: withClicks(bluesky),
  googlemybusiness: withClicks(googlemybusiness),
}

export type Subject = 'post' | 'channel'

/** How a platform reports a figure of posts or of the channel; undefined if it doesn't. */
export const platformFigure = (platform: PlatformKey, subject: Subject, name: FigureName): PlatformFigure | undefined =>
  platformFigures[platform][subject].find((one) => one.name === name)

/** The names that any platform reports of posts, or of channels. */
export const namesOf = (subject: Subject): FigureName[] =>
  figureNames.filter((name) =>
    Object.values(platformFigures).some((platform) => platform[subject].some((one) => one.name === name)),
  )

/** The figures of posts that add up over days: what posts gained of them is counted by day. */
export const summedPostFigures: readonly FigureName[] = namesOf('post').filter(
  (name) => figureDefinitions[name].adds === 'sum',
)

/** What a platform's terms allow, given those that the operator has accepted beyond them. */
export function termsOf(platform: PlatformKey, accepted: readonly PlatformKey[]): FigureTerms {
  const { terms } = platformFigures[platform]
  return accepted.includes(platform) && terms.accepted !== undefined ? { mayBeSummed: true, keepDays: null } : terms
}

/**
 * Days on which a platform changed what it counts: values before and after can't be compared. `note` is a code that the web app
 * turns into text.
 */
export type Break = { date: string; platform: PlatformKey; subject: Subject; figure: FigureName; note: BreakNote }
type BreakNote = 'views-from-first-frame' | 'views-replace-impressions'
export const breaks: readonly Break[] = [
  // Graph API changelog: page and post impressions ended on 2026-06-15, views count repeated showings
  { date: '2026-06-15', platform: 'facebook', subject: 'post', figure: 'views', note: 'views-replace-impressions' },
  { date: '2026-06-15', platform: 'facebook', subject: 'channel', figure: 'views', note: 'views-replace-impressions' },
  // Instagram Platform changelog: impressions ended on 2025-04-21
  { date: '2025-04-21', platform: 'instagram', subject: 'post', figure: 'views', note: 'views-replace-impressions' },
  // YouTube: public views of all formats count from the first frame
  { date: '2026-08-27', platform: 'youtube', subject: 'post', figure: 'views', note: 'views-from-first-frame' },
  { date: '2026-08-27', platform: 'youtube', subject: 'channel', figure: 'views', note: 'views-from-first-frame' },
]
