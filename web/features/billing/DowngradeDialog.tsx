import { useState } from 'react'
import { planDowngrade, pricing, type BillingStatus, type PlanOffer, type Pricing } from '#contract/billing.ts'
import { dateOf } from '#web/lib/format.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { hindrances, MOST_ADDONS } from './bounds.ts'
import { useAfterChange } from './change.ts'
import { SettingsLink } from './links.tsx'
import { OfferPrice } from './OfferPrice.tsx'
import { restsText } from './planWords.ts'
import { TestPayments } from './TestPayments.tsx'

type Props = { orgId: string; zone: string; status: BillingStatus; isTest: boolean; onClose: () => void }

/** From Team to Individual at the end of the period: what it will cost, and what it doesn't include. */
export function DowngradeDialog(props: Props) {
  const plans = useCall(pricing, { params: { orgId: props.orgId } }, { staleTime: 0, handles: true })
  const offer = plans.data?.plans.find(({ planId }) => planId === 'individual')
  if (plans.data && offer) return <Summary {...props} facts={plans.data} offer={offer} />
  return (
    <Dialog open onOpenChange={props.onClose} title="Switch to Individual">
      <Loaded query={plans} skeleton={<SkeletonLines />}>
        {() => null}
      </Loaded>
    </Dialog>
  )
}

function Summary({
  orgId,
  zone,
  status,
  isTest,
  onClose,
  facts: { currencyCode, taxRate },
  offer,
}: Props & { facts: Pricing; offer: PlanOffer }) {
  const interval = status.billingPeriod ?? 'monthly'
  const [addons, setAddons] = useState(Math.min(offer.leastAddons, MOST_ADDONS.individual))
  const after = useAfterChange()
  const send = useSend(planDowngrade, {
    refreshes: [],
    handles: ['PLAN_ACTION_REFUSED', 'PAYMENT_REFUSED'],
    onSuccess: async ({ message }) => {
      onClose()
      await after(message)
    },
  })
  const price = offer.prices.find(({ billingInterval }) => billingInterval === interval)
  const inTheWay = hindrances('individual', { excessChannels: price?.excessChannels ?? 0, excessProjects: 0 })
  const rests = restsText(offer.planName, offer.rests)
  const date = status.currentEndDate ? dateOf(status.currentEndDate, zone) : 'the end of the period'
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Switch to Individual"
      description={`${status.planName} stays active until ${date}. Nothing is charged now, and you can undo this until then.`}
      footer={
        <>
          <Button onClick={onClose}>Keep {status.planName}</Button>
          <Button
            tone="primary"
            disabled={inTheWay.length > 0}
            loading={send.isPending}
            onClick={() => send.mutate({ params: { orgId }, body: { addonQuantity: addons } })}
          >
            Switch on {date}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {isTest ? <TestPayments brief /> : null}
        {send.error?.code === 'PLAN_ACTION_REFUSED' || send.error?.code === 'PAYMENT_REFUSED' ? (
          <Banner tone="bad" live title={send.error.detail ?? send.error.title} />
        ) : null}
        {inTheWay.map(({ text }) => (
          <p key={text} className="text-pretty text-wait">
            {text} <SettingsLink tab="channels" onFollow={onClose} />
          </p>
        ))}
        {inTheWay.length > 0 ? null : (
          <>
            <OfferPrice
              label={offer.planName}
              offer={offer}
              interval={interval}
              addons={addons}
              onAddons={setAddons}
              max={MOST_ADDONS.individual}
              currencyCode={currencyCode}
              taxRate={taxRate}
              onLeave={onClose}
            />
            <p className="text-pretty text-wait empty:hidden">{rests}</p>
            <p className="text-pretty text-ink-muted">
              Approval workflows, discussions and custom roles end with Team. If you have more channels than you pay for
              on {date}, the newest are paused. Nothing is deleted.
            </p>
          </>
        )}
      </div>
    </Dialog>
  )
}
