import { useMutation, useQuery } from '@tanstack/react-query'
import type { ChangePreview } from '#contract/billing.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { askPreview, confirmChange, useAfterChange, type Change } from './change.ts'
import { ChangeSummary } from './ChangeSummary.tsx'
import { TestPayments } from './TestPayments.tsx'

type Props = {
  orgId: string
  zone: string
  title: string
  change: Change
  isTest: boolean
  onClose: () => void
  onBack?: () => void
  onPaymentMethod: () => void
}

/** What a change costs, before anyone agrees to it. Confirming it pays with the plan's card. */
export function ChangeDialog({ orgId, zone, title, change, isTest, onClose, onBack, onPaymentMethod }: Props) {
  const after = useAfterChange()
  const preview = useQuery<ChangePreview>({
    queryKey: ['preview', orgId, change],
    queryFn: ({ signal }) => askPreview(orgId, change, signal),
    // one preview each time it's opened: amounts change with time
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    meta: { handles: true },
  })
  const confirm = useMutation<{ message: string }, ApiFailure, ChangePreview>({
    mutationFn: (shown) => confirmChange(orgId, change.kind, shown),
    onSuccess: async ({ message }) => {
      onClose()
      await after(message)
    },
    meta: { handles: ['PLAN_ACTION_REFUSED', 'PAYMENT_REFUSED', 'PAYMENT_DECLINED', 'STALE_VERSION'] },
  })
  const again = () => {
    confirm.reset()
    void preview.refetch()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      footer={
        <>
          {onBack ? (
            <Button className="mr-auto" onClick={onBack}>
              Back
            </Button>
          ) : null}
          <Button onClick={onClose}>Discard</Button>
          <Button
            tone="primary"
            disabled={!preview.data || preview.isFetching}
            loading={confirm.isPending}
            onClick={() => (preview.data ? confirm.mutate(preview.data) : undefined)}
          >
            Update Subscription
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {isTest ? <TestPayments brief /> : null}
        {confirm.error ? <Refused failure={confirm.error} onAgain={again} onPaymentMethod={onPaymentMethod} /> : null}
        <Loaded query={preview} skeleton={<SkeletonLines />}>
          {(data) => <ChangeSummary preview={data} zone={zone} />}
        </Loaded>
      </div>
    </Dialog>
  )
}

function Refused({
  failure,
  onAgain,
  onPaymentMethod,
}: {
  failure: ApiFailure
  onAgain: () => void
  onPaymentMethod: () => void
}) {
  const button =
    failure.code === 'PAYMENT_DECLINED' ? (
      <Button size="s" onClick={onPaymentMethod}>
        Update payment method
      </Button>
    ) : (
      <Button size="s" onClick={onAgain}>
        Preview again
      </Button>
    )
  return <Banner tone="bad" live title={failure.detail ?? failure.title} actions={button} />
}
