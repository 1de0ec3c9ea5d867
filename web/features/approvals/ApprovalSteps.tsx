import { clsx } from 'clsx'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import type { Approval } from '#contract/workflows.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { needsOf } from './messages.ts'

type Step = Approval['steps'][number]
const kinds = { member: '', role: 'anyone with this role', external: 'by email' }

/** The steps of a post's workflow in order, and who decided in each. */
export function ApprovalSteps({ approval: { steps, step: open, state } }: { approval: Approval }) {
  return (
    <ol aria-label="Steps" className="grid gap-2">
      {steps.map((step, i) => (
        <li
          key={i}
          {...(state === 'open' && i === open ? { 'aria-current': 'step' } : {})}
          className={clsx(
            'grid gap-1 border-l-2 pl-3',
            state === 'open' && i === open
              ? 'border-wait'
              : i < open || state === 'approved'
                ? 'border-ok'
                : 'border-line',
          )}
        >
          <p className="text-sm text-ink-muted">
            {steps.length > 1 ? <span className="font-semibold text-ink">{`Step ${i + 1}. `}</span> : null}
            {needsOf(step.needs, step.approvers.length)}
          </p>
          <ul className="grid gap-1">
            {step.approvers.map((approver, at) => (
              <li key={at} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
                <span dir="auto" className="min-w-0 truncate">
                  {approver.name}
                </span>
                {kinds[approver.kind] ? <span className="text-sm text-ink-muted">{kinds[approver.kind]}</span> : null}
                <Verdict approver={approver} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

function Verdict({ approver: { decided, gone } }: { approver: Step['approvers'][number] }) {
  if (decided === 'approved') {
    return (
      <Badge tone="ok" icon={<Check size={12} aria-hidden />}>
        Approved
      </Badge>
    )
  }
  if (decided === 'rejected') {
    return (
      <Badge tone="bad" icon={<X size={12} aria-hidden />}>
        Rejected
      </Badge>
    )
  }
  return gone ? <Badge tone="wait">Can't approve anymore</Badge> : null
}
