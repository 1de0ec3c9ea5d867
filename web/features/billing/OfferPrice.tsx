import type { BillingInterval, PlanOffer } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { AddonCounter } from './AddonCounter.tsx'
import { PriceLines } from './PriceLines.tsx'
import { per } from './planWords.ts'

type Props = {
  /** The plan's name in the first line. */
  label: string
  offer: PlanOffer
  interval: BillingInterval
  addons: number
  onAddons: (addons: number) => void
  /** The maximum number of add-ons. */
  max: number
  currencyCode: string
  taxRate: number | null
  /** Called when someone leaves the dialog to remove channels instead. */
  onLeave: () => void
  /** If Individual is full and Team isn't. */
  onTeam?: () => void
}

/** A plan's number of add-ons, and what that costs per period. */
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
