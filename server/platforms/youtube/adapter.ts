import { SIGN_IN_HOSTS } from '../google.ts'
import type { Platform } from '../platform.ts'
import { HOST } from './client.ts'
import { accountFigures, ANALYTICS_HOST } from './accountFigures.ts'
import { competitors } from './competitors.ts'
import { connect } from './connect.ts'
import { inbox } from './inbox.ts'
import { addPlaylist, categories, playlists } from './lookups.ts'
import { metrics } from './metrics.ts'
import { ownPosts } from './ownPosts.ts'
import { publish } from './publish.ts'

/** YouTube, by its Data API v3: README.md. */
export const createYoutube = (): Platform => ({
  key: 'youtube',
  connect,
  publish,
  ownPosts,
  lookups: { categories, playlists },
  additions: { playlists: addPlaylist },
  metrics,
  account: accountFigures,
  competitors,
  inbox,
  // developers.google.com/youtube/v3/determine_quota_cost, since 2026-06-01: uploads have their own limit, everything
  // else costs units
  budgets: [
    { name: 'uploads-day', per: 'credentials', windowSeconds: 86_400, tokens: 100, cost: { send: 1 } },
    {
      name: 'units-day',
      per: 'credentials',
      windowSeconds: 86_400,
      tokens: 10_000,
      cost: {
        poll: 2,
        readback: 1,
        followUp: 50,
        reconcileFollowUp: 1,
        metrics: 1,
        ownPosts: 3,
        competitor: 3,
        lookup: 6,
        addition: 50,
        inbox: 1,
        reply: 50,
      },
    },
  ],
  hosts: [...SIGN_IN_HOSTS, HOST, ANALYTICS_HOST],
})
