import { because } from '#contract/failures/catalog.ts'
import { callsOf, callsOfApp } from '../graph.ts'
import type { Platform } from '../platform.ts'
import { accountFigures } from './accountFigures.ts'
import { competitors } from './competitors.ts'
import { connect } from './connect.ts'
import { graphPush } from '../graphPush.ts'
import { inbox } from './inbox.ts'
import { metrics } from './metrics.ts'
import { ownPosts } from './ownPosts.ts'
import { publish } from './publish.ts'

/** Threads, by the Threads API of Meta: README.md. */
export const createThreads = (): Platform => ({
  key: 'threads',
  connect,
  publish,
  ownPosts,
  competitors,
  closedLookups: { people: because('threads-people-closed') },
  metrics,
  account: accountFigures,
  inbox,
  push: graphPush({ replies: 'comment', mentions: 'mention' }),
  // developers.facebook.com/docs/threads/overview, rate limits: 250 posts and 1000 replies in 24 hours
  budgets: [
    { name: 'posts-day', per: 'channel', windowSeconds: 86_400, tokens: 250, cost: { send: 1 } },
    { name: 'replies-day', per: 'channel', windowSeconds: 86_400, tokens: 1000, cost: { followUp: 1, reply: 1 } },
    // 1,000 profiles of others in 24 hours; a reading asks for the profile and for its posts
    { name: 'discovery-day', per: 'channel', windowSeconds: 86_400, tokens: 1000, cost: { competitor: 2 } },
    callsOf(10),
    callsOfApp,
  ],
  hosts: ['graph.threads.net', 'threads.net'],
})
