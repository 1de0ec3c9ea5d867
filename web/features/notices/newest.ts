import { NEWEST_NOTICES } from '#contract/early.ts'
import { listNotices } from '#contract/notices.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

/** The newest notices and how many are unread: what the bell and its panel show. Failures stay with them. */
export function useNewestNotices() {
  return useCall(listNotices, { params: useProjectIds(), query: { limit: NEWEST_NOTICES } }, { handles: true })
}
