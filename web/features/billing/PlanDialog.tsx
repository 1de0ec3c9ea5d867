import { useEffect, useState } from 'react'
import {
  checkout,
  PaidPlanId,
  pricing,
  switchToFree,
  type BillingInterval,
  type PlanOffer,
  type Pricing,
} from '#contract/billing.ts'
import { entitlements, wakingOn } from '#contract/plans.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { hindrances, MOST_ADDONS } from './bounds.ts'
import { useAfterChange } from './change.ts'
import { IntervalChoice } from './IntervalChoice.tsx'
import { SettingsLink } from './links.tsx'
import { PlanOfferCard } from './PlanOfferCard.tsx'
import { OfferPrice } from './OfferPrice.tsx'
import { intervalWords, restsText } from './planWords.ts'
import { TestPayments } from './TestPayments.tsx'
import { ReactivationNote } from './ReactivationNote.tsx'

type Props = {
  orgId: string
  onClose: () => void
  /** The started checkout; its overlay takes over. */ onCheckout: (transactionId: string) => void
}
type PaidOffer = PlanOffer & { planId: Exclude<PlanOffer['planId'], 'free'> }
const isPaidOffer = (offer: PlanOffer): offer is PaidOffer => PaidPlanId.safeParse(offer.planId).success

/** Two steps: which plan, then its billing cycle and add-ons. Closes itself if the plans can't be loaded. */
export function PlanDialog({ orgId, onClose, onCheckout }: Props) {
  const plans = useCall(pricing, { params: { orgId } }, { staleTime: 0 })
  const [chosen, setChosen] = useState<PaidOffer['planId']>()
  const failed = plans.isError
  useEffect(() => {
    if (failed) onClose()
  }, [failed, onClose])

  const offer = plans.data?.plans.filter(isPaidOffer).find(({ planId }) => planId === chosen)
  if (plans.data && offer)
    return (
      <CheckoutStep
        key={offer.planId}
        orgId={orgId}
        offer={offer}
        facts={plans.data}
        onBack={() => setChosen(undefined)}
        onTeam={() => setChosen('team')}
        onClose={onClose}
        onCheckout={onCheckout}
      />
    )
  return (
    <Dialog open onOpenChange={onClose} title="Choose a plan" size="l" description={<Lead />}>
      {plans.data ? (
        <ChooseStep orgId={orgId} facts={plans.data} onChoose={setChosen} onClose={onClose} />
      ) : (
        <SkeletonLines />
      )}
    </Dialog>
  )
}

function Lead() {
  return (
    <>
      See everything each plan includes: <OutsideLink href="/pricing">Learn More</OutsideLink>
    </>
  )
}

type StepProps = { orgId: string; facts: Pricing; onClose: () => void }

function ChooseStep({
  orgId,
  facts,
  onChoose,
  onClose,
}: StepProps & { onChoose: (planId: PaidOffer['planId']) => void }) {
  const after = useAfterChange()
  const free = useSend(switchToFree, {
    refreshes: [],
    handles: ['PLAN_ACTION_REFUSED'],
    onSuccess: async ({ message }) => {
      onClose()
      await after(message)
    },
  })
  return (
    <div className="grid gap-3">
      {facts.provider === 'local' ? <TestPayments brief /> : null}
      {free.error?.code === 'PLAN_ACTION_REFUSED' ? (
        <Banner tone="bad" live title={free.error.detail ?? free.error.title} />
      ) : null}
      <ul className="grid gap-3 md:grid-cols-3">
        {facts.plans.slice(0, 3).map((offer) => {
          const isCurrent = facts.currentPlan.planId === offer.planId
          const inTheWay = isCurrent
            ? []
            : hindrances(offer.planId, {
                excessChannels: offer.prices[0]?.excessChannels ?? 0,
                excessProjects: offer.prices[0]?.excessProjects ?? 0,
              })
          return (
            <PlanOfferCard
              key={offer.planId}
              offer={offer}
              currencyCode={facts.currencyCode}
              shown={2}
              note={
                <>
                  {inTheWay.map(({ text, of }) => (
                    <p key={text} className="text-sm text-pretty text-wait">
                      {text} {of ? <SettingsLink tab={of} onFollow={onClose} /> : null}
                    </p>
                  ))}
                  {isCurrent || inTheWay.length > 0 ? null : <Rests offer={offer} />}
                </>
              }
              action={
                <Button
                  tone={offer.planId === 'team' ? 'primary' : 'default'}
                  disabled={isCurrent || inTheWay.length > 0}
                  loading={offer.planId === 'free' && free.isPending}
                  onClick={() =>
                    isPaidOffer(offer) ? onChoose(offer.planId) : free.mutate({ params: { orgId }, body: {} })
                  }
                >
                  {isCurrent ? 'Current plan' : `Choose ${offer.planName}`}
                </Button>
              }
            />
          )
        })}
      </ul>
    </div>
  )
}

function CheckoutStep({
  orgId,
  offer,
  facts,
  onBack,
  onTeam,
  onClose,
  onCheckout,
}: StepProps & {
  offer: PaidOffer
  onBack: () => void
  onTeam: () => void
  onCheckout: (transactionId: string) => void
}) {
  const current = facts.currentPlan.billingInterval
  const min = offer.leastAddons
  const max = MOST_ADDONS[offer.planId]
  const [interval, setInterval] = useState<BillingInterval>(current ?? 'monthly')
  const [addons, setAddons] = useState(Math.min(min, max))
  const begin = useSend(checkout, {
    handles: ['PAYMENT_REFUSED', 'PLAN_ACTION_REFUSED'],
    onSuccess: ({ transactionId }) => onCheckout(transactionId),
  })
  const isBlocked = facts.provider === 'none' || min > max
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Summary of ${offer.planName}`}
      footer={
        <>
          <Button className="mr-auto" onClick={onBack}>
            Back
          </Button>
          <Button
            tone="primary"
            disabled={isBlocked}
            loading={begin.isPending}
            onClick={() =>
              begin.mutate({
                params: { orgId },
                body: { addonQuantity: addons, basePlanId: offer.planId, billingInterval: interval },
              })
            }
          >
            Checkout
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {facts.provider === 'local' ? <TestPayments brief /> : null}
        {facts.provider === 'none' ? <NotSetUp /> : null}
        <Refusal failure={begin.error} />
        <IntervalChoice
          plan={offer}
          currencyCode={facts.currencyCode}
          value={interval}
          onChange={setInterval}
          current={current}
        />
        <OfferPrice
          label={`${offer.planName}, ${intervalWords[interval].toLowerCase()}`}
          offer={offer}
          interval={interval}
          addons={addons}
          onAddons={setAddons}
          max={max}
          currencyCode={facts.currencyCode}
          taxRate={facts.taxRate}
          onLeave={onClose}
          {...(offer.planId === 'individual' && { onTeam })}
        />
        <Rests offer={offer} />
        {facts.holdings ? (
          <ReactivationNote
            wakes={wakingOn(
              entitlements(
                { planId: offer.planId, status: 'ACTIVE', addonQuantity: addons, trialEndsAt: null },
                new Date(0),
              ),
              facts.holdings,
            )}
          />
        ) : null}
      </div>
    </Dialog>
  )
}

function NotSetUp() {
  return (
    <Banner tone="wait" title="Payments are not set up">
      You can't buy a plan on this installation until its administrator sets up payments.
    </Banner>
  )
}

function Refusal({ failure }: { failure: ApiFailure | null }) {
  return failure?.code === 'PAYMENT_REFUSED' || failure?.code === 'PLAN_ACTION_REFUSED' ? (
    <Banner tone="bad" live title={failure.detail ?? failure.title} />
  ) : null
}

/** The choice's side effects, shown before it's made. */
function Rests({ offer: { planName, rests } }: { offer: PlanOffer }) {
  const text = restsText(planName, rests)
  return text ? <p className="text-sm text-pretty text-wait">{text}</p> : null
}
