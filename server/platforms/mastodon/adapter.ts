import type { InstanceApps, Platform } from '../platform.ts'
import { accountFigures } from './accountFigures.ts'
import { competitors } from './competitors.ts'
import { connectWith } from './connect.ts'
import { inbox, INBOX_CALLS } from './inbox.ts'
import { people } from './lookups.ts'
import { metrics } from './metrics.ts'
import { ownPosts } from './ownPosts.ts'
import { publish, SEARCH_CALLS } from './publish.ts'
import { webPush } from './webPush.ts'

/** Mastodon, where each account has its own server: README.md. `apps` stores what was registered at each. */
export const createMastodon = ({ apps }: { apps?: InstanceApps | undefined } = {}): Platform => ({
  key: 'mastodon',
  connect: connectWith(apps),
  publish,
  ownPosts,
  lookups: { people },
  metrics,
  account: accountFigures,
  competitors,
  inbox,
  webPush,
  // docs.joinmastodon.org, api/rate-limits: 300 calls in 5 minutes, 30 uploads in 30 minutes; prepare uploads at most
  // one file per call
  budgets: [
    {
      name: 'calls',
      per: 'channel',
      windowSeconds: 300,
      tokens: 300,
      countsCalls: true,
      cost: {
        prepare: 5,
        send: 2,
        readback: 1,
        reconcile: SEARCH_CALLS,
        followUp: 2,
        reconcileFollowUp: SEARCH_CALLS,
        metrics: 1,
        ownPosts: 1,
        competitor: 3,
        inbox: INBOX_CALLS,
        reply: 2,
        lookup: 1,
      },
    },
    { name: 'uploads', per: 'channel', windowSeconds: 1800, tokens: 30, cost: { prepare: 1 } },
  ],
  hosts: [],
  mainServers: ['https://mastodon.social', 'https://mastodon.online'],
})
