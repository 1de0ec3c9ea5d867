import type { BillingStatus } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { dateOf } from '#web/lib/format.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { ContactLine } from './ContactLine.tsx'

/** Payments for a second subscription, until they were given back: what happened, what did not, and what to do. */
export function SurplusNotice({ status: { surplus, contact }, zone }: { status: BillingStatus; zone: string }) {
  return surplus.map(({ transactionId, date, amount, currencyCode }) => (
    <Banner
      key={transactionId}
      tone="wait"
      title={`${money(amount, currencyCode)} were paid for a second plan on ${dateOf(date, zone)}`}
    >
      Your plan stays as it was, and the second one was ended at once. The payment is given back by hand.{' '}
      <ContactLine contact={contact} what="Ask for the refund" transactionId={transactionId} /> This note goes away once
      Paddle says that it was refunded.
    </Banner>
  ))
}
