import type { Platform, Read } from '../platform.ts'
import { listed, withSecret } from './client.ts'
import { accountFigures } from './accountFigures.ts'
import { connect } from './connect.ts'
import { boards, changeBoard } from './lookups.ts'
import { metrics } from './metrics.ts'
import { publish } from './publish.ts'
import { refusalOf } from './refusals.ts'
import { Pin } from './schemas.ts'

const recentPosts: Read['recentPosts'] = withSecret(async (reach, own, _account, limit) => {
  const list = await listed(reach, own, '/pins', Pin, 1)
  if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-pins', irreversible: false })
  const posts = list.value.map(({ title, description, created_at: createdAt }) => ({
    text: [title, description].filter((words) => words.trim() !== '').join('\n'),
    createdAt,
  }))
  const newestFirst = posts
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => (b.createdAt?.getTime() ?? 0) - (a.createdAt?.getTime() ?? 0))
  return { kind: 'posts', posts: newestFirst.slice(0, limit) }
})

/** Pinterest, by its API v5: README.md. */
export const createPinterest = (): Platform => ({
  key: 'pinterest',
  connect,
  publish,
  read: { recentPosts },
  lookups: { boards },
  changes: { boards: changeBoard },
  metrics,
  account: accountFigures,
  // developers.pinterest.com/docs/reference/rate-limits: reads and writes per minute, user and app. Boards are read in
  // pages
  budgets: [
    {
      name: 'writes-minute',
      per: 'channel',
      windowSeconds: 60,
      tokens: 100,
      cost: { prepare: 1, send: 1, addition: 1 },
    },
    {
      name: 'reads-minute',
      per: 'channel',
      windowSeconds: 60,
      tokens: 1000,
      cost: { prepare: 1, readback: 1, reconcile: 8, metrics: 1, lookup: 8 },
    },
  ],
  hosts: [
    'api.pinterest.com',
    'api-sandbox.pinterest.com',
    'www.pinterest.com',
    'pinterest-media-upload.s3-accelerate.amazonaws.com',
  ],
})
