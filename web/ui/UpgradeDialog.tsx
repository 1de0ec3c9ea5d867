import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import type { Gate, PlanId } from '#contract/plans.ts'
import { gateWords, planNames } from '#web/lib/gates.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  gate: Gate
  /** Instead of the gate's own. */
  title?: string
  /** Why it's closed in this case, instead of the gate's general text. */
  reason?: string | undefined
  /** The organization's current plan, such as "the Free plan, 3 of 3 channels"; undefined while it's loading. */
  have: ReactNode
  /** The plans that open the gate. */
  lifts: readonly PlanId[]
  /** Undefined while it isn't known. */
  isAdmin: boolean | undefined
  /** For admins: the link to upgrade, as the dialog's button. */
  way?: ReactNode
  onClose: () => void
}

/** What the plan doesn't include, which plans do, and who can upgrade. */
export function UpgradeDialog({
  gate,
  title = gateWords[gate].title,
  reason,
  have,
  lifts,
  isAdmin,
  way,
  onClose,
}: Props) {
  const onwards = isAdmin ? way : undefined
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={reason ?? gateWords[gate].text}
      footer={
        <>
          <Button tone={onwards ? 'default' : 'primary'} onClick={onClose}>
            Close
          </Button>
          {onwards}
        </>
      }
    >
      <div className="grid gap-3">
        {have ? (
          <p className="rounded-md bg-sunken px-3 py-2 text-pretty inset-ring inset-ring-line">
            This organization has <b className="tnum font-bold">{have}</b>.
          </p>
        ) : null}
        {lifts.length > 0 ? (
          <div>
            <p className="text-sm text-ink-muted">
              {lifts.length === 1 ? 'The plan that includes it' : 'Plans that include it'}
            </p>
            <ul className="mt-1 grid gap-1">
              {lifts.map((plan) => (
                <li key={plan} className="flex items-center gap-2 font-semibold">
                  <Check size={14} aria-hidden className="text-ok" />
                  {planNames[plan]}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        {isAdmin === undefined || onwards ? null : (
          <p className="text-ink-muted">
            {isAdmin
              ? 'You can change the plan in your organization settings.'
              : 'Ask your organization admin to upgrade.'}
          </p>
        )}
      </div>
    </Dialog>
  )
}
