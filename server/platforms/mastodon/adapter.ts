import type { InstanceApps, Platform, Read } from '../platform.ts'
import { call, refused, withSecret } from './client.ts'
import { accountFigures } from './accountFigures.ts'
import { connectWith } from './connect.ts'
import { inbox, INBOX_CALLS } from './inbox.ts'
import { people } from './lookups.ts'
import { metrics } from './metrics.ts'
import { publish, SEARCH_CALLS } from './publish.ts'
import { webPush } from './webPush.ts'
import { Statuses } from './schemas.ts'
import { textOfHtml } from './text.ts'

const recentPosts: Read['recentPosts'] = withSecret(async (reach, own, _account, limit) => {
  const list = await call(reach, own, {
    path: `/api/v1/accounts/${own.userId}/statuses`,
    query: { limit: '40', exclude_replies: 'true', exclude_reblogs: 'true' },
    reply: Statuses,
  })
  if (list.kind !== 'ok') return refused(list, own, 'show-posts')
  const posts = list.value
    .map(({ content, created_at: createdAt }) => ({ text: textOfHtml(content), createdAt }))
    .filter(({ text }) => text !== '')
  return { kind: 'posts', posts: posts.slice(0, limit) }
})

/** Mastodon, where each account has its own server: README.md. `apps` stores what was registered at each. */
export const createMastodon = ({ apps }: { apps?: InstanceApps | undefined } = {}): Platform => ({
  key: 'mastodon',
  connect: connectWith(apps),
  publish,
  read: { recentPosts },
  lookups: { people },
  metrics,
  account: accountFigures,
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
