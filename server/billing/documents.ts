import { endsUnpaid } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { documentOf, loadEntry } from './transactions.ts'
import { readSubscription } from './subscriptionRecord.ts'
import { invoicePdf, type Printed } from './invoicePdf.ts'
import { buyerNow, type Seller } from './parties.ts'

/**
 * A document of test payments, and how to set it as a PDF once the transaction has ended. Issued documents stay as they
 * were; a payment request names the current buyer and `seller`. Throws NOT_FOUND if there is none, and for Paddle's
 * documents.
 */
export async function readDocument(
  tx: Tx,
  orgId: string,
  transactionId: string,
  seller: Seller,
): Promise<{ number: string | null; print: () => Promise<Buffer> }> {
  const entry = await loadEntry(tx, orgId, transactionId)
  const held = await readSubscription(tx, orgId)
  const document = documentOf(entry, held)
  if (entry.provider !== 'local' || document === null) throw fail('NOT_FOUND')
  const printed: Printed = {
    entry,
    document,
    buyer: entry.buyer ?? (await buyerNow(tx, orgId, entry.person_id)),
    seller: entry.seller ?? seller,
    dueAt: held.state.overdue ? endsUnpaid(held.state.overdue.since) : null,
  }
  return { number: entry.invoice_number, print: () => invoicePdf(orgId, printed) }
}

/** An organization's issued invoices and credit notes, by number: those printed here, and Paddle's. */
export async function issuedDocuments(
  tx: Tx,
  orgId: string,
): Promise<{ id: string; number: string; isOurs: boolean }[]> {
  const rows = await tx
    .selectFrom('billing_transaction')
    .select(['id', 'invoice_number', 'provider'])
    .where('org_id', '=', orgId)
    .where('invoice_number', 'is not', null)
    .orderBy('invoice_number')
    .execute()
  return rows.flatMap(({ id, invoice_number: number, provider }) =>
    number === null ? [] : [{ id, number, isOurs: provider === 'local' }],
  )
}
