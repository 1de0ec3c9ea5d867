import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { plan } from '#contract/organizations.ts'
import type { Gate } from '#contract/plans.ts'
import { creditsOf, gateWords, plansThatLift } from '#web/lib/gates.ts'
import { useIsAdminHere } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Banner } from './Banner.tsx'
import { Link } from './Link.tsx'

type Props = {
  gate: Gate
  /** The server's own message, if the gate's would be wrong. */ title?: string
  /** What still works here without it. */ more?: string
  /** What else helps here, such as a button that opens the upgrade dialog. */ actions?: ReactNode
  className?: string
}

/** What the plan doesn't include, where it was requested, and who can change that. */
export function GateNotice({ gate, title, more, actions, className }: Props) {
  const words = title === undefined ? gateWords[gate] : { title, text: '' }
  return (
    <Banner tone="wait" title={words.title} live actions={actions} {...(className ? { className } : {})}>
      {words.text} {more} {gate === 'ai_credits' ? <MoreCredits /> : <WayOn />}
    </Banner>
  )
}

/** Who can upgrade, and where. */
function WayOn() {
  const isAdmin = useIsAdminHere()
  return isAdmin === undefined ? null : isAdmin ? <LargerPlan /> : 'Ask your organization admin to upgrade.'
}

/** Credits renew every month; a larger plan helps before that, if there is one. */
function MoreCredits() {
  const { orgId } = useParams({ strict: false })
  const facts = useCall(plan, { params: { orgId: orgId ?? '' } }, { enabled: orgId !== undefined, handles: true }).data
  return facts && plansThatLift('ai_credits', creditsOf(facts)).length > 0 ? <WayOn /> : null
}

/** For admins: the link to upgrade, if the URL says which project's organization. */
function LargerPlan() {
  const { orgId, projectId } = useParams({ strict: false })
  if (!orgId || !projectId) return 'Upgrade to remove this limit.'
  return (
    <>
      <Link to="/$orgId/project/$projectId/org-settings" params={{ orgId, projectId }} search={{ tab: 'billing' }}>
        Upgrade
      </Link>{' '}
      to remove this limit.
    </>
  )
}
