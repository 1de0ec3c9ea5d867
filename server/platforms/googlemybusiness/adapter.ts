import { SIGN_IN_HOSTS } from '../google.ts'
import type { Platform } from '../platform.ts'
import { HOSTS } from './client.ts'
import { accountFigures } from './accountFigures.ts'
import { connect } from './connect.ts'
import { inbox } from './inbox.ts'
import { ownPosts } from './ownPosts.ts'
import { publish } from './publish.ts'

/** Google Business Profile, by the My Business API v4: README.md. Google has no metrics for single posts. */
export const createGooglemybusiness = (): Platform => ({
  key: 'googlemybusiness',
  connect,
  publish,
  ownPosts,
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
      cost: { send: 2, poll: 1, readback: 1, reconcile: 1, inbox: 1, reply: 2, metrics: 1, ownPosts: 1 },
    },
  ],
  hosts: [...SIGN_IN_HOSTS, ...HOSTS],
})
