import type { Transaction } from '#contract/billing.ts'
import { dateText, money } from '#contract/format.ts'
import { methodWords, type Entry } from './transactions.ts'
import type { Buyer, Seller } from './parties.ts'
import { typeset } from '../typesetting/typeset.ts'

export type Printed = {
  entry: Entry
  document: NonNullable<Transaction['document']>
  seller: Seller
  buyer: Buyer
  /** The due date of a payment request. */ dueAt: Date | null
}

const titles = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  payment_request: 'Payment request',
} as const satisfies Record<Printed['document'], string>

const TEMPLATE = new URL('./invoice.typ', import.meta.url)

/**
 * A document of test payments as a PDF of one page, which says that no money moved. Its dates are in UTC. `orgId` waits
 * in its own line for it.
 */
export async function invoicePdf(orgId: string, { entry, document, seller, buyer, dueAt }: Printed): Promise<Buffer> {
  const number = entry.invoice_number
  const cash = (minor: number) => money(minor, entry.currency_code)
  const day = (moment: Date) => dateText(moment, 'UTC')
  const line = (label: string, amount: string, strong = false) => ({ label, amount, strong })
  const present = (lines: readonly (string | null)[]) => lines.filter((text) => text)
  const facts = [
    ['Number', number],
    ['Corrects', entry.refers_to.join(', ')],
    ['Date', day(entry.occurred_at)],
    ['Due', document === 'payment_request' && dueAt ? day(dueAt) : null],
    ['Service period', periodText(entry)],
    ['Paid by', document === 'invoice' && entry.grand_total > 0 ? methodWords(entry.payment_method) : null],
    ['Transaction', entry.id],
  ] as const
  const data = {
    title: `${titles[document]} ${number ?? entry.id}`,
    author: seller.lines[0] ?? 'Rookery',
    notice: "Test payment. No real money was charged, and this isn't a tax document.",
    facts: facts.flatMap(([label, value]) => (value ? [{ label, value }] : [])),
    from: present(seller.lines),
    to: present([
      buyer.name,
      ...(buyer.address?.split('\n') ?? []),
      buyer.taxId && `Tax ID: ${buyer.taxId}`,
      buyer.email,
    ]),
    items: entry.items.map(({ name, quantity, subtotal }) =>
      line(quantity === 1 ? name : `${name} (${quantity})`, cash(subtotal)),
    ),
    sums: [
      line('Subtotal', cash(entry.subtotal)),
      line(`Tax (${percent(entry.tax_rate)})`, cash(entry.tax)),
      line('Total', cash(entry.subtotal + entry.tax), true),
      ...(entry.credit > 0 ? [line('Paid from credit', cash(-entry.credit))] : []),
      ...(entry.credit < 0 ? [line('Added to your credit for later invoices', cash(-entry.credit))] : []),
      ...(document === 'credit_note'
        ? []
        : [line(document === 'payment_request' ? 'Amount due' : 'Paid', cash(entry.grand_total), true)]),
    ],
  }
  const { pdf } = await typeset(TEMPLATE, { data, createdAt: entry.occurred_at }, orgId)
  return pdf
}

const periodText = ({ service_from: from, service_to: to }: Entry): string | null =>
  from && to ? `${dateText(from, 'UTC')} to ${dateText(to, 'UTC')}` : null
const percent = (rate: number): string =>
  new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 }).format(rate)
