import { useCallback, useState } from 'react'
import { billingStatus, updatePaymentMethod, type BillingStatus } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { dateOf } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { useIsPhone } from '#web/ui/useMedia.ts'
import { AddonDialog } from './AddonDialog.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { BillingDetailsDialog } from './BillingDetailsDialog.tsx'
import { ContactLine } from './ContactLine.tsx'
import { CancelDialog, RestartDialog, StayDialog } from './ConfirmAction.tsx'
import { DowngradeDialog } from './DowngradeDialog.tsx'
import { ExcessNotice } from './ExcessDialog.tsx'
import { PlanCard } from './PlanCard.tsx'
import { PlanDialog } from './PlanDialog.tsx'
import { BILLING_ZONE, type PlanAction } from './planWords.ts'
import { SummaryCard } from './SummaryCard.tsx'
import { TeamDialog } from './TeamDialog.tsx'
import { TestPayments } from './TestPayments.tsx'
import { TransactionTable } from './TransactionTable.tsx'
import { useDocument } from './useDocument.ts'
import { usePayment } from './usePayment.tsx'

type Props = {
  ids: ProjectIds
  page: number
  onPage: (page: number) => void
  choosing: boolean
  onChoosing: (on: boolean) => void
}

type Open = 'plans' | 'team' | 'addons' | 'annual' | 'downgrade' | 'stay' | 'cancel' | 'restart' | 'details'

const zone = BILLING_ZONE

/** The plan, what it costs and how it's paid. Its screen only lets organization admins in. */
export function BillingTab({ ids, page, onPage, choosing, onChoosing }: Props) {
  const { orgId } = ids
  const isPhone = useIsPhone()
  const found = useCall(billingStatus, { params: { orgId } }, { handles: true })
  const status = found.data
  const [open, setOpen] = useState<Open>()
  const close = useCallback(() => setOpen(undefined), [])
  const payment = usePayment(ids, status?.provider)
  const method = useSend(updatePaymentMethod, {
    onSuccess: ({ transactionId }) => {
      close()
      payment.open(transactionId, status?.planStatus === 'PAST_DUE' ? 'overdue' : 'method')
    },
  })
  const { open: openDocument } = useDocument(orgId)
  const onPaymentMethod = () => method.mutate({ params: { orgId } })
  const act = (action: PlanAction) => {
    if (action === 'payment') onPaymentMethod()
    // the free plan is replaced by buying one; a paid one is changed
    else if (action === 'upgrade') setOpen(status?.planId === 'free' ? 'plans' : 'team')
    else
      setOpen(
        (
          {
            buy: 'plans',
            limit: 'addons',
            annual: 'annual',
            downgrade: 'downgrade',
            stay: 'stay',
            cancel: 'cancel',
            restart: 'restart',
          } as const
        )[action],
      )
  }
  const shared = { orgId, zone, isTest: status?.provider === 'local', onClose: close, onPaymentMethod }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Loaded query={found} skeleton={<SkeletonLines />}>
        {(facts) => (
          <>
            {facts.provider === 'local' ? <TestPayments /> : null}
            <SurplusNotice status={facts} zone={zone} />
            <ExcessNotice orgId={orgId} planStatus={facts.planStatus} choosing={choosing} onChoosing={onChoosing} />
            <div className="grid gap-4 lg:grid-cols-[5fr_7fr]">
              <PlanCard status={facts} zone={zone} paying={method.isPending} onAction={act} onDocument={openDocument} />
              <SummaryCard
                status={facts}
                zone={zone}
                paying={method.isPending}
                onAction={act}
                onDetails={() => setOpen('details')}
              />
            </div>
            {open === 'plans' ? (
              <PlanDialog
                orgId={orgId}
                onClose={close}
                onCheckout={(transactionId) => {
                  close()
                  payment.open(transactionId, 'checkout')
                }}
              />
            ) : null}
            {open === 'cancel' ? <CancelDialog {...shared} status={facts} onEnded={() => setOpen('plans')} /> : null}
            {open === 'downgrade' ? <DowngradeDialog {...shared} status={facts} /> : null}
            {open === 'stay' ? <StayDialog {...shared} status={facts} /> : null}
            {open === 'details' ? (
              <BillingDetailsDialog orgId={orgId} details={facts.billingDetails} onClose={close} />
            ) : null}
            {open === 'restart' ? <RestartDialog {...shared} status={facts} /> : null}
          </>
        )}
      </Loaded>
      {isPhone ? null : <TransactionTable orgId={orgId} page={page} onPage={onPage} />}
      {open === 'team' ? <TeamDialog {...shared} /> : null}
      {open === 'addons' ? <AddonDialog {...shared} onTeam={() => setOpen('team')} /> : null}
      {open === 'annual' ? <ChangeDialog {...shared} title="Switch to Annual" change={{ kind: 'annual' }} /> : null}
      {payment.overlay}
    </div>
  )
}

/** Payments for a second subscription, until they're refunded: what happened, what didn't, and what to do. */
function SurplusNotice({ status: { surplus, contact }, zone }: { status: BillingStatus; zone: string }) {
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
