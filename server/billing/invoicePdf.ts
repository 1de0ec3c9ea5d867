import { dateText } from '#contract/format.ts'
import { methodWords, type Entry } from './books.ts'

export type Bill = { entry: Entry; orgName: string; email: string }

/** The numbered invoice of a test payment as a PDF of one page. It says on its face that no money moved. */
export async function invoicePdf({ entry, orgName, email }: Bill): Promise<Buffer> {
  // 30 MB of fonts, for what is asked for once a month
  const { default: Document } = await import('pdfkit')
  const number = entry.invoice_number ?? ''
  const page = new Document({
    size: 'A4',
    margin: 56,
    info: {
      Title: `Invoice ${number}`,
      Author: 'Rookery',
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
  const right = page.page.width - 56
  const line = (left: string, amount: string, bold = false) => {
    const { y } = page
    page
      .font(bold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(10.5)
      .text(left, 56, y, { width: 360 })
    const after = page.y
    page.text(amount, 56, y, { width: right - 56, align: 'right' })
    page.y = Math.max(after, page.y) + 6
  }
  const rule = () =>
    page.moveTo(56, page.y).lineTo(right, page.y).lineWidth(0.5).strokeColor('#d4d4d8').stroke().moveDown(0.7)
  const money = (minor: number) => moneyText(minor, entry.currency_code)

  page
    .font('Helvetica-Bold')
    .fontSize(22)
    .text(entry.credit < 0 && entry.grand_total === 0 ? 'Credit note' : 'Invoice')
  page
    .font('Helvetica')
    .fontSize(10.5)
    .fillColor('#b45309')
    .text('Test payment. No money moved and this is not a document for taxes.')
    .fillColor('#18181b')
    .moveDown()
  page.text(`Number: ${number}`).text(`Date: ${dateText(entry.occurred_at, 'UTC')}`)
  const paidBy = methodWords(entry.payment_method)
  if (paidBy !== null) page.text(`Paid by: ${paidBy}`)
  page
    .moveDown()
    .font('Helvetica-Bold')
    .text('For')
    .font('Helvetica')
    .text(printable(orgName))
    .text(printable(email))
    .moveDown(1.5)
  rule()
  for (const { name, quantity, subtotal } of entry.items)
    line(quantity === 1 ? name : `${name} (${quantity})`, money(subtotal))
  rule()
  line('Subtotal', money(entry.subtotal))
  line(`Tax (${percent(entry.tax_rate)})`, money(entry.tax))
  if (entry.credit > 0) line('Credit used', money(-entry.credit))
  if (entry.credit < 0) line('Credit kept for later invoices', money(-entry.credit))
  line('Total paid', money(entry.grand_total), true)
  page.end()
  await done
  return Buffer.concat(parts)
}

const moneyText = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(minor / 100)
const percent = (rate: number): string =>
  new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 }).format(rate)
/** The fonts that every reader has know Latin letters only; others are shown as a question mark. */
const printable = (text: string): string => text.replaceAll(/[^\u0020-\u00ff]/gu, '?')
