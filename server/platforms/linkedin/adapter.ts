import type { Platform, Read } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { accountFigures } from './accountFigures.ts'
import { connect } from './connect.ts'
import { fromLittle } from './littleText.ts'
import { inbox } from './inbox.ts'
import { people } from './lookups.ts'
import { metrics } from './metrics.ts'
import { push } from './push.ts'
import { publish } from './publish.ts'
import { refusalOf } from './refusals.ts'
import { Posts } from './schemas.ts'

const recentPosts: Read['recentPosts'] = withSecret(async (reach, own, _account, limit) => {
  const list = await call(reach, own, {
    path: '/rest/posts',
    query: { q: 'author', author: own.author, count: '50', sortBy: 'CREATED' },
    reply: Posts,
  })
  if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-posts', irreversible: false })
  const posts = list.value.elements
    .map(({ commentary, publishedAt, createdAt }) => ({
      text: fromLittle(commentary),
      createdAt: publishedAt ?? createdAt,
    }))
    .filter(({ text }) => text.trim() !== '')
  return { kind: 'posts', posts: posts.slice(0, limit) }
})

/** LinkedIn profiles and Pages: README.md. */
export const createLinkedIn = (): Platform => ({
  key: 'linkedin',
  connect,
  publish,
  read: { recentPosts },
  lookups: { people },
  metrics,
  account: accountFigures,
  inbox,
  push,
  // each endpoint has its own limit, so readings take nothing from posts (learn.microsoft.com,
  // linkedin/shared/api-guide/concepts/rate-limits). The limits are only shown in the developer portal; about 150 a day
  // is what others report (unverified)
  budgets: [
    {
      name: 'member-day',
      per: 'channel',
      windowSeconds: 86_400,
      tokens: 150,
      cost: { send: 1, followUp: 1, reply: 1 },
    },
  ],
  hosts: ['api.linkedin.com', 'www.linkedin.com'],
})
