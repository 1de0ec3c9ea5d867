import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import type { PlanOffer } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { MONTHS_FREE } from './planWords.ts'

type Props = {
  offer: PlanOffer
  currencyCode: string
  /** How many of its features. */ shown: number
  note?: ReactNode
  action: ReactNode
}

/** One plan: its name, prices, main features, and actions. */
export function PlanOfferCard({
  offer: { planId, planName, features, prices },
  currencyCode,
  shown,
  note,
  action,
}: Props) {
  const priceOf = (interval: 'monthly' | 'annual') =>
    money(prices.find(({ billingInterval }) => billingInterval === interval)?.price ?? 0, currencyCode)
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="grid gap-1">
        <h3 className="font-bold">{planName}</h3>
        <p className="tnum">
          <span className="text-xl font-bold tracking-tight">{priceOf('monthly')}</span>{' '}
          <span className="text-ink-muted">/ month</span>
        </p>
        {planId === 'free' ? (
          <p className="text-sm text-ink-muted">lifetime free</p>
        ) : (
          <p className="tnum flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-muted">
            {priceOf('annual')} / year <Badge tone="ok">{MONTHS_FREE}</Badge>
          </p>
        )}
      </div>
      <ul className="grid gap-1">
        {features.slice(0, shown).map((feature) => (
          <li key={feature} className="flex items-start gap-2">
            <Check size={14} aria-hidden className="mt-0.5 shrink-0 text-ok" />
            <span className="min-w-0 text-pretty">{feature}</span>
          </li>
        ))}
      </ul>
      {note}
      <div className="mt-auto grid">{action}</div>
    </li>
  )
}
