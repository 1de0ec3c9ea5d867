import type { BillingInterval, PlanOffer } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { Lines } from './Lines.tsx'
import { per, percent, quantityText } from './planWords.ts'

type Props = {
  label: string
  offer: PlanOffer
  interval: BillingInterval
  addons: number
  currencyCode: string
  taxRate: number | null
}

/** What a plan costs per period, with its tax; without it if the provider adds that. */
export function PriceLines({ label, offer, interval, addons, currencyCode, taxRate }: Props) {
  const { price = 0, addonPrice = 0 } = offer.prices.find(({ billingInterval }) => billingInterval === interval) ?? {}
  const cash = (amount: number) => money(amount, currencyCode)
  const subtotal = price + addonPrice * addons
  const tax = Math.round(subtotal * (taxRate ?? 0))
  return (
    <div className="grid gap-1.5">
      <Lines
        lines={[
          { label, amount: cash(price) },
          ...(addons > 0 ? [{ label: quantityText('Channel Addons', addons), amount: cash(addonPrice * addons) }] : []),
          ...(taxRate === null ? [] : [{ label: `Tax (${percent(taxRate)})`, amount: cash(tax) }]),
        ]}
        total={{
          label: `Total per ${per[interval]}${taxRate === null ? ', before tax' : ''}`,
          amount: cash(subtotal + tax),
        }}
      />
      {taxRate === null ? <p className="text-sm text-ink-muted">Tax is added at checkout.</p> : null}
    </div>
  )
}
