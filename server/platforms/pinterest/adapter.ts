import type { Platform } from '../platform.ts'
import { accountFigures } from './accountFigures.ts'
import { connect } from './connect.ts'
import { boards, changeBoard } from './lookups.ts'
import { metrics } from './metrics.ts'
import { ownPosts } from './ownPosts.ts'
import { publish } from './publish.ts'

/** Pinterest, by its API v5: README.md. */
export const createPinterest = (): Platform => ({
  key: 'pinterest',
  connect,
  publish,
  ownPosts,
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
      cost: { prepare: 1, readback: 1, reconcile: 8, metrics: 1, ownPosts: 1, lookup: 8 },
    },
  ],
  hosts: [
    'api.pinterest.com',
    'api-sandbox.pinterest.com',
    'www.pinterest.com',
    'pinterest-media-upload.s3-accelerate.amazonaws.com',
  ],
})
