import { addressOf } from './address.ts'
import { allChannels } from './channels.ts'
import { listNotices } from './notices.ts'
import { home, myPermissions, plan } from './organizations.ts'
import { postStatistics } from './postLists.ts'

/** Notices that the bell shows: the newest. */
export const NEWEST_NOTICES = 8

/**
 * What every page of a project asks for first. The server puts the answers into the page that it sends, so that the app
 * has them when it starts.
 */
export const firstCalls = (params: { orgId: string; projectId: string }): readonly string[] => [
  addressOf(home, {}),
  addressOf(myPermissions, { params }),
  addressOf(plan, { params: { orgId: params.orgId } }),
  addressOf(allChannels, { params }),
  addressOf(postStatistics, { params, query: {} }),
  addressOf(listNotices, { params, query: { limit: NEWEST_NOTICES } }),
]

/** The element of the page that holds an `EarlyData` as JSON. Browsers don't run a script of this type. */
export const EARLY_ELEMENT = { id: 'early', type: 'application/json' } as const

/** What comes with a project's page for a person who is signed in. */
export type EarlyData = {
  /** Where the live events stood before anything of it was read, and when: the page's event stream begins there. */
  events: { after: string; readAt: string }
  /** The replies of first calls by their addresses. Those that were refused or late are missing. */
  replies: Record<string, unknown>
}
