import type { PriceList } from '#contract/priceList.ts'
import { paid, wish, type Invoice, type Outcome, type Subscription, type Wish } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { InOrganisation } from '../http/route.ts'
import { enter, loadEntry, settle, type Entry } from './books.ts'
import { methodOf, paysNow, tryCard, type Card } from './cards.ts'
import { keepSubscription, lockSubscription, type Held } from './held.ts'
import { holdingsOf } from './locks.ts'
import { keepPending, presentPreview, stale, takePending } from './pending.ts'
import { refused, type Agreed, type Change, type Payments } from './provider.ts'

/** Test payments: the whole life of a subscription in our own books. Everything happens in one transaction, since nobody else is asked. */
export function localPayments(list: PriceList): Payments {
  return {
    kind: 'local',
    overlay: null,
    prices: async () => list,
    checkout: (desk, wanted) =>
      desk.inTenant(async (t) => {
        const held = await lockSubscription(t.tx, t.org.orgId)
        const { invoice } = await outcomeOf(t.tx, held, wanted, list, t.now)
        const { planId, interval, addonQuantity } = wanted
        const id = await enter(
          t.tx,
          {
            orgId: t.org.orgId,
            kind: 'checkout',
            status: 'pending',
            invoice: owed(invoice),
            prices: list,
            personId: t.caller.personId,
            wanted: { planId, interval, addonQuantity },
          },
          t.now,
        )
        await t.audit({ entityId: t.org.orgId, detail: { transactionId: id, planId, interval, addonQuantity } })
        return id
      }),
    preview: (desk, wanted) =>
      desk.inTenant(async (t) => {
        const held = await lockSubscription(t.tx, t.org.orgId)
        const { next, invoice } = await outcomeOf(t.tx, held, wanted, list, t.now)
        const previewId = await keepPending(
          t.tx,
          { held, personId: t.caller.personId, wanted, invoice: owed(invoice) },
          t.now,
        )
        return presentPreview({
          subscriptionId: held.subscriptionId ?? '',
          previewId,
          next,
          invoice: owed(invoice),
          prices: list,
        })
      }),
    confirm: (desk, kind, agreed) => desk.inTenant((t) => confirmChange(t, kind, agreed, list)),
    cancel: (desk) => desk.inTenant((t) => turn(t, { kind: 'cancel' }, list)),
    resume: (desk) => desk.inTenant((t) => turn(t, { kind: 'resume' }, list)),
    renewMethod: (desk) => desk.inTenant((t) => beginMethod(t, list)),
    invoice: (desk, transactionId) =>
      desk.inTenant(async ({ tx, org }) => {
        const entry = await loadEntry(tx, org.orgId, transactionId)
        if (entry.provider !== 'local' || entry.invoice_number === null) throw fail('NOT_FOUND')
        return `/api/${org.orgId}/billing/invoice/${transactionId}/pdf`
      }),
  }
}

/** What comes of a wish at this moment. Throws PLAN_ACTION_REFUSED with the reason. */
export async function outcomeOf(tx: Tx, held: Held, wanted: Wish, list: PriceList, at: Date): Promise<Outcome> {
  if (wanted.kind !== 'cancel' && wanted.kind !== 'free' && (await isBeingDeleted(tx, held.orgId)))
    throw refused('The organization is being deleted. Keep it first.')
  const outcome = wish(held.state, wanted, at, list, await holdingsOf(tx, held.orgId))
  if ('refused' in outcome) throw refused(outcome.refused)
  return outcome
}

/** Under the lock of the plan, which a deletion takes first. */
async function isBeingDeleted(tx: Tx, orgId: string): Promise<boolean> {
  const { deletes_at: deletesAt } = await tx
    .selectFrom('organisation')
    .select('deletes_at')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return deletesAt !== null
}

function owed(invoice: Invoice | null): Invoice {
  if (!invoice) throw new Error('what is bought or changed has an invoice')
  return invoice
}

/** The change as it was shown: reckoned at the moment of its preview, refused when that would no longer be the same. */
async function confirmChange(t: InOrganisation, kind: Change['kind'], agreed: Agreed, list: PriceList): Promise<void> {
  const { orgId } = t.org
  const held = await lockSubscription(t.tx, orgId)
  const pending = await takePending(t.tx, held, { personId: t.caller.personId, kind, agreed }, t.now)
  const { next, invoice } = await outcomeOf(t.tx, held, pending.wanted, list, pending.madeAt)
  if (JSON.stringify(invoice) !== JSON.stringify(pending.invoice)) throw stale()
  if (owed(invoice).charged > 0 && !paysNow(held.paymentMethod, t.now))
    throw fail('PAYMENT_DECLINED', { detail: 'The card was declined. Update the payment method, then try again.' })
  const transactionId = await enter(
    t.tx,
    {
      orgId,
      kind: 'change',
      status: 'paid',
      invoice: owed(invoice),
      prices: list,
      personId: t.caller.personId,
      paymentMethod: held.paymentMethod,
    },
    t.now,
  )
  await keepSubscription(t.tx, held, next, { provider: 'local' }, t.now)
  await t.audit({ entityId: orgId, detail: { transactionId, ...changeOf(held.state, next) } })
}

/** A wish that costs nothing and is audited as the endpoint declares. */
async function turn(t: InOrganisation, wanted: Wish, list: PriceList): Promise<void> {
  const held = await lockSubscription(t.tx, t.org.orgId)
  const { next } = await outcomeOf(t.tx, held, wanted, list, t.now)
  await keepSubscription(t.tx, held, next, { provider: 'local' }, t.now)
  await t.audit({ entityId: t.org.orgId, detail: changeOf(held.state, next) })
}

async function beginMethod(t: InOrganisation, list: PriceList): Promise<string> {
  const { orgId } = t.org
  const held = await lockSubscription(t.tx, orgId)
  const { status, planId, overdue } = held.state
  if (held.subscriptionId === null || planId === 'free' || !['ACTIVE', 'CANCEL_SCHEDULED', 'PAST_DUE'].includes(status))
    throw refused('There is no paid plan whose payment could be changed.')
  // what is overdue is paid with the new card
  const open = overdue ? held.overdueTransaction : null
  const transactionId =
    open ??
    (await enter(
      t.tx,
      { orgId, kind: 'method', status: 'pending', invoice: owedNothing, prices: list, personId: t.caller.personId },
      t.now,
    ))
  await t.audit({ entityId: orgId, detail: { transactionId } })
  return transactionId
}

/**
 * Pays a checkout, an overdue invoice or a new card with a test card. 'confirm': the card asks its holder, nothing was paid.
 * Paid once: again, it answers that it is. Throws PAYMENT_DECLINED; PLAN_ACTION_REFUSED when the plan changed since the checkout began.
 */
export async function payWithCard(
  t: InOrganisation,
  transactionId: string,
  card: Card,
  list: PriceList,
): Promise<'paid' | 'confirm'> {
  const { tx, org, now } = t
  const held = await lockSubscription(tx, org.orgId)
  const entry = await loadEntry(tx, org.orgId, transactionId, { lock: true })
  if (entry.provider !== 'local') throw fail('NOT_FOUND')
  if (entry.status === 'paid') return 'paid'
  const due = await dueFor(t, held, entry, list)
  const outcome = tryCard(card, now)
  if (outcome === 'declined') throw fail('PAYMENT_DECLINED')
  if (outcome === 'confirm') return 'confirm'
  const method = methodOf(card)
  if (entry.kind === 'method')
    await tx
      .updateTable('billing_transaction')
      .set({ status: 'paid', payment_method: JSON.stringify(method), occurred_at: now })
      .where('org_id', '=', org.orgId)
      .where('id', '=', transactionId)
      .execute()
  else await settle(tx, org.orgId, transactionId, due.invoice, method, now)
  await keepSubscription(
    tx,
    held,
    due.next,
    {
      provider: 'local',
      paymentMethod: method,
      overdueTransaction: entry.kind === 'method' ? held.overdueTransaction : null,
      chooser: t.caller.personId,
    },
    now,
  )
  return 'paid'
}

/** What paying a transaction leads to at this moment; amounts that came with time are those of now. */
async function dueFor(
  { tx, now }: InOrganisation,
  held: Held,
  entry: Entry,
  list: PriceList,
): Promise<{ next: Subscription; invoice: Invoice }> {
  if (entry.kind === 'method') return { next: held.state, invoice: owedNothing }
  if (entry.wanted) {
    const { next, invoice } = await outcomeOf(tx, held, { kind: 'buy', ...entry.wanted }, list, now)
    return { next, invoice: owed(invoice) }
  }
  const { overdue } = held.state
  if (!overdue || held.overdueTransaction !== entry.id) throw refused('This payment is no longer open.')
  return { next: paid(held.state, overdue.invoice), invoice: overdue.invoice }
}
const owedNothing: Invoice = {
  lines: [],
  subtotal: 0,
  tax: 0,
  grandTotal: 0,
  creditUsed: 0,
  creditAdded: 0,
  charged: 0,
}

/** Small facts before and after, for the audit. */
export function changeOf(from: Subscription, to: Subscription) {
  const facts = ({ planId, status, interval, addonQuantity }: Subscription) => ({
    planId,
    status,
    interval,
    addonQuantity,
  })
  return { from: facts(from), to: facts(to) }
}
