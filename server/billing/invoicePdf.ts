import { createRequire } from 'node:module'
import type { Transaction } from '#contract/billing.ts'
import { dateText, money } from '#contract/format.ts'
import { methodWords, type Entry } from './transactions.ts'
import type { Buyer, Seller } from './parties.ts'

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

/** Latin, Greek, Cyrillic and Devanagari letters; only those that a document uses are embedded. */
const require = createRequire(import.meta.url)
const FONTS = {
  text: require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
}

/** A document of test payments as a PDF of one page, which says that no money moved. Its dates are in UTC. */
export async function invoicePdf({ entry, document, seller, buyer, dueAt }: Printed): Promise<Buffer> {
  // 30 MB in memory, for something needed once a month
  const { default: Document } = await import('pdfkit')
  const number = entry.invoice_number
  const page = new Document({
    size: 'A4',
    margin: 56,
    font: FONTS.text,
    info: {
      Title: `${titles[document]} ${number ?? entry.id}`,
      Author: seller.lines[0] ?? 'Rookery',
      CreationDate: entry.occurred_at,
      ModDate: entry.occurred_at,
    },
  })
  const parts: Buffer[] = []
  page.on('data', (part: Buffer) => parts.push(part))
  const done = new Promise<void>((resolve, reject) => {
    page.on('end', resolve)
    page.on('error', reject)
  })
  page.registerFont('text', FONTS.text).registerFont('bold', FONTS.bold)
  const right = page.page.width - 56
  const line = (left: string, amount: string, font: 'text' | 'bold' = 'text') => {
    const { y } = page
    page.font(font).fontSize(10).text(left, 56, y, { width: 360 })
    const after = page.y
    page.text(amount, 56, y, { width: right - 56, align: 'right' })
    page.y = Math.max(after, page.y) + 5
    page.x = 56
  }
  const rule = () =>
    page.moveTo(56, page.y).lineTo(right, page.y).lineWidth(0.5).strokeColor('#d4d4d8').stroke().moveDown(0.7)
  const cash = (minor: number) => money(minor, entry.currency_code)
  const day = (moment: Date) => dateText(moment, 'UTC')
  const party = (title: string, lines: readonly (string | null)[]) => {
    page.font('bold').text(title).font('text')
    for (const text of lines) if (text) page.text(text)
    page.moveDown()
  }

  page.font('bold').fontSize(22).text(titles[document])
  page
    .font('text')
    .fontSize(10)
    .fillColor('#b45309')
    .text("Test payment. No real money was charged, and this isn't a tax document.")
    .fillColor('#18181b')
    .moveDown()
  for (const [label, value] of [
    ['Number', number],
    ['Corrects', entry.refers_to.join(', ')],
    ['Date', day(entry.occurred_at)],
    ['Due', document === 'payment_request' && dueAt ? day(dueAt) : null],
    ['Service period', periodText(entry)],
    ['Paid by', document === 'invoice' && entry.grand_total > 0 ? methodWords(entry.payment_method) : null],
    ['Transaction', entry.id],
  ] as const)
    if (value) page.text(`${label}: ${value}`)
  page.moveDown()
  party('From', seller.lines)
  party('To', [buyer.name, ...(buyer.address?.split('\n') ?? []), buyer.taxId && `Tax ID: ${buyer.taxId}`, buyer.email])
  rule()
  for (const { name, quantity, subtotal } of entry.items)
    line(quantity === 1 ? name : `${name} (${quantity})`, cash(subtotal))
  rule()
  line('Subtotal', cash(entry.subtotal))
  line(`Tax (${percent(entry.tax_rate)})`, cash(entry.tax))
  line('Total', cash(entry.subtotal + entry.tax), 'bold')
  if (entry.credit > 0) line('Paid from credit', cash(-entry.credit))
  if (entry.credit < 0) line('Added to your credit for later invoices', cash(-entry.credit))
  if (document !== 'credit_note')
    line(document === 'payment_request' ? 'Amount due' : 'Paid', cash(entry.grand_total), 'bold')
  page.end()
  await done
  return Buffer.concat(parts)
}

const periodText = ({ service_from: from, service_to: to }: Entry): string | null =>
  from && to ? `${dateText(from, 'UTC')} to ${dateText(to, 'UTC')}` : null
const percent = (rate: number): string =>
  new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 }).format(rate)
