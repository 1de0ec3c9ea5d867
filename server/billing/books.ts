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
import type { PriceList } from '#contract/priceList.ts'
import type { Invoice, Line } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import type { BillingTransactionTable } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { newId } from './held.ts'

export type TransactionKind = 'checkout' | 'change' | 'renewal' | 'method'
/** What a checkout is for. */
export const Wanted = z.object({ planId: PaidPlanId, interval: BillingInterval, addonQuantity: z.int() })
export type Wanted = z.infer<typeof Wanted>
const Lines = z.array(z.object({ name: z.string(), quantity: z.int(), subtotal: z.int() }))
const Status = z.enum(transactionStatuses)

export type Entry = Omit<Selectable<BillingTransactionTable>, 'items' | 'payment_method' | 'status' | 'wanted'> & {
  items: Line[]
  payment_method: PaymentMethod | null
  status: (typeof transactionStatuses)[number]
  wanted: Wanted | null
}

type NewEntry = {
  orgId: string
  kind: TransactionKind
  status: 'pending' | 'paid' | 'failed'
  invoice: Invoice
  prices: Pick<PriceList, 'currencyCode' | 'taxRate'>
  personId: string | null
  wanted?: Wanted
  paymentMethod?: PaymentMethod | null
}

const amountsOf = (invoice: Invoice) => ({
  items: JSON.stringify(invoice.lines),
  subtotal: invoice.subtotal,
  tax: invoice.tax,
  credit: invoice.creditUsed - invoice.creditAdded,
  grand_total: invoice.charged,
})

/** Writes a local transaction into the books; one that is paid gets the next number. Answers its id. */
export async function enter(
  tx: Tx,
  { orgId, kind, status, invoice, prices, personId, wanted, paymentMethod = null }: NewEntry,
  now: Date,
): Promise<string> {
  const id = newId('txn')
  const number = status === 'paid' ? await nextNumber(tx) : null
  await tx
    .insertInto('billing_transaction')
    .values({
      org_id: orgId,
      id,
      provider: 'local',
      kind,
      status,
      invoice_number: number,
      wanted: wanted ? JSON.stringify(wanted) : null,
      ...amountsOf(invoice),
      currency_code: prices.currencyCode,
      tax_rate: prices.taxRate,
      payment_method: paymentMethod && JSON.stringify(paymentMethod),
      person_id: personId,
      created_at: now,
      occurred_at: now,
    })
    .execute()
  return id
}

/** Makes a pending or failed transaction a paid one, with the amounts of this moment and the next number. */
export async function settle(
  tx: Tx,
  orgId: string,
  id: string,
  invoice: Invoice,
  paymentMethod: PaymentMethod,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('billing_transaction')
    .set({
      status: 'paid',
      invoice_number: await nextNumber(tx),
      ...amountsOf(invoice),
      payment_method: JSON.stringify(paymentMethod),
      occurred_at: now,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

async function nextNumber(tx: Tx): Promise<string> {
  const { rows } = await sql<{ n: number }>`select next_invoice_number() as n`.execute(tx)
  return `TEST-${String(rows[0]?.n ?? 0).padStart(6, '0')}`
}

const entryOf = (row: Selectable<BillingTransactionTable>): Entry => ({
  ...row,
  items: Lines.parse(row.items),
  payment_method: PaymentMethod.nullable().parse(row.payment_method),
  status: Status.parse(row.status),
  wanted: Wanted.nullable().parse(row.wanted),
})

/** A transaction of the organisation; with `lock`, nobody else pays it meanwhile. Unknown and foreign: NOT_FOUND. */
export async function loadEntry(tx: Tx, orgId: string, id: string, { lock = false } = {}): Promise<Entry> {
  const query = tx.selectFrom('billing_transaction').selectAll().where('org_id', '=', orgId).where('id', '=', id)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  return entryOf(row)
}

/** Payments of an organisation, newest first: what was begun and never paid is none. */
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

/** What was paid for a second subscription and not given back yet, oldest first. */
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

/** An entry of the books on the wire. Amounts in minor units. */
export function presentEntry(entry: Entry): Transaction {
  return {
    transactionId: entry.id,
    invoiceNumber: entry.invoice_number,
    transactionOccurredAt: entry.occurred_at.toISOString(),
    transactionItems: entry.items.map(({ name, quantity, subtotal }) => ({ name, quantity, subtotal })),
    transactionStatus: entry.status,
    lastTransactionTotals: {
      currencyCode: entry.currency_code,
      subtotal: entry.subtotal,
      tax: entry.tax,
      credit: entry.credit,
      grandTotal: entry.grand_total,
    },
  }
}

/** A card in words, such as "Visa ending in 4242". */
export function methodWords(method: PaymentMethod | null): string | null {
  if (!method) return null
  if (!method.card) return method.type
  return `${method.card.type.charAt(0).toUpperCase()}${method.card.type.slice(1)} ending in ${method.card.last4}`
}
