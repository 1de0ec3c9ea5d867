import type { Platform } from '../platform.ts'
import { accountFigures } from './accountFigures.ts'
import { connect } from './connect.ts'
import { inbox } from './inbox.ts'
import { people } from './lookups.ts'
import { metrics } from './metrics.ts'
import { push } from './push.ts'
import { ownPosts } from './ownPosts.ts'
import { publish } from './publish.ts'

/** LinkedIn profiles and Pages: README.md. */
export const createLinkedIn = (): Platform => ({
  key: 'linkedin',
  connect,
  publish,
  ownPosts,
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
