import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { pricing, type BillingStatus } from '#contract/billing.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { callOptions } from '#web/lib/queries.ts'
import { chosenTheme } from '#web/ui/theme.ts'
import { toast } from '#web/ui/toast.ts'
import { useAfterChange } from './change.ts'
import { LocalOverlay } from './LocalOverlay.tsx'
import { keepPayment } from './lastPayment.ts'

/** `checkout` ends on the success page, the others where they began: another card, or an overdue payment. */
type Purpose = 'checkout' | 'method' | 'overdue'
const paidWords = {
  method: 'Payment method updated successfully.',
  overdue: 'Payment received. Your plan continues.',
} as const

/** Opens the overlay that takes a payment: the app's own for test cards, or Paddle's. Render `overlay` on the page. */
export function usePayment(
  ids: ProjectIds,
  provider: BillingStatus['provider'] | undefined,
): { open: (transactionId: string, purpose: Purpose) => void; overlay: ReactNode } {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const after = useAfterChange()
  const [asked, setAsked] = useState<{ transactionId: string; purpose: Purpose }>()

  const paid = async ({ transactionId, purpose }: { transactionId: string; purpose: Purpose }) => {
    setAsked(undefined)
    if (purpose !== 'checkout') return after(paidWords[purpose])
    keepPayment({ ...ids, transactionId })
    await navigate({ to: '/payment-success' })
  }
  const openAtPaddle = async (wanted: { transactionId: string; purpose: Purpose }) => {
    try {
      const [{ openPaddle }, facts] = await Promise.all([
        import('./paddle.ts'),
        queries.fetchQuery(callOptions(pricing, { params: { orgId: ids.orgId } })),
      ])
      if (!facts.paddle) throw new Error('Paddle is not set up')
      const theme = chosenTheme()
      const dark = theme === 'dark' || (theme === 'system' && window.matchMedia('(prefers-color-scheme: dark)').matches)
      await openPaddle({
        settings: facts.paddle,
        transactionId: wanted.transactionId,
        dark,
        onPaid: () => void paid(wanted),
      })
    } catch (error) {
      toast.error("We couldn't open the payment page. Allow scripts from paddle.com, reload this page and try again.")
      // for debugging
      console.error(error)
    }
  }
  return {
    open: (transactionId, purpose) => {
      if (provider === 'paddle') void openAtPaddle({ transactionId, purpose })
      else setAsked({ transactionId, purpose })
    },
    overlay:
      asked && provider === 'local' ? (
        <LocalOverlay
          orgId={ids.orgId}
          transactionId={asked.transactionId}
          onPaid={() => void paid(asked)}
          onClose={() => setAsked(undefined)}
        />
      ) : null,
  }
}
