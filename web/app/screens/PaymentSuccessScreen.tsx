import { useState } from 'react'
import { lastPayment } from '#web/features/billing/lastPayment.ts'
import { PaymentReceipt } from '#web/features/billing/PaymentReceipt.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'
import { EmptyState } from '#web/ui/states.tsx'

/** Where a checkout ends: what was paid, and then the way to the dashboard. */
export default function PaymentSuccessScreen() {
  const [payment] = useState(lastPayment)
  return (
    <StandalonePage title="Payment Success" wide>
      <Card>
        {payment ? (
          <PaymentReceipt payment={payment} />
        ) : (
          <EmptyState title="No payment to show" action={<ButtonLink to="/onboarding">Go to the dashboard</ButtonLink>}>
            This page shows a payment right after you make it. You'll find invoices in your organization settings.
          </EmptyState>
        )}
      </Card>
    </StandalonePage>
  )
}
