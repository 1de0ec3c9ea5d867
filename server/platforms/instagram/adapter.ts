import { callsOf, callsOfApp } from '../graph.ts'
import type { Platform } from '../platform.ts'
import { accountFigures } from './accountFigures.ts'
import { competitors } from './competitors.ts'
import { connect } from './connect.ts'
import { hashtags } from './hashtags.ts'
import { people, places } from './lookups.ts'
import { graphPush } from '../graphPush.ts'
import { inbox } from './inbox.ts'
import { metrics } from './metrics.ts'
import { ownPosts } from './ownPosts.ts'
import { publish } from './publish.ts'
import { subscribe, unsubscribe } from './subscribe.ts'

/** Professional Instagram accounts, by the Instagram Platform: README.md. */
export const createInstagram = (): Platform => ({
  key: 'instagram',
  connect,
  publish,
  ownPosts,
  lookups: { people, places },
  metrics,
  account: accountFigures,
  competitors,
  hashtags,
  inbox,
  push: graphPush(
    { comments: 'comment', live_comments: 'comment', mentions: 'mention', messages: 'message' },
    { subscribe, unsubscribe },
  ),
  // Meta documents two limits; this is the larger one (content publishing; content_publishing_limit says 50). The
  // account's own limit is read before each post
  budgets: [
    { name: 'posts-day', per: 'channel', windowSeconds: 86_400, tokens: 100, cost: { send: 1 } },
    callsOf(1),
    callsOfApp,
  ],
  hosts: ['www.instagram.com', 'api.instagram.com', 'graph.instagram.com', 'www.facebook.com', 'graph.facebook.com'],
})
