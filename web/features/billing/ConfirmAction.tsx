import { cancelPlan, resumePlan, type BillingStatus } from '#contract/billing.ts'
import { dateOf } from '#web/lib/format.ts'
import { useSend } from '#web/lib/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { useAfterChange } from './change.ts'

type Props = { orgId: string; zone: string; status: BillingStatus; onClose: () => void }

export function CancelDialog({ orgId, zone, status, onClose }: Props) {
  const after = useAfterChange()
  const send = useSend(cancelPlan, {
    onSuccess: async ({ message }) => {
      onClose()
      await after(message)
    },
  })
  const end = status.currentEndDate ? dateOf(status.currentEndDate, zone) : 'the end of the period'
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Cancel ${status.planName}?`}
      action="Cancel subscription"
      dismiss="Keep the plan"
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId }, body: {} })}
    >
      <p>It stays active until {end}, and nothing more is charged.</p>
      <p className="mt-2">After that nothing is published or connected until a plan is chosen. Nothing is deleted.</p>
    </ConfirmDialog>
  )
}

export function RestartDialog({ orgId, zone, status, onClose }: Props) {
  const after = useAfterChange()
  const send = useSend(resumePlan, {
    onSuccess: async ({ message }) => {
      onClose()
      await after(message)
    },
  })
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
      The cancellation is taken back: the plan renews
      {status.currentEndDate ? ` on ${dateOf(status.currentEndDate, zone)}` : ''} as before.
    </ConfirmDialog>
  )
}
