import type { Platform } from '../platform.ts'
import { connectBy, type Settings } from './connect.ts'
import { metrics } from './metrics.ts'
import { publish } from './publish.ts'
import { recentPosts } from './recentPosts.ts'

/** Bluesky and every other server of the AT Protocol: docs/platforms/bluesky.md. */
export const createBluesky = (settings: Settings): Platform => ({
  key: 'bluesky',
  connect: connectBy(settings),
  publish,
  read: { recentPosts },
  metrics,
  // every account has its own server
  hosts: [],
  // points per account and hour or day: a create costs 3 (docs.bsky.app, advanced guides, rate limits)
  budgets: [
    { name: 'points-hour', per: 'channel', windowSeconds: 3600, tokens: 5000, cost: { send: 3, part: 3 } },
    { name: 'points-day', per: 'channel', windowSeconds: 86_400, tokens: 35_000, cost: { send: 3, part: 3 } },
  ],
})
