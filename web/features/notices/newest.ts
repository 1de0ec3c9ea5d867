import { listNotices } from '#contract/notices.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

/** As many as the bell shows. */
const NEWEST = 8

/** The newest notices and how many are unread: what the bell and its panel show. Failures stay with them. */
export function useNewestNotices() {
  return useCall(listNotices, { params: useProjectIds(), query: { limit: NEWEST } }, { handles: true })
}
