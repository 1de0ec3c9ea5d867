import type { BillingStatus } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { dateOf } from '#web/lib/format.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { ContactLine } from './ContactLine.tsx'

/** Payments for a second subscription, until they're refunded: what happened, what didn't, and what to do. */
export function SurplusNotice({ status: { surplus, contact }, zone }: { status: BillingStatus; zone: string }) {
  return surplus.map(({ transactionId, date, amount, currencyCode }) => (
    <Banner
      key={transactionId}
      tone="wait"
      title={`You were charged ${money(amount, currencyCode)} for a second plan on ${dateOf(date, zone)}`}
    >
      Your plan hasn't changed, and we canceled the second one right away. The payment has to be refunded manually.{' '}
      <ContactLine contact={contact} what="To request the refund" transactionId={transactionId} /> This message
      disappears once Paddle confirms the refund.
    </Banner>
  ))
}
