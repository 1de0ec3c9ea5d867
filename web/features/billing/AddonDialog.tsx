import { useState } from 'react'
import { addonDetails, type AddonDetails } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { leastAddons } from '#contract/subscription.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { AddonCounter } from './AddonCounter.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { Lines } from './Lines.tsx'
import { per } from './planWords.ts'
import { TestPayments } from './TestPayments.tsx'

type Props = {
  orgId: string
  zone: string
  isTest: boolean
  onClose: () => void
  onTeam: () => void
  onPaymentMethod: () => void
}

/** Manage Limit: how many add-ons, then what that costs. */
export function AddonDialog(props: Props) {
  const details = useCall(addonDetails, { params: { orgId: props.orgId } }, { staleTime: 0, handles: true })
  if (details.data) return <Counting {...props} details={details.data} />
  return (
    <Dialog open onOpenChange={props.onClose} title="Manage Limit">
      <Loaded query={details} skeleton={<SkeletonLines />}>
        {() => null}
      </Loaded>
    </Dialog>
  )
}

function Counting({
  orgId,
  zone,
  isTest,
  onClose,
  onTeam,
  onPaymentMethod,
  details,
}: Props & { details: AddonDetails }) {
  const {
    planId,
    planName,
    currentAddons,
    currentChannels,
    basePlanLimit,
    addonPrice,
    maxAddonLimit,
    billingPeriod,
    currencyCode,
  } = details
  const [value, setValue] = useState(currentAddons)
  const [previewed, setPreviewed] = useState(false)
  if (previewed)
    return (
      <ChangeDialog
        orgId={orgId}
        zone={zone}
        title="Change Addons"
        change={{ kind: 'addons', addonQuantity: value }}
        isTest={isTest}
        onClose={onClose}
        onBack={() => setPreviewed(false)}
        onPaymentMethod={onPaymentMethod}
      />
    )
  const cash = (amount: number) => `${money(amount, currencyCode)} / ${per[billingPeriod]}`
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Manage Limit"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={value === currentAddons} onClick={() => setPreviewed(true)}>
            Update
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {isTest ? <TestPayments brief /> : null}
        <p className="text-ink-muted">
          {planName} includes {basePlanLimit} channels. {currentChannels} {currentChannels === 1 ? 'is' : 'are'} active.
        </p>
        <AddonCounter
          value={value}
          onChange={setValue}
          min={leastAddons(planId, currentChannels)}
          max={maxAddonLimit}
          isIndividual={planId === 'individual'}
          price={`Each one is ${cash(addonPrice)}.`}
          onLeave={onClose}
          onTeam={onTeam}
        />
        <Lines
          lines={[{ label: 'Total channels', amount: String(basePlanLimit + value) }]}
          total={{ label: 'Addons', amount: cash(addonPrice * value) }}
        />
      </div>
    </Dialog>
  )
}
