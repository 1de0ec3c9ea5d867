import { chargedOf, invoiceOf, withInvoiceNumber, type Bill } from '#contract/invoicing.ts'
import { entitlements, wakingOn } from '#contract/plans.ts'
import type { PriceList } from '#contract/priceList.ts'
import { paid, wish, type Outcome, type Subscription, type Wish } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { OrgContext } from '../http/route.ts'
import { documentOf, recordTransaction, recordBill, loadEntry, markPaid, type Entry } from './transactions.ts'
import { methodOf, paysNow, tryCard, type Card } from './cards.ts'
import { saveSubscription, lockSubscription, readSubscription, type SubscriptionRecord } from './subscriptionRecord.ts'
import { holdingsOf } from './locks.ts'
import type { Seller } from './parties.ts'
import { isSameBill, keepPending, presentPreview, stale, takePending } from './pending.ts'
import { sendReceipt } from './reminders.ts'
import { refused, type Agreed, type Change, type Payments } from './provider.ts'

/** What test payments charge, and who issues their invoices. */
export type Terms = { prices: PriceList; seller: Seller }

/**
 * Test payments: the whole life of a subscription in our own books, in one transaction, because no one else is asked.
 */
export function localPayments(terms: Terms): Payments {
  const list = terms.prices
  return {
    kind: 'local',
    overlay: null,
    prices: async () => list,
    checkout: (context, wanted) =>
      context.inTenant(async (t) => {
        const held = await lockSubscription(t.tx, t.org.orgId)
        const bill = await outcomeOf(t.tx, held, wanted, list, t.now)
        const { planId, interval, addonQuantity } = wanted
        const { id } = await recordTransaction(
          t.tx,
          {
            orgId: t.org.orgId,
            kind: 'checkout',
            status: 'pending',
            invoice: bought(bill),
            seller: terms.seller,
            personId: t.caller.personId,
            wanted: { planId, interval, addonQuantity },
          },
          t.now,
        )
        await t.audit({
          entityId: t.org.orgId,
          detail: { transactionId: id, after: { planId, interval, addonQuantity } },
        })
        return id
      }),
    preview: (context, wanted) =>
      context.inTenant(async (t) => {
        const held = await lockSubscription(t.tx, t.org.orgId)
        const { next, ...bill } = await outcomeOf(t.tx, held, wanted, list, t.now)
        const previewId = await keepPending(t.tx, { held, personId: t.caller.personId, wanted, bill }, t.now)
        return presentPreview({
          wakes: wakingOn(entitlements(next, t.now), await holdingsOf(t.tx, t.org.orgId)),
          subscriptionId: held.subscriptionId ?? '',
          previewId,
          next,
          bill,
          prices: list,
        })
      }),
    confirm: (context, kind, agreed) => context.inTenant((t) => confirmChange(t, kind, agreed, terms)),
    cancel: (context) => context.inTenant((t) => turn(t, { kind: 'cancel' }, list)),
    resume: (context) => context.inTenant((t) => turn(t, { kind: 'resume' }, list)),
    planDowngrade: (context, addonQuantity) =>
      context.inTenant((t) => turn(t, { kind: 'individual', addonQuantity }, list)),
    undoDowngrade: (context) => context.inTenant((t) => turn(t, { kind: 'stay' }, list)),
    renewMethod: (context) => context.inTenant((t) => beginMethod(t, terms)),
    invoice: (context, transactionId) =>
      context.inTenant(async ({ tx, org }) => {
        const entry = await loadEntry(tx, org.orgId, transactionId)
        if (documentOf(entry, await readSubscription(tx, org.orgId)) === null) throw fail('NOT_FOUND')
        return `/api/${org.orgId}/billing/invoice/${transactionId}/pdf`
      }),
  }
}

/** What a request leads to now. Throws PLAN_ACTION_REFUSED with the reason. */
export async function outcomeOf(
  tx: Tx,
  held: SubscriptionRecord,
  wanted: Wish,
  list: PriceList,
  at: Date,
): Promise<Outcome> {
  if (wanted.kind !== 'cancel' && wanted.kind !== 'free' && (await isBeingDeleted(tx, held.orgId)))
    throw refused('This organization is being deleted. Cancel the deletion first.')
  const outcome = wish(held.state, wanted, at, list, await holdingsOf(tx, held.orgId))
  if ('refused' in outcome) throw refused(outcome.refused)
  return outcome
}

/** Under the plan's lock, which a deletion takes first. */
async function isBeingDeleted(tx: Tx, orgId: string): Promise<boolean> {
  const { deletes_at: deletesAt } = await tx
    .selectFrom('organization')
    .select('deletes_at')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return deletesAt !== null
}

function bought({ invoice }: Bill) {
  if (!invoice) throw new Error('what is bought has an invoice')
  return invoice
}

/**
 * The change as it was shown: calculated for the moment of its preview, and refused if it would no longer be the same.
 */
async function confirmChange(
  t: OrgContext,
  kind: Change['kind'],
  agreed: Agreed,
  { prices, seller }: Terms,
): Promise<void> {
  const { orgId } = t.org
  const held = await lockSubscription(t.tx, orgId)
  const pending = await takePending(t.tx, held, { personId: t.caller.personId, kind, agreed }, t.now)
  const { next, ...bill } = await outcomeOf(t.tx, held, pending.wanted, prices, pending.madeAt)
  if (!isSameBill(bill, pending.bill)) throw stale()
  if (chargedOf(bill) > 0) mustPay(held, t.now)
  const { personId } = t.caller
  const { transactionId, number, paidItems } = await recordBill(
    t.tx,
    { orgId, kind: 'change', bill, seller, personId, paymentMethod: held.paymentMethod },
    next.paidItems,
    t.now,
  )
  await saveSubscription(t.tx, held, { ...next, paidItems }, { provider: 'local' }, t.now)
  if (bill.invoice && number !== null) await sendReceipt(t.tx, { orgId, number, invoice: bill.invoice }, t.now)
  await t.audit({ entityId: orgId, detail: { transactionId, ...changeOf(held.state, next) } })
}

/** Throws PAYMENT_DECLINED if the stored card doesn't pay. */
function mustPay({ paymentMethod }: SubscriptionRecord, now: Date): void {
  if (paysNow(paymentMethod, now)) return
  const why = paymentMethod ? 'This card has expired.' : "There's no card on file."
  throw fail('PAYMENT_DECLINED', { detail: `${why} Update the payment method, then try again.` })
}

/** A change that costs nothing, with the audit entry its endpoint declares. */
async function turn(t: OrgContext, wanted: Wish, list: PriceList): Promise<void> {
  const held = await lockSubscription(t.tx, t.org.orgId)
  const { next } = await outcomeOf(t.tx, held, wanted, list, t.now)
  // what is no longer overdue isn't paid anymore
  const overdueTransaction = next.overdue ? held.overdueTransaction : null
  await saveSubscription(t.tx, held, next, { provider: 'local', overdueTransaction }, t.now)
  await t.audit({ entityId: t.org.orgId, detail: changeOf(held.state, next) })
}

async function beginMethod(t: OrgContext, { prices, seller }: Terms): Promise<string> {
  const { orgId } = t.org
  const held = await lockSubscription(t.tx, orgId)
  const { status, planId, overdue } = held.state
  if (held.subscriptionId === null || planId === 'free' || !['ACTIVE', 'CANCEL_SCHEDULED', 'PAST_DUE'].includes(status))
    throw refused("There's no paid plan with a payment method to update.")
  // the new card pays what is overdue
  const open = overdue ? held.overdueTransaction : null
  const transactionId =
    open ??
    (
      await recordTransaction(
        t.tx,
        {
          orgId,
          kind: 'method',
          status: 'pending',
          invoice: invoiceOf([], {}, prices),
          seller,
          personId: t.caller.personId,
        },
        t.now,
      )
    ).id
  await t.audit({ entityId: orgId, detail: { transactionId } })
  return transactionId
}

/** What a payment led to: its kind of transaction, and the stored card's last digits. */
export type Paid = {
  outcome: 'paid' | 'confirm'
  kind: Entry['kind']
  card: { before: string | null; after: string | null }
}

/**
 * Pays a checkout, an overdue invoice or a new card with a test card. 'confirm': the card asks its holder, nothing was
 * paid. It's paid once; repeating returns the same. Throws PAYMENT_DECLINED; PLAN_ACTION_REFUSED if the plan has
 * changed since the checkout began.
 */
export async function payWithCard(
  t: OrgContext,
  transactionId: string,
  card: Card,
  { prices, seller }: Terms,
): Promise<Paid> {
  const { tx, org, now } = t
  const held = await lockSubscription(tx, org.orgId)
  const entry = await loadEntry(tx, org.orgId, transactionId, { lock: true })
  if (entry.provider !== 'local') throw fail('NOT_FOUND')
  const before = held.paymentMethod?.card?.last4 ?? null
  if (entry.status === 'paid') return { outcome: 'paid', kind: entry.kind, card: { before, after: before } }
  const { next, ...bill } = await dueFor(t, held, entry, prices)
  const outcome = tryCard(card, now)
  if (outcome === 'expired') throw fail('PAYMENT_DECLINED', { detail: 'This card has expired. Use another one.' })
  if (outcome === 'declined') throw fail('PAYMENT_DECLINED')
  if (outcome === 'confirm') return { outcome, kind: entry.kind, card: { before, after: before } }
  const paymentMethod = methodOf(card)
  let { paidItems } = next
  if (entry.kind === 'method')
    await tx
      .updateTable('billing_transaction')
      .set({ status: 'paid', payment_method: JSON.stringify(paymentMethod), occurred_at: now })
      .where('org_id', '=', org.orgId)
      .where('id', '=', transactionId)
      .execute()
  else {
    const invoice = bought(bill)
    const number = await markPaid(tx, { orgId: org.orgId, id: transactionId, invoice, seller, paymentMethod }, now)
    paidItems = withInvoiceNumber(paidItems, number)
    await sendReceipt(tx, { orgId: org.orgId, number, invoice }, now)
  }
  await saveSubscription(
    tx,
    held,
    { ...next, paidItems },
    {
      provider: 'local',
      paymentMethod,
      overdueTransaction: entry.kind === 'method' ? held.overdueTransaction : null,
      chooser: t.caller.personId,
    },
    now,
  )
  return { outcome: 'paid', kind: entry.kind, card: { before, after: paymentMethod.card?.last4 ?? null } }
}

/** What paying a transaction leads to now; amounts that depend on time are the current ones. */
async function dueFor(
  { tx, now }: OrgContext,
  held: SubscriptionRecord,
  entry: Entry,
  list: PriceList,
): Promise<Outcome> {
  if (entry.kind === 'method') return { next: held.state, invoice: null, creditNotes: [] }
  if (entry.wanted) return await outcomeOf(tx, held, { kind: 'buy', ...entry.wanted }, list, now)
  const { overdue } = held.state
  if (!overdue || held.overdueTransaction !== entry.id) throw refused('This checkout is no longer open. Start again.')
  return { next: paid(held.state, overdue.invoice), invoice: overdue.invoice, creditNotes: [] }
}

/** The main facts before and after, for the audit log. */
export function changeOf(from: Subscription, to: Subscription) {
  const facts = ({ planId, status, interval, addonQuantity, planned }: Subscription) => ({
    planId,
    status,
    interval,
    addonQuantity,
    planned,
  })
  return { before: facts(from), after: facts(to) }
}
