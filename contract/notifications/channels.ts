import { z } from 'zod'
import { adviceFor, sentenceOf } from '../failures/catalog.ts'
import { StoredReason } from '../failures/define.ts'
import { Instant } from '../common.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { webLinks } from '../webLinks.ts'
import { platformLabel } from '../platforms/registry.ts'
import { count, inProject, notification, type Place } from './define.ts'

/* About channels that have to be reconnected. */

const channel = z.object({
  handle: z.string(),
  platform: PlatformKey,
  /** Whether the reader can reconnect it; others are asked to contact an admin. */
  canReconnect: z.boolean().default(true),
})
const toChannels = (_params: unknown, place: Place) => inProject(place, webLinks.channels)

export const channelNotifications = {
  'channel-signed-out': notification({
    topic: 'channels',
    params: channel.extend({
      reason: StoredReason,
      /** How late a post of the channel may still be published. */
      latenessMinutes: count,
    }),
    title: ({ handle, platform }) => `${handle} is signed out of ${platformLabel(platform)}`,
    body: ({ reason, latenessMinutes, canReconnect }) =>
      `${sentenceOf(reason)} ${canReconnect ? adviceFor(reason, 'renewal') : 'Ask a project admin to reconnect the channel.'} Until then its posts wait, each for up to ${latenessMinutes} minutes after its time.`,
    link: toChannels,
  }),
  'channel-sign-in-ends': notification({
    topic: 'channels',
    params: channel.extend({
      endsAt: Instant,
      zone: z.string(),
      /** Posts scheduled after the end. */
      posts: count,
    }),
    title: ({ handle, platform, endsAt, zone }) =>
      `${handle} will be signed out of ${platformLabel(platform)} on ${dayOf(endsAt, zone)}`,
    body: ({ posts, canReconnect }) =>
      `${atRisk(posts)} ${canReconnect ? 'Reconnect the channel before then.' : 'Ask a project admin to reconnect the channel before then.'}`,
    link: toChannels,
  }),
}

/** "November 20" in the zone. */
const dayOf = (instant: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', timeZone }).format(new Date(instant))

function atRisk(posts: number): string {
  if (posts === 0) return 'No posts are scheduled after that date yet.'
  return posts === 1
    ? "1 post scheduled after that date won't be published."
    : `${posts} posts scheduled after that date won't be published.`
}
