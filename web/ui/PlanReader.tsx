import { useParams } from '@tanstack/react-router'
import { plan } from '#contract/organizations.ts'
import { useIsAdminHere } from '#web/lib/project.ts'
import { count } from '#web/lib/format.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link } from './Link.tsx'

/**
 * Next to the role of a member that the plan doesn't include: why they're view-only, and for admins a link to the
 * choice.
 */
export function PlanReader() {
  const { orgId, projectId } = useParams({ strict: false })
  const isAdmin = useIsAdminHere()
  const facts = useCall(plan, { params: { orgId: orgId ?? '' } }, { handles: true, enabled: orgId !== undefined }).data
  return (
    <span className="block max-w-60 text-sm text-pretty text-wait">
      {facts && facts.maxUsers !== null
        ? `View only: your plan includes ${count(facts.maxUsers, 'member')}.`
        : "View only: your plan doesn't have room."}{' '}
      {isAdmin && orgId && projectId ? (
        <Link
          to="/$orgId/project/$projectId/org-settings"
          params={{ orgId, projectId }}
          search={{ tab: 'billing', excess: 'choose' }}
        >
          Choose who stays active
        </Link>
      ) : null}
    </span>
  )
}
