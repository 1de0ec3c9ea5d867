import type { ReactNode } from 'react'
import type { Gate } from '#contract/plans.ts'
import { gateWords } from '#web/lib/gates.ts'
import { useIsAdminHere } from '#web/lib/project.ts'
import { Banner } from './Banner.tsx'

type Props = { gate: Gate; /** What else helps here, such as a button that opens the upgrade dialog. */ actions?: ReactNode; className?: string }

/** What the plan does not allow, where it was asked for, and who can change that. */
export function GateNotice({ gate, actions, className }: Props) {
  const { title, text } = gateWords[gate]
  const isAdmin = useIsAdminHere()
  return (
    <Banner tone="wait" title={title} live actions={actions} {...(className ? { className } : {})}>
      {text} {gate === 'ai_credits' || isAdmin === undefined ? null : isAdmin ? 'You are an admin of the organization: a larger plan lifts it.' : 'Ask the admin of the organization for a larger plan.'}
    </Banner>
  )
}
