import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import {
  BillingInterval,
  PaidPlanId,
  PaymentMethod,
  transactionStatuses,
  type BillingStatus,
  type Transaction,
} from '#contract/billing.ts'
import { withInvoiceNumber, type Bill, type Invoice, type PaidItem } from '#contract/invoicing.ts'
import type { Tx } from '../db/kysely.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { newId, type SubscriptionRecord } from './subscriptionRecord.ts'
import { Buyer, buyerNow, Seller } from './parties.ts'

type TransactionKind = 'checkout' | 'change' | 'renewal' | 'method' | 'credit_note'
/** The purpose of a checkout. */
const Wanted = z.object({ planId: PaidPlanId, interval: BillingInterval, addonQuantity: z.int() })
type Wanted = z.infer<typeof Wanted>
const Lines = z.array(z.object({ name: z.string(), quantity: z.int(), subtotal: z.int() }))
const Status = z.enum(transactionStatuses)

export type Entry = Omit<
  Selectable<Database['billing_transaction']>,
  'items' | 'payment_method' | 'status' | 'wanted' | 'seller' | 'buyer'
> & {
  items: z.infer<typeof Lines>
  payment_method: PaymentMethod | null
  status: (typeof transactionStatuses)[number]
  wanted: Wanted | null
  seller: Seller | null
  buyer: Buyer | null
}

type NewEntry = {
  orgId: string
  kind: TransactionKind
  status: 'pending' | 'paid' | 'failed'
  invoice: Invoice
  seller: Seller
  personId: string | null
  wanted?: Wanted
  paymentMethod?: PaymentMethod | null
}

const amountsOf = (invoice: Invoice) => ({
  currency_code: invoice.currencyCode,
  tax_rate: invoice.taxRate,
  service_from: invoice.period?.from ?? null,
  service_to: invoice.period?.to ?? null,
  refers_to: [...invoice.refersTo],
  items: JSON.stringify(Lines.parse(invoice.lines)),
  subtotal: invoice.subtotal,
  tax: invoice.tax,
  credit: invoice.creditUsed - invoice.creditAdded,
  grand_total: invoice.charged,
})

/** Records a local transaction; a paid one is issued with the next number. Returns its id and number. */
export async function recordTransaction(
  tx: Tx,
  { orgId, kind, status, invoice, seller, personId, wanted, paymentMethod = null }: NewEntry,
  now: Date,
): Promise<Entered> {
  const id = newId('txn')
  const issued = status === 'paid' ? await issue(tx, { orgId, kind, seller, personId }) : null
  await tx
    .insertInto('billing_transaction')
    .values({
      org_id: orgId,
      id,
      provider: 'local',
      kind,
      status,
      ...issued,
      wanted: wanted ? JSON.stringify(wanted) : null,
      ...amountsOf(invoice),
      payment_method: paymentMethod && JSON.stringify(paymentMethod),
      person_id: personId,
      created_at: now,
      occurred_at: now,
    })
    .execute()
  return { id, number: issued?.invoice_number ?? null }
}

type Entered = { id: string; number: string | null }
type NewBill = Omit<NewEntry, 'invoice' | 'status' | 'kind'> & { kind: 'checkout' | 'change'; bill: Bill }

/**
 * Records a paid change: its credit notes, whose credit its invoice may use, then the invoice. Returns the id of its
 * first document, its invoice's number, and the paid items of `items`, those bought now with their invoice's number.
 */
export async function recordBill(
  tx: Tx,
  { bill: { invoice, creditNotes }, kind, ...entry }: NewBill,
  items: readonly PaidItem[],
  now: Date,
): Promise<{ transactionId: string | null; number: string | null; paidItems: readonly PaidItem[] }> {
  const notes = await enterCreditNotes(tx, { ...entry, creditNotes }, now)
  if (!invoice) return { transactionId: notes[0]?.id ?? null, number: null, paidItems: items }
  const { id, number } = await recordTransaction(tx, { ...entry, kind, status: 'paid', invoice }, now)
  return { transactionId: id, number, paidItems: number === null ? items : withInvoiceNumber(items, number) }
}

async function enterCreditNotes(
  tx: Tx,
  { creditNotes, ...entry }: Omit<NewBill, 'bill' | 'kind'> & { creditNotes: Bill['creditNotes'] },
  now: Date,
): Promise<Entered[]> {
  const entered: Entered[] = []
  for (const invoice of creditNotes)
    entered.push(
      await recordTransaction(tx, { ...entry, paymentMethod: null, kind: 'credit_note', status: 'paid', invoice }, now),
    )
  return entered
}

/** Marks a pending or failed transaction as paid, with the current amounts and the next number, which it returns. */
export async function markPaid(
  tx: Tx,
  {
    orgId,
    id,
    invoice,
    seller,
    paymentMethod,
  }: Pick<NewEntry, 'orgId' | 'invoice' | 'seller'> & { id: string; paymentMethod: PaymentMethod },
  now: Date,
): Promise<string> {
  const { kind, person_id: personId } = await loadEntry(tx, orgId, id)
  const issued = await issue(tx, { orgId, kind, seller, personId })
  await tx
    .updateTable('billing_transaction')
    .set({
      status: 'paid',
      ...issued,
      ...amountsOf(invoice),
      payment_method: JSON.stringify(paymentMethod),
      occurred_at: now,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
  return issued.invoice_number
}

/** What is fixed when a document is issued: its number, the seller and the buyer. */
async function issue(
  tx: Tx,
  { orgId, kind, seller, personId }: { orgId: string; kind: string; seller: Seller; personId: string | null },
) {
  return {
    invoice_number: await nextNumber(tx, kind === 'credit_note' ? 'TEST-CN-' : 'TEST-'),
    seller: JSON.stringify(seller),
    buyer: JSON.stringify(await buyerNow(tx, orgId, personId)),
  }
}

/** Invoices and credit notes share one series without gaps. */
async function nextNumber(tx: Tx, prefix: string): Promise<string> {
  const { rows } = await sql<{ n: number }>`select next_invoice_number() as n`.execute(tx)
  return `${prefix}${String(rows[0]?.n ?? 0).padStart(6, '0')}`
}

const entryOf = (row: Selectable<Database['billing_transaction']>): Entry => ({
  ...row,
  items: Lines.parse(row.items),
  payment_method: PaymentMethod.nullable().parse(row.payment_method),
  status: Status.parse(row.status),
  wanted: Wanted.nullable().parse(row.wanted),
  seller: Seller.nullable().parse(row.seller),
  buyer: Buyer.nullable().parse(row.buyer),
})

/**
 * A transaction of the organization; with `lock`, nobody else pays it in the meantime. NOT_FOUND if it's unknown or
 * foreign.
 */
export async function loadEntry(tx: Tx, orgId: string, id: string, { lock = false } = {}): Promise<Entry> {
  const query = tx.selectFrom('billing_transaction').selectAll().where('org_id', '=', orgId).where('id', '=', id)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  return entryOf(row)
}

/** An organization's payments, newest first, without those that were started and never paid. */
export async function listEntries(
  tx: Tx,
  orgId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ entries: Entry[]; total: number }> {
  const all = () =>
    tx
      .selectFrom('billing_transaction')
      .where('org_id', '=', orgId)
      .where('status', '!=', 'pending')
      .where('kind', '!=', 'method')
  const [rows, count] = await Promise.all([
    all().selectAll().orderBy('occurred_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    all()
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  ])
  return { entries: rows.map(entryOf), total: count.n }
}

/** What was paid for a second subscription and not refunded yet, oldest first. */
export async function listSurplus(tx: Tx, orgId: string): Promise<BillingStatus['surplus']> {
  const rows = await tx
    .selectFrom('billing_transaction')
    .select(['id', 'occurred_at', 'grand_total', 'currency_code'])
    .where('org_id', '=', orgId)
    .where('surplus', '=', true)
    .where('status', '=', 'paid')
    .orderBy('occurred_at')
    .execute()
  return rows.map((row) => ({
    transactionId: row.id,
    date: row.occurred_at.toISOString(),
    amount: row.grand_total,
    currencyCode: row.currency_code,
  }))
}

/** Which PDFs an entry has. Paddle creates invoices of its own for what was paid. */
export function documentOf(
  { id, provider, kind, status, invoice_number: number }: Entry,
  { overdueTransaction }: Pick<SubscriptionRecord, 'overdueTransaction'>,
): Transaction['document'] {
  if (provider === 'paddle') return number !== null && (status === 'paid' || status === 'refunded') ? 'invoice' : null
  if (number !== null) return kind === 'credit_note' ? 'credit_note' : 'invoice'
  return id === overdueTransaction ? 'payment_request' : null
}

/** The calendar day of an event, in UTC as on invoices. */
const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** An entry of the books as the API returns it. Amounts in minor units. */
export function presentEntry(entry: Entry, held: Pick<SubscriptionRecord, 'overdueTransaction'>): Transaction {
  const { service_from: from, service_to: to } = entry
  return {
    transactionId: entry.id,
    kind: entry.kind === 'credit_note' ? 'credit_note' : 'invoice',
    document: documentOf(entry, held),
    refersTo: entry.refers_to,
    billedOn: dayOf(entry.occurred_at),
    servicePeriod: from && to ? { from: dayOf(from), to: dayOf(to) } : null,
    invoiceNumber: entry.invoice_number,
    transactionOccurredAt: entry.occurred_at.toISOString(),
    transactionItems: entry.items.map(({ name, quantity, subtotal }) => ({ name, quantity, subtotal })),
    transactionStatus: entry.status,
    lastTransactionTotals: {
      currencyCode: entry.currency_code,
      subtotal: entry.subtotal,
      tax: entry.tax,
      total: entry.subtotal + entry.tax,
      credit: entry.credit,
      grandTotal: entry.grand_total,
    },
  }
}

/** A card's name, such as "Visa ending in 4242". */
export function methodWords(method: PaymentMethod | null): string | null {
  if (!method) return null
  if (!method.card) return method.type
  return `${method.card.type.charAt(0).toUpperCase()}${method.card.type.slice(1)} ending in ${method.card.last4}`
}
