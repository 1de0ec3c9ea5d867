import type { Platform } from '../platform.ts'
import { accountFigures } from './accountFigures.ts'
import { connect } from './connect.ts'
import { creator } from './lookups.ts'
import { metrics } from './metrics.ts'
import { ownPosts } from './ownPosts.ts'
import { publish } from './publish.ts'

/** TikTok, by its Content Posting and Display APIs: README.md. */
export const createTiktok = (): Platform => ({
  key: 'tiktok',
  connect,
  publish,
  ownPosts,
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
    // tiktok-api-v2-rate-limit: each call of the Display API has a limit of its own
    { name: 'list-minute', per: 'credentials', windowSeconds: 60, tokens: 600, cost: { ownPosts: 1 } },
  ],
  hosts: ['open.tiktokapis.com', 'www.tiktok.com', 'open-upload.tiktokapis.com'],
})
