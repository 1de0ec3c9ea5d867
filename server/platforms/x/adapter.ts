import type { Platform } from '../platform.ts'
import { accountFigures } from './accountFigures.ts'
import { competitors } from './competitors.ts'
import { connect } from './connect.ts'
import { inbox } from './inbox.ts'
import { people } from './lookups.ts'
import { metrics } from './metrics.ts'
import { ownPosts } from './ownPosts.ts'
import { publish } from './publish.ts'

/** X, by its API v2: README.md. */
export const createX = (): Platform => ({
  key: 'x',
  connect,
  publish,
  ownPosts,
  lookups: { people },
  metrics,
  account: accountFigures,
  competitors,
  inbox,
  // docs.x.com, fundamentals/rate-limits: POST /2/tweets, per user and per app. Each endpoint has its own limit, so
  // lookups take nothing from these
  budgets: [
    {
      name: 'posts-quarter',
      per: 'channel',
      windowSeconds: 900,
      tokens: 100,
      cost: { send: 1, followUp: 1, reply: 1 },
    },
    {
      name: 'posts-day',
      per: 'credentials',
      windowSeconds: 86_400,
      tokens: 10_000,
      cost: { send: 1, followUp: 1, reply: 1 },
    },
    // GET /2/users/:id/tweets
    {
      name: 'timeline-quarter',
      per: 'channel',
      windowSeconds: 900,
      tokens: 900,
      cost: { ownPosts: 1, competitor: 1, reconcile: 8 },
    },
    // GET /2/users/:id/mentions
    { name: 'mentions-quarter', per: 'channel', windowSeconds: 900, tokens: 300, cost: { inbox: 1 } },
  ],
  hosts: ['api.x.com', 'x.com'],
})
