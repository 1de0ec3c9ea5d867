import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Gate } from '#contract/plans.ts'
import { gateWords } from '#web/lib/gates.ts'
import { useIsAdminHere } from '#web/lib/project.ts'
import { Banner } from './Banner.tsx'
import { Link } from './Link.tsx'

type Props = { gate: Gate; /** What else helps here, such as a button that opens the upgrade dialog. */ actions?: ReactNode; className?: string }

/** What the plan does not allow, where it was asked for, and who can change that. */
export function GateNotice({ gate, actions, className }: Props) {
  const { title, text } = gateWords[gate]
  const isAdmin = useIsAdminHere()
  return (
    <Banner tone="wait" title={title} live actions={actions} {...(className ? { className } : {})}>
      {text} {gate === 'ai_credits' || isAdmin === undefined ? null : isAdmin ? <LargerPlan /> : 'Ask the admin of the organization for a larger plan.'}
    </Banner>
  )
}

/** For admins: the way to it, where the address says of which project's organization. */
function LargerPlan() {
  const { orgId, projectId } = useParams({ strict: false })
  if (!orgId || !projectId) return 'You are an admin of the organization: a larger plan lifts it.'
  return (
    <>
      A larger plan lifts it:{' '}
      <Link to="/$orgId/project/$projectId/org-settings" params={{ orgId, projectId }} search={{ tab: 'billing' }}>
        choose one
      </Link>
      .
    </>
  )
}
