import type { ReactNode } from 'react'
import type { BillingStatus } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { dateOf } from '#web/lib/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextButton } from './links.tsx'
import { intervalWords, MONTHS_FREE, planActions, type PlanAction } from './planWords.ts'

type Props = {
  status: BillingStatus
  zone: string
  /** Its payment is about to open. */ paying: boolean
  onAction: (action: PlanAction) => void
  onDetails: () => void
}

type Row = readonly [label: string, value: ReactNode]

/** What the plan includes and how it's paid. */
export function SummaryCard({ status, zone, paying, onAction, onDetails }: Props) {
  const {
    addonQuantity,
    billingPeriod,
    currentStartDate,
    currentEndDate,
    nextBillingDate,
    lastPaymentMethod,
    planStatus,
    trialExpiresAt,
    nextPayment,
    credits,
    billingDetails,
  } = status
  // the plan's own card pays what is overdue
  const actions = planActions(status).filter((action) => action !== 'payment' || status.planStatus !== 'PAST_DUE')
  const isTrial = planStatus === 'TRIAL_ACTIVE' || planStatus === 'TRIAL_EXPIRED'
  const muted = (words: string) => <span className="font-normal text-ink-muted">{words}</span>
  const rows: readonly Row[] = [
    ['Billing cycle', billingPeriod ? intervalWords[billingPeriod] : muted('Nothing is billed')],
    ['Channel Addons', addonQuantity],
    ...(isTrial && trialExpiresAt ? [['Trial', `until ${dateOf(trialExpiresAt, zone)}`] as const] : []),
    // unbilled plans have no period, date or card: five times "None" would say less
    ...(billingPeriod
      ? ([
          [
            'Period',
            currentStartDate && currentEndDate
              ? `${dateOf(currentStartDate, zone)} to ${dateOf(currentEndDate, zone)}`
              : muted('None'),
          ],
          ['Next billing date', nextBillingDate ? dateOf(nextBillingDate, zone) : muted('None')],
          [
            'Next amount',
            nextPayment
              ? `${money(nextPayment.amount, nextPayment.currencyCode)}${nextPayment.beforeTax ? ' plus tax' : ''}`
              : muted('None'),
          ],
        ] as const)
      : []),
    ...credits.map(({ currencyCode, amount }) => ['Credit', money(amount, currencyCode)] as const),
    ...(billingPeriod || lastPaymentMethod
      ? [
          [
            'Payment method',
            lastPaymentMethod ? <PaymentMethod key="method" method={lastPaymentMethod} /> : muted('None'),
          ] as const,
        ]
      : []),
    [
      'Billed to',
      <span key="details" className="flex flex-wrap items-baseline justify-end gap-x-2">
        {billingDetails?.name || 'Your organization'}
        <TextButton onClick={onDetails}>Edit billing details</TextButton>
      </span>,
    ],
  ]
  return (
    <section
      aria-labelledby="plan-summary"
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <h2 id="plan-summary" className="text-sm text-ink-muted">
        Plan summary
      </h2>
      <dl className="tnum grid gap-2">
        {rows.map(([label, value]) => (
          <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-ink-muted">{label}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {actions.includes('limit') || actions.includes('annual') || actions.includes('payment') ? (
        <div className="mt-auto flex flex-wrap gap-2 max-sm:*:grow">
          {actions.includes('limit') ? <Button onClick={() => onAction('limit')}>Manage Limit</Button> : null}
          {actions.includes('annual') ? (
            <Button onClick={() => onAction('annual')}>
              Switch to Annual <Badge tone="ok">{MONTHS_FREE}</Badge>
            </Button>
          ) : null}
          {actions.includes('payment') ? (
            <Button loading={paying} onClick={() => onAction('payment')}>
              Update payment method
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}

function PaymentMethod({ method: { type, card } }: { method: NonNullable<BillingStatus['lastPaymentMethod']> }) {
  if (!card) return <span className="capitalize">{type}</span>
  return (
    <span className="block text-right">
      <span className="capitalize">{card.type}</span> ending in {card.last4}
      <span className="block text-sm font-normal text-ink-muted">
        {card.cardholderName}, {String(card.expiryMonth).padStart(2, '0')}/{card.expiryYear}
      </span>
    </span>
  )
}
