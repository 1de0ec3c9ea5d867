import { SIGN_IN_HOSTS } from '../google.ts'
import type { Platform, Read } from '../platform.ts'
import { call, HOSTS, refusalOf, withSecret } from './client.ts'
import { accountFigures } from './accountFigures.ts'
import { connect } from './connect.ts'
import { inbox } from './inbox.ts'
import { publish } from './publish.ts'
import { LocalPosts } from './schemas.ts'

const recentPosts: Read['recentPosts'] = withSecret(async (reach, own, _account, limit) => {
  const list = await call(reach, own, {
    path: `${own.parent}/localPosts`,
    query: { pageSize: '100' },
    reply: LocalPosts,
  })
  if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-posts', irreversible: false })
  const posts = list.value.localPosts.map(({ summary, event, createTime: createdAt }) => ({
    text: [event?.title ?? '', summary].filter((words) => words.trim() !== '').join('\n'),
    createdAt,
  }))
  const newestFirst = posts
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => (b.createdAt?.getTime() ?? 0) - (a.createdAt?.getTime() ?? 0))
  return { kind: 'posts', posts: newestFirst.slice(0, limit) }
})

/** Google Business Profile, by the My Business API v4: README.md. Google has no metrics for single posts. */
export const createGooglemybusiness = (): Platform => ({
  key: 'googlemybusiness',
  connect,
  publish,
  read: { recentPosts },
  account: accountFigures,
  inbox,
  // developers.google.com/my-business/content/limits: calls per minute and project, edits per minute and profile
  budgets: [
    { name: 'edits-minute', per: 'channel', windowSeconds: 60, tokens: 10, cost: { send: 1, reply: 1 } },
    {
      name: 'calls-minute',
      per: 'credentials',
      windowSeconds: 60,
      tokens: 300,
      cost: { send: 2, poll: 1, readback: 1, reconcile: 1, inbox: 1, reply: 2, metrics: 1 },
    },
  ],
  hosts: [...SIGN_IN_HOSTS, ...HOSTS],
})
