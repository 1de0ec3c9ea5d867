import { because } from '#contract/failures/catalog.ts'
import { callsOf, callsOfApp } from '../graph.ts'
import { FACEBOOK_HOSTS } from '../graphLogin.ts'
import { findPlaces } from '../graphPlaces.ts'
import type { Lookup, Platform } from '../platform.ts'
import { boost } from './boost.ts'
import { withSecret } from './client.ts'
import { accountFigures } from './accountFigures.ts'
import { competitors } from './competitors.ts'
import { connect } from './connect.ts'
import { graphPush } from '../graphPush.ts'
import { inbox } from './inbox.ts'
import { metrics } from './metrics.ts'
import { ownPosts } from './ownPosts.ts'
import { publish } from './publish.ts'
import { subscribe, unsubscribe } from './subscribe.ts'

/** Places to tag in a post. */
const places: Lookup = withSecret(async (reach, own, _account, ask) => await findPlaces(reach, own.accessToken, ask))

/** Facebook Pages, by the Graph API: README.md. */
export const createFacebook = (): Platform => ({
  key: 'facebook',
  connect,
  publish,
  ownPosts,
  lookups: { places },
  closedLookups: { people: because('facebook-people-closed') },
  metrics,
  account: accountFigures,
  competitors,
  inbox,
  push: graphPush({ feed: 'comment', mention: 'mention' }, { subscribe, unsubscribe }),
  boost,
  // no limit is published for posts; if the platform refuses one, posts and readings wait as long as it says
  budgets: [callsOf(1), callsOfApp],
  hosts: FACEBOOK_HOSTS,
})
