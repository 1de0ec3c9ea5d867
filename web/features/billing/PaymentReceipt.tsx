import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleX from 'lucide-react/icons/circle-x'
import Hourglass from 'lucide-react/icons/hourglass'
import Undo2 from 'lucide-react/icons/undo-2'
import { useEffect, useState } from 'react'
import { paymentResult, type PaymentResult } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { localZone, zoneText } from '#web/lib/dates.ts'
import { momentOf } from '#web/lib/format.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink, Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { inkTone, type Tone } from '#web/ui/tones.ts'
import { ContactLine } from './ContactLine.tsx'
import type { LastPayment } from './lastPayment.ts'
import { TestPayments } from './TestPayments.tsx'

/**
 * Seconds until the dashboard opens, and milliseconds between two checks of a payment that its provider hasn't reported
 * yet.
 */
const [COUNTDOWN, LOOK_AGAIN] = [10, 2_000]

export function PaymentReceipt({ payment: { orgId, projectId, transactionId } }: { payment: LastPayment }) {
  const [pending, setPending] = useState(true)
  const result = useCall(
    paymentResult,
    { params: { orgId, transactionId } },
    { staleTime: 0, handles: true, refetchInterval: pending ? LOOK_AGAIN : false },
  )
  const settled = result.data !== undefined && result.data.transactionStatus !== 'pending'
  // checked again only while its outcome isn't known
  if (pending === settled) setPending(!settled)
  return (
    <Loaded query={result} skeleton={<SkeletonLines />}>
      {(facts) => (
        <div className="grid gap-4">
          {facts.isTest ? <TestPayments brief /> : null}
          <Facts facts={facts} />
          <Onward ids={{ orgId, projectId }} />
          <p className="text-sm text-ink-muted">
            <ContactLine
              contact={facts.contact}
              what="Questions about this payment"
              transactionId={transactionId}
              isShown
            />{' '}
            You'll find the invoice under{' '}
            <Link
              to="/$orgId/project/$projectId/org-settings"
              params={{ orgId, projectId }}
              search={{ tab: 'billing' }}
            >
              Billing & Invoice
            </Link>
            .
          </p>
        </div>
      )}
    </Loaded>
  )
}

const words = {
  pending: "We're confirming your payment",
  paid: 'Your payment went through',
  failed: "Your payment didn't go through",
  refunded: 'Your payment was refunded',
} as const satisfies Record<PaymentResult['transactionStatus'], string>

const looks = {
  pending: { Icon: Hourglass, tone: 'wait' },
  paid: { Icon: CircleCheck, tone: 'ok' },
  failed: { Icon: CircleX, tone: 'bad' },
  refunded: { Icon: Undo2, tone: 'neutral' },
} as const satisfies Record<PaymentResult['transactionStatus'], { Icon: typeof CircleX; tone: Tone }>

function Facts({
  facts: { transactionId, date, paymentMethod, amount, currencyCode, email, transactionStatus },
}: {
  facts: PaymentResult
}) {
  const { Icon, tone } = looks[transactionStatus]
  const rows = [
    ['Transaction ID', transactionId],
    ['Date', `${momentOf(date, localZone())} (${zoneText(localZone(), new Date(date))})`],
    ['Payment method', paymentMethod ?? 'Not available yet'],
    ['Amount', money(amount, currencyCode)],
    ['Email', email],
  ] as const
  return (
    <>
      <p className="flex items-center gap-2 font-bold">
        <Icon size={18} aria-hidden className={inkTone[tone]} />
        {words[transactionStatus]}
      </p>
      <dl className="tnum grid gap-2">
        {rows.map(([label, value]) => (
          <div key={label} className="grid gap-x-4 sm:grid-cols-[7rem_minmax(0,1fr)]">
            <dt className="text-ink-muted">{label}</dt>
            <dd dir="auto" className="min-w-0 font-medium wrap-anywhere">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Counts down to the dashboard, unless stopped. */
function Onward({ ids }: { ids: { orgId: string; projectId: string } }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [left, setLeft] = useState<number | undefined>(COUNTDOWN)
  useEffect(() => {
    // the shell's data about the plan is outdated
    void queries.invalidateQueries({
      refetchType: 'none',
      predicate: ({ queryKey: [path] }) => path !== paymentResult.path,
    })
  }, [queries])
  const { orgId, projectId } = ids
  useEffect(() => {
    if (left === undefined) return undefined
    if (left <= 0) {
      void navigate({ to: '/$orgId/project/$projectId/dashboard', params: { orgId, projectId }, replace: true })
      return undefined
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left, navigate, orgId, projectId])
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ButtonLink to="/$orgId/project/$projectId/dashboard" params={ids} tone="primary">
        Go to the dashboard
      </ButtonLink>
      {left === undefined ? null : (
        <>
          <Button onClick={() => setLeft(undefined)}>Stay here</Button>
          <span className="tnum text-ink-muted">Redirecting in {left} s</span>
        </>
      )}
    </div>
  )
}
