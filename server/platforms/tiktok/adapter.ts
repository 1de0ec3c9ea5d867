import type { Platform, Read } from '../platform.ts'
import { newest, withSecret } from './client.ts'
import { accountFigures } from './accountFigures.ts'
import { connect } from './connect.ts'
import { creator } from './lookups.ts'
import { metrics } from './metrics.ts'
import { publish } from './publish.ts'
import { refusalOf } from './refusals.ts'

const recentPosts: Read['recentPosts'] = withSecret(async (reach, own, _account, limit) => {
  const list = await newest(reach, own)
  if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-posts', irreversible: false })
  const posts = list.value.videos.map(({ title, video_description: text, create_time: at }) => ({
    text: text || title,
    createdAt: at === null ? null : new Date(at * 1000),
  }))
  return { kind: 'posts', posts: posts.filter(({ text }) => text.trim() !== '').slice(0, limit) }
})

/** TikTok, by its Content Posting and Display APIs: README.md. */
export const createTiktok = (): Platform => ({
  key: 'tiktok',
  connect,
  publish,
  read: { recentPosts },
  lookups: { creator },
  metrics,
  account: accountFigures,
  // developers.tiktok.com/doc: calls per minute and user token. Videos are initialized in prepare, photos in send
  budgets: [
    { name: 'creator-minute', per: 'channel', windowSeconds: 60, tokens: 20, cost: { prepare: 1, send: 1, lookup: 1 } },
    { name: 'init-minute', per: 'channel', windowSeconds: 60, tokens: 6, cost: { send: 1 } },
    {
      name: 'status-minute',
      per: 'channel',
      windowSeconds: 60,
      tokens: 30,
      cost: { poll: 1, reconcile: 1, readback: 1, metrics: 20 },
    },
  ],
  hosts: ['open.tiktokapis.com', 'www.tiktok.com', 'open-upload.tiktokapis.com'],
})
