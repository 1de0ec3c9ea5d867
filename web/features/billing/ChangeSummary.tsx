import type { ChangePreview } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { dateOf } from '#web/lib/format.ts'
import { creditsOf } from './bounds.ts'
import { Lines } from './Lines.tsx'
import { percent, quantityText } from './planWords.ts'
import { ReactivationNote } from './ReactivationNote.tsx'

/** What a change costs: purchases, refunds as one line of credits, tax, and what is paid now. */
export function ChangeSummary({
  preview: { planName, items, total, creditsLeft, nextBillingDate, wakes },
  zone,
}: {
  preview: ChangePreview
  zone: string
}) {
  const cash = (amount: number) => money(amount, total.currencyCode)
  const credits = creditsOf(items)
  return (
    <div className="grid gap-3">
      <p className="text-ink-muted">
        Your plan will be <b className="font-bold text-ink">{planName}</b>.
      </p>
      <Lines
        lines={[
          ...items
            .filter(({ total: { subtotal } }) => subtotal >= 0)
            .map(({ name, quantity, total: { subtotal } }) => ({
              label: quantityText(name, quantity),
              amount: cash(subtotal),
            })),
          ...(credits > 0 ? [{ label: 'Credits', amount: cash(-credits) }] : []),
          { label: 'Subtotal', amount: cash(total.subtotal) },
          { label: `Tax (${percent(total.taxRate)})`, amount: cash(total.tax) },
          ...(total.credit > 0 ? [{ label: 'Existing credit', amount: cash(-total.credit) }] : []),
        ]}
        total={{ label: 'Due now', amount: cash(total.grandTotal) }}
      />
      {creditsLeft.map(({ currencyCode, amount }) => (
        <p key={currencyCode} className="text-ink-muted">
          {money(amount, currencyCode)} stays as credit toward your next invoices in {currencyCode}.
        </p>
      ))}
      <ReactivationNote wakes={wakes} />
      <p className="text-ink-muted">Next billing date: {dateOf(nextBillingDate, zone)}</p>
    </div>
  )
}
