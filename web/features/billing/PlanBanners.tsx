import { useState } from 'react'
import { plan } from '#contract/organizations.ts'
import { useIsOrgAdmin, useViewOnlyReason } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { recall, remember } from '#web/lib/remember.ts'
import { Link } from '#web/ui/Link.tsx'
import { Strip } from '#web/ui/Strip.tsx'
import { newsMemory, planNews } from './planNews.ts'

/**
 * A line above the page: the plan has expired, a payment is overdue, there are too many channels, or a trial is
 * running.
 */
export function PlanBanners() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const isAdmin = useIsOrgAdmin(ids)
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true }).data
  const news = facts && planNews(facts, zone)
  const memory = newsMemory(ids.orgId)
  const [, setDismissed] = useState(0)
  const viewOnly = useViewOnlyReason()
  if (viewOnly !== undefined) return <Strip label="Plan" tone="wait" title="View only" text={viewOnly} />
  if (!news || (news.hides !== null && recall(memory) === news.key)) return null
  const dismiss = () => {
    remember(memory, news.key)
    setDismissed((times) => times + 1)
  }
  return (
    <Strip
      label="Plan"
      tone={news.tone}
      title={news.title}
      text={news.text}
      dismiss={news.hides === null ? undefined : { label: news.hides, run: dismiss }}
    >
      {isAdmin ? (
        <Link
          to="/$orgId/project/$projectId/org-settings"
          params={ids}
          search={{ tab: 'billing', ...(news.leadsTo === 'excess' ? { excess: 'choose' as const } : {}) }}
          className="shrink-0 font-semibold!"
        >
          {news.action}
        </Link>
      ) : (
        <span className="text-ink-muted">Contact your organization admin.</span>
      )}
    </Strip>
  )
}
