import { NEWEST_NOTICES } from '#contract/early.ts'
import { listNotices, type Notice } from '#contract/notices.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

/** The newest notifications and how many are unread, for the bell and its panel. Errors stay there. */
export function useNewestNotices() {
  return useCall(listNotices, { params: useProjectIds(), query: { limit: NEWEST_NOTICES } }, { handles: true })
}

/**
 * How many of these are unread and about the conversation that is open here: it is marked as read in a moment, and so are
 * they. None while nobody looks at this window.
 */
export function seenHere(notices: readonly Notice[], openConversation: string | undefined, isVisible: boolean): number {
  if (openConversation === undefined || !isVisible) return 0
  return notices.filter(({ read, link }) => !read && link?.endsWith(`/inbox?c=${openConversation}`) === true).length
}
