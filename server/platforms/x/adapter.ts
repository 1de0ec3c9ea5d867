import type { Platform, Read } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { accountFigures } from './accountFigures.ts'
import { connect } from './connect.ts'
import { inbox } from './inbox.ts'
import { people } from './lookups.ts'
import { metrics } from './metrics.ts'
import { publish } from './publish.ts'
import { refusalOf } from './refusals.ts'
import { Posts } from './schemas.ts'
import { FIELDS, shownText } from './timeline.ts'

/** A page has at least 5 and at most 100 entries. */
const pageOf = (limit: number): string => String(Math.min(100, Math.max(5, limit)))

const recentPosts: Read['recentPosts'] = withSecret(async (reach, own, _account, limit) => {
  const list = await call(reach, own, {
    path: `/2/users/${own.userId}/tweets`,
    query: { max_results: pageOf(limit), exclude: 'replies,retweets', 'tweet.fields': FIELDS },
    reply: Posts,
  })
  if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-posts', irreversible: false })
  const posts = list.value.data
    .map((post) => ({ text: shownText(post), createdAt: post.created_at }))
    .filter(({ text }) => text !== '')
  return { kind: 'posts', posts: posts.slice(0, limit) }
})

/** X, by its API v2: README.md. */
export const createX = (): Platform => ({
  key: 'x',
  connect,
  publish,
  read: { recentPosts },
  lookups: { people },
  metrics,
  account: accountFigures,
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
    // GET /2/users/:id/mentions
    { name: 'mentions-quarter', per: 'channel', windowSeconds: 900, tokens: 300, cost: { inbox: 1 } },
  ],
  hosts: ['api.x.com', 'x.com'],
})
