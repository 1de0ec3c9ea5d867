import { cancelPlan, resumePlan, undoDowngrade, type BillingStatus } from '#contract/billing.ts'
import { dateOf } from '#web/lib/format.ts'
import { useSend } from '#web/lib/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { useAfterChange } from './change.ts'

type Props = { orgId: string; zone: string; status: BillingStatus; onClose: () => void }

/** Sends a free change of the plan, closes its dialog, and reloads everything that shows the plan. */
function usePlanAction(
  endpoint: typeof cancelPlan | typeof resumePlan | typeof undoDowngrade,
  onClose: () => void,
  onDone?: () => void,
) {
  const after = useAfterChange()
  return useSend(endpoint, {
    refreshes: [],
    onSuccess: async ({ message }) => {
      onClose()
      await after(message)
      onDone?.()
    },
  })
}

/** An overdue plan ends immediately, and then another one can be chosen, including Free. */
export function CancelDialog({ orgId, zone, status, onClose, onEnded }: Props & { onEnded: () => void }) {
  const isOverdue = status.planStatus === 'PAST_DUE'
  const send = usePlanAction(cancelPlan, onClose, isOverdue ? onEnded : undefined)
  const end = status.currentEndDate ? dateOf(status.currentEndDate, zone) : 'the end of the period'
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Cancel ${status.planName}?`}
      action="Cancel subscription"
      dismiss="Keep plan"
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId }, body: {} })}
    >
      <p>
        {isOverdue
          ? "It ends right away, and you don't have to pay the overdue amount."
          : `It stays active until ${end}, and nothing more is charged.`}
      </p>
      <p className="mt-2">
        {isOverdue ? 'Choose' : 'After that, choose'} Free or another plan to keep publishing. Until then, nothing is
        published or connected. Nothing is deleted.
      </p>
    </ConfirmDialog>
  )
}

export function RestartDialog({ orgId, zone, status, onClose }: Props) {
  const send = usePlanAction(resumePlan, onClose)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Restart ${status.planName}?`}
      action="Restart Subscription"
      danger={false}
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId }, body: {} })}
    >
      Your plan isn't canceled anymore. It renews
      {status.currentEndDate ? ` on ${dateOf(status.currentEndDate, zone)}` : ''} as before.
    </ConfirmDialog>
  )
}

/** Cancels the scheduled change to a smaller plan. */
export function StayDialog({ orgId, zone, status, onClose }: Props) {
  const send = usePlanAction(undoDowngrade, onClose)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Keep ${status.planName}?`}
      action={`Keep ${status.planName}`}
      danger={false}
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId }, body: {} })}
    >
      {status.planName} renews
      {status.currentEndDate ? ` on ${dateOf(status.currentEndDate, zone)}` : ''} instead of switching to{' '}
      {status.plannedChange?.planName}.
    </ConfirmDialog>
  )
}
