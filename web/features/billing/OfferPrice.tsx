import type { BillingInterval, PlanOffer } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { AddonCounter } from './AddonCounter.tsx'
import { PriceLines } from './PriceLines.tsx'
import { per } from './planWords.ts'

type Props = {
  /** What the plan is called in its first line. */
  label: string
  offer: PlanOffer
  interval: BillingInterval
  addons: number
  onAddons: (addons: number) => void
  /** As many add-ons as the plan takes. */
  max: number
  currencyCode: string
  taxRate: number | null
  /** Someone leaves the dialog to remove channels instead. */
  onLeave: () => void
  /** Where Individual is full and Team would have room. */
  onTeam?: () => void
}

/** How many add-ons a plan is taken with, and what that costs for a period. */
export function OfferPrice({ label, offer, interval, addons, onAddons, max, onLeave, onTeam, ...tender }: Props) {
  const { addonPrice = 0 } = offer.prices.find(({ billingInterval }) => billingInterval === interval) ?? {}
  return (
    <>
      <AddonCounter
        value={addons}
        onChange={onAddons}
        min={offer.leastAddons}
        max={max}
        isIndividual={onTeam !== undefined}
        price={`${offer.baseChannels} channels are included. One more is ${money(addonPrice, tender.currencyCode)} / ${per[interval]}.`}
        onLeave={onLeave}
        onTeam={onTeam ?? onLeave}
      />
      <PriceLines label={label} offer={offer} interval={interval} addons={addons} {...tender} />
    </>
  )
}
