import { NEWEST_NOTICES } from '#contract/early.ts'
import { listNotices } from '#contract/notices.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

/** The newest notifications and how many are unread, for the bell and its panel. Errors stay there. */
export function useNewestNotices() {
  return useCall(listNotices, { params: useProjectIds(), query: { limit: NEWEST_NOTICES } }, { handles: true })
}
