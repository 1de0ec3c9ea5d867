import type { Platform } from '../platform.ts'
import { accountFigures } from './accountFigures.ts'
import { competitors } from './competitors.ts'
import { connectBy, type Settings } from './connect.ts'
import { inboxBy, INBOX_CALLS } from './inbox.ts'
import { people } from './lookups.ts'
import { metrics } from './metrics.ts'
import { ownPosts } from './ownPosts.ts'
import { publishBy } from './publish.ts'
import { ENTRYWAY } from './server.ts'
import { videoServiceFor, type VideoServiceFor } from './video.ts'

/** Bluesky and every other server of the AT Protocol: docs/platforms/bluesky.md. */
export const createBluesky = ({
  videoService = videoServiceFor(),
  ...settings
}: Settings & { /** Which video service accounts of a server use. */ videoService?: VideoServiceFor }): Platform => ({
  key: 'bluesky',
  connect: connectBy(settings),
  publish: publishBy(videoService),
  ownPosts,
  lookups: { people },
  metrics,
  account: accountFigures,
  competitors,
  inbox: inboxBy(videoService),
  // every account has its own server
  hosts: [],
  // the entryway redirects to hundreds of servers, each with its own limits
  mainServers: [ENTRYWAY],
  // docs.bsky.app, advanced guides, rate limits. Points per account, hour and day: a create costs 3, a read nothing.
  // Also, a server accepts 3000 calls of any kind in 5 minutes from one IP address, shared by all its accounts
  budgets: [
    {
      name: 'points-hour',
      per: 'channel',
      windowSeconds: 3600,
      tokens: 5000,
      cost: { send: 3, followUp: 3, reply: 3 },
    },
    {
      name: 'points-day',
      per: 'channel',
      windowSeconds: 86_400,
      tokens: 35_000,
      cost: { send: 3, followUp: 3, reply: 3 },
    },
    {
      name: 'calls',
      per: 'server',
      windowSeconds: 300,
      tokens: 3000,
      cost: {
        prepare: 5,
        send: 2,
        readback: 1,
        reconcile: 2,
        followUp: 2,
        reconcileFollowUp: 2,
        metrics: 1,
        ownPosts: 1,
        competitor: 2,
        inbox: INBOX_CALLS,
        reply: 3,
        lookup: 1,
      },
    },
  ],
})
