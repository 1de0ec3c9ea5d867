import type { BillingStatus } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { dateOf } from '#web/lib/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { planActions, statusWords, validityText, type PlanAction } from './planWords.ts'

type Props = {
  status: BillingStatus
  zone: string
  /** Opens the document of a payment. */ onDocument: (transactionId: string) => void
  /** Its payment is about to open. */ paying: boolean
  onAction: (action: PlanAction) => void
}

/** The organization's plan, until when, and how to change it. */
export function PlanCard({ status, zone, paying, onAction, onDocument }: Props) {
  const { label, tone } = statusWords[status.planStatus]
  const actions = planActions(status)
  const isTrial = status.planStatus === 'TRIAL_ACTIVE' || status.planStatus === 'TRIAL_EXPIRED'
  const overdue = status.planStatus === 'PAST_DUE' ? status.pastDue : null
  return (
    <section
      aria-labelledby="current-plan"
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <div className="grid gap-1">
        <h2 id="current-plan" className="text-sm text-ink-muted">
          Current plan
        </h2>
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-xl font-bold tracking-tight">{isTrial ? 'Free trial' : status.planName}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="text-pretty text-ink-muted">
          <span className="inline-block first-letter:uppercase">{validityText(status, zone)}</span>
        </p>
        {status.planStatus === 'TRIAL_ACTIVE' && status.trialExpiresAt ? (
          <p className="text-ink-muted">
            The trial has Team's features and ends on {dateOf(status.trialExpiresAt, zone)}.
          </p>
        ) : null}
        {status.plannedChange ? (
          <p className="text-pretty text-wait">
            Switches to {status.plannedChange.planName} on {dateOf(status.plannedChange.startsAt, zone)}.
          </p>
        ) : null}
        {status.nextPayment ? <NextPayment status={status} zone={zone} /> : null}
        {overdue ? (
          <p className="text-pretty text-ink-muted">
            {overdue.owed ? `You owe ${money(overdue.owed.amount, overdue.owed.currencyCode)}. ` : ''}
            {overdue.nextAttemptAt ? `We'll try the card again on ${dateOf(overdue.nextAttemptAt, zone)}. ` : ''}Without
            a payment the plan ends on {dateOf(overdue.endsAt, zone)}.
          </p>
        ) : null}
      </div>
      <Progress
        label="Channels"
        value={status.currentChannels}
        max={status.maxChannels}
        note={`${status.currentChannels} of ${status.maxChannels}${status.restingChannels > 0 ? `, ${status.restingChannels} paused` : ''}`}
      />
      <div className="mt-auto flex flex-wrap gap-2 max-sm:*:grow">
        {actions.includes('buy') ? (
          <Button tone="primary" onClick={() => onAction('buy')}>
            Buy Plan
          </Button>
        ) : null}
        {actions.includes('upgrade') ? (
          <Button tone="primary" onClick={() => onAction('upgrade')}>
            Upgrade Plan
          </Button>
        ) : null}
        {overdue ? (
          <Button tone="primary" loading={paying} onClick={() => onAction('payment')}>
            Pay now
          </Button>
        ) : null}
        {overdue?.requestId ? (
          <Button onClick={() => onDocument(overdue.requestId ?? '')}>Download payment request</Button>
        ) : null}
        {actions.includes('stay') ? (
          <Button tone="primary" onClick={() => onAction('stay')}>
            Keep {status.planName}
          </Button>
        ) : null}
        {actions.includes('restart') ? (
          <Button tone="primary" onClick={() => onAction('restart')}>
            Restart Subscription
          </Button>
        ) : null}
        {actions.includes('downgrade') ? (
          <Button onClick={() => onAction('downgrade')}>Switch to Individual</Button>
        ) : null}
        {actions.includes('cancel') ? <Button onClick={() => onAction('cancel')}>Cancel subscription</Button> : null}
      </div>
    </section>
  )
}

/** When and how much is charged next, after credit. */
function NextPayment({ status: { nextPayment }, zone }: { status: BillingStatus; zone: string }) {
  if (!nextPayment) return null
  const { amount, currencyCode, date, beforeTax } = nextPayment
  return (
    <p className="tnum text-ink-muted">
      Next payment: {money(amount, currencyCode)}
      {beforeTax ? ' plus tax' : ''} on {dateOf(date, zone)}
    </p>
  )
}
