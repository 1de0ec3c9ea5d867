import { useState } from 'react'
import { teamUpgrade, type BillingInterval } from '#contract/billing.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { MOST_ADDONS } from './bounds.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import { IntervalChoice } from './IntervalChoice.tsx'
import { OfferPrice } from './OfferPrice.tsx'
import { TestPayments } from './TestPayments.tsx'

type Props = { orgId: string; zone: string; isTest: boolean; onClose: () => void; onPaymentMethod: () => void }

/** Upgrade Teams: a summary with interval and add-ons, then what is paid for the change. */
export function TeamDialog(props: Props) {
  const upgrade = useCall(teamUpgrade, { params: { orgId: props.orgId } }, { staleTime: 0, handles: true })
  if (upgrade.data) return <Summary {...props} facts={upgrade.data} />
  return (
    <Dialog open onOpenChange={props.onClose} title="Upgrade to Team">
      <Loaded query={upgrade} skeleton={<SkeletonLines />}>
        {() => null}
      </Loaded>
    </Dialog>
  )
}

function Summary({
  orgId,
  zone,
  isTest,
  onClose,
  onPaymentMethod,
  facts: { plan, current, taxRate },
}: Props & { facts: ReplyOf<typeof teamUpgrade> }) {
  const [interval, setInterval] = useState<BillingInterval>(current.billingPeriod)
  const [addons, setAddons] = useState(plan.leastAddons)
  const [previewed, setPreviewed] = useState(false)
  if (previewed)
    return (
      <ChangeDialog
        orgId={orgId}
        zone={zone}
        title="Checkout summary"
        change={{ kind: 'team', addonQuantity: addons, billingInterval: interval }}
        isTest={isTest}
        onClose={onClose}
        onBack={() => setPreviewed(false)}
        onPaymentMethod={onPaymentMethod}
      />
    )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Upgrade to Team"
      description={`You'll get: ${plan.features.slice(1).join(', ')}.`}
      footer={
        <>
          <Button onClick={onClose}>Discard</Button>
          <Button tone="primary" onClick={() => setPreviewed(true)}>
            Continue
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {isTest ? <TestPayments brief /> : null}
        <IntervalChoice
          plan={plan}
          currencyCode={current.currencyCode}
          value={interval}
          onChange={setInterval}
          current={current.billingPeriod}
        />
        <OfferPrice
          label={plan.planName}
          offer={plan}
          interval={interval}
          addons={addons}
          onAddons={setAddons}
          max={MOST_ADDONS.team}
          currencyCode={current.currencyCode}
          taxRate={taxRate}
          onLeave={onClose}
        />
        <p className="text-sm text-ink-muted">We'll deduct the unused part of your current plan in the next step.</p>
      </div>
    </Dialog>
  )
}
