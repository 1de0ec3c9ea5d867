import type { BillingInterval, PlanOffer } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { intervalWords, MONTHS_FREE, per } from './planWords.ts'

type Props = {
  plan: PlanOffer
  currencyCode: string
  value: BillingInterval
  onChange: (value: BillingInterval) => void
  /** Annual billing can't be changed back to monthly. */ current: BillingInterval | null
}

export function IntervalChoice({ plan, currencyCode, value, onChange, current }: Props) {
  const priceOf = (interval: BillingInterval) =>
    `${money(plan.prices.find(({ billingInterval }) => billingInterval === interval)?.price ?? 0, currencyCode)} / ${per[interval]}`
  return (
    <RadioGroup
      label="Billing cycle"
      value={value}
      onChange={onChange}
      choices={[
        {
          value: 'monthly',
          label: intervalWords.monthly,
          hint: current === 'annual' ? "You're already billed annually." : priceOf('monthly'),
          disabled: current === 'annual',
        },
        {
          value: 'annual',
          label: (
            <span className="-my-1 inline-flex flex-wrap items-center gap-2">
              {intervalWords.annual} <Badge tone="ok">{MONTHS_FREE}</Badge>
            </span>
          ),
          hint: priceOf('annual'),
        },
      ]}
    />
  )
}
