import type { ConversationKind } from '../inbox/terms.ts'
import { blueskyInbox } from './inbox/bluesky.ts'
import { facebookInbox } from './inbox/facebook.ts'
import { googlemybusinessInbox } from './inbox/googlemybusiness.ts'
import type { InboxRules } from './inboxRules.ts'
import { instagramInbox } from './inbox/instagram.ts'
import { linkedinInbox } from './inbox/linkedin.ts'
import { mastodonInbox } from './inbox/mastodon.ts'
import { pinterestInbox } from './inbox/pinterest.ts'
import { platformLabel } from './registry.ts'
import type { PlatformKey } from './rules.ts'
import { threadsInbox } from './inbox/threads.ts'
import { tiktokInbox } from './inbox/tiktok.ts'
import { xInbox } from './inbox/x.ts'
import { youtubeInbox } from './inbox/youtube.ts'

/** What can be read and answered on each platform. */
export const inboxRules: Record<PlatformKey, InboxRules> = {
  facebook: facebookInbox,
  instagram: instagramInbox,
  linkedin: linkedinInbox,
  x: xInbox,
  youtube: youtubeInbox,
  pinterest: pinterestInbox,
  tiktok: tiktokInbox,
  threads: threadsInbox,
  mastodon: mastodonInbox,
  bluesky: blueskyInbox,
  googlemybusiness: googlemybusinessInbox,
}

/** Why a platform's conversations of this kind can't be read; null if they can. */
export function whyNotRead(platform: PlatformKey, kind: ConversationKind): string | null {
  const { kinds, closed } = inboxRules[platform]
  return kinds[kind] ? null : (closed?.[kind] ?? closed?.all ?? null)
}

/** Why no AI model may read what people write on the platform; null if one may. */
export const whyNoModel = (platform: PlatformKey): string | null =>
  inboxRules[platform].noModel ? `${platformLabel(platform)}'s terms don't let AI read what its members write.` : null

/** The maximum cost of reading one item, in US dollars; null if the platform charges nothing. */
export const readPriceOf = (platform: PlatformKey): number | null => inboxRules[platform].readPrice ?? null

export type InboxAction = 'reply' | 'react' | 'hide' | 'delete'

/** Whether the platform's API allows an action on conversations of this kind. */
export function canBeDone(platform: PlatformKey, kind: ConversationKind, action: InboxAction): boolean {
  const rules = inboxRules[platform].kinds[kind]
  if (!rules) return false
  return {
    reply: rules.reply !== null,
    react: rules.reactions.length > 0,
    hide: rules.hide,
    delete: rules.delete,
  }[action]
}

/** Why an action on this kind isn't possible on this platform; null if it is. */
export function whyNotDone(platform: PlatformKey, kind: ConversationKind, action: InboxAction): string | null {
  const rules = inboxRules[platform].kinds[kind]
  if (!rules) return whyNotRead(platform, kind)
  return canBeDone(platform, kind, action) ? null : (rules.closed?.[action] ?? null)
}
