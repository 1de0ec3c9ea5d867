import { addressOf } from './address.ts'
import { allChannels } from './channels.ts'
import { listNotices } from './notices.ts'
import { home, myPermissions, plan } from './organizations.ts'
import { postStatistics } from './postLists.ts'

/** Notifications that the bell shows: the newest. */
export const NEWEST_NOTICES = 8

/**
 * The first calls of every page of a project. The server puts the replies into the page, so that the app has them when
 * it starts.
 */
export const firstCalls = (params: { orgId: string; projectId: string }): readonly string[] => [
  addressOf(home, {}),
  addressOf(myPermissions, { params }),
  addressOf(plan, { params: { orgId: params.orgId } }),
  addressOf(allChannels, { params }),
  addressOf(postStatistics, { params, query: {} }),
  addressOf(listNotices, { params, query: { limit: NEWEST_NOTICES } }),
]

/** The page's element with an `EarlyData` as JSON. Browsers don't run a script of this type. */
export const EARLY_ELEMENT = { id: 'early', type: 'application/json' } as const

/** The data in a project's page for people with a session. */
export type EarlyData = {
  /** The position of live events before anything was read, and when: the page's event stream starts there. */
  events: { after: string; readAt: string }
  /** The replies to first calls by their URLs. Refused and late ones are missing. */
  replies: Record<string, unknown>
}
