import type { PriceList } from './priceList.ts'

/*
 * Invoices, credit notes and what is left of a paid period, as pure functions. Money is in minor units.
 *
 * Rounding, all to the nearest minor unit, halves away from zero:
 * - tax is computed once per invoice, on its subtotal; lines share it so that their taxes add up to it exactly;
 * - unused time is the amount that was paid for an item times the whole seconds left over the whole seconds bought,
 *   rounded once for the net amount and once for its tax: never more than was paid;
 * - part of an item's quantity takes its share of the amount first, and what remains keeps the rest.
 */

/** Credit balances by currency code, with tax; a currency without credit has no entry. */
export type Credits = Readonly<Record<string, number>>

type LineKind = 'plan' | 'addons' | 'other'
/** `subtotal` is the line's net amount, `tax` its share of the tax. */
export type Line = { kind: LineKind; name: string; quantity: number; subtotal: number; tax: number }

/**
 * An invoice, or a credit note: then the amounts are negative, `creditAdded` goes to the credit balance, and `refersTo`
 * names the invoices that it corrects. `charged` is what is really paid, after credit: never negative.
 */
export type Invoice = {
  currencyCode: string
  /** A fraction: 0.19 is 19%. */
  taxRate: number
  lines: readonly Line[]
  subtotal: number
  tax: number
  grandTotal: number
  creditUsed: number
  creditAdded: number
  charged: number
  /** The period it covers; null if unknown. */
  period: { from: Date; to: Date } | null
  refersTo: readonly string[]
}

/**
 * What a change costs: an invoice for what is bought, and a credit note per currency and tax rate for what is refunded.
 */
export type Bill = { invoice: Invoice | null; creditNotes: readonly Invoice[] }

/** What was paid for a part of the current period: the basis of every credit. */
export type PaidItem = {
  kind: Exclude<LineKind, 'other'>
  quantity: number
  /** Paid for all of `quantity` and the whole time, without tax. */
  net: number
  tax: number
  taxRate: number
  currencyCode: string
  from: Date
  until: Date
  /** The number of the invoice it was paid with; null until that is issued. */
  invoiceNumber: string | null
}

type Priced = Pick<PriceList, 'currencyCode' | 'taxRate'>
type Asked = Pick<Line, 'name' | 'quantity' | 'subtotal'> & { kind?: LineKind }

const taxOn = (net: number, taxRate: number): number => Math.sign(net) * Math.round(Math.abs(net) * taxRate) + 0

/** An invoice for these lines, paid from the credit in its currency first. */
export function invoiceOf(
  asked: readonly Asked[],
  credits: Credits,
  { currencyCode, taxRate }: Priced,
  period: Invoice['period'] = null,
): Invoice {
  let subtotal = 0
  const lines = asked.map(({ kind = 'other', ...line }) => {
    const before = taxOn(subtotal, taxRate)
    subtotal += line.subtotal
    return {
      kind,
      name: line.name,
      quantity: line.quantity,
      subtotal: line.subtotal,
      tax: taxOn(subtotal, taxRate) - before,
    }
  })
  const tax = taxOn(subtotal, taxRate)
  const grandTotal = subtotal + tax
  const creditUsed = Math.min(credits[currencyCode] ?? 0, Math.max(0, grandTotal))
  return {
    currencyCode,
    taxRate,
    lines,
    subtotal,
    tax,
    grandTotal,
    creditUsed,
    creditAdded: Math.max(0, -grandTotal),
    charged: Math.max(0, grandTotal) - creditUsed,
    period,
    refersTo: [],
  }
}

/** The credit balances after an invoice or a credit note. */
export function creditsAfter(credits: Credits, { currencyCode, creditUsed, creditAdded }: Invoice): Credits {
  const { [currencyCode]: before = 0, ...others } = credits
  const left = before - creditUsed + creditAdded
  return left === 0 ? others : { ...others, [currencyCode]: left }
}

/** What an invoice pays for, from now until the end of its period. */
export const itemsOf = ({ lines, currencyCode, taxRate, period }: Invoice): PaidItem[] =>
  lines.flatMap(({ kind, quantity, subtotal: net, tax }) =>
    kind === 'other' || !period
      ? []
      : [{ kind, quantity, net, tax, taxRate, currencyCode, from: period.from, until: period.to, invoiceNumber: null }],
  )

/** The items, with the invoice's number for those that were just paid. */
export const withInvoiceNumber = (items: readonly PaidItem[], invoiceNumber: string): PaidItem[] =>
  items.map((item) => ({ ...item, invoiceNumber: item.invoiceNumber ?? invoiceNumber }))

/** The remaining part of an item's time, in whole seconds. */
function fractionLeft({ from, until }: PaidItem, at: Date): number {
  const second = (moment: Date) => Math.floor(moment.getTime() / 1000)
  const all = second(until) - second(from)
  return all <= 0 ? 0 : Math.min(1, Math.max(0, (second(until) - second(at)) / all))
}

/**
 * Refunds what is unused of `quantity` items of a kind at `at`, the latest purchases first. Returns the items that stay
 * and the credit notes, with `nameOf` naming their lines. Free items refund nothing.
 */
export function giveBack(
  items: readonly PaidItem[],
  quantity: Partial<Record<PaidItem['kind'], number>>,
  at: Date,
  nameOf: (kind: PaidItem['kind']) => string,
): { left: PaidItem[]; creditNotes: Invoice[] } {
  const open = { plan: quantity.plan ?? 0, addons: quantity.addons ?? 0 }
  const left: PaidItem[] = []
  const returned: PaidItem[] = []
  for (const item of items.toReversed()) {
    const units = Math.min(item.quantity, open[item.kind])
    open[item.kind] -= units
    const net = units === item.quantity ? item.net : Math.round((item.net * units) / item.quantity)
    const tax = units === item.quantity ? item.tax : Math.round((item.tax * units) / item.quantity)
    if (units < item.quantity)
      left.unshift({ ...item, quantity: item.quantity - units, net: item.net - net, tax: item.tax - tax })
    const part = fractionLeft(item, at)
    if (units > 0)
      returned.unshift({ ...item, quantity: units, net: Math.round(net * part), tax: Math.round(tax * part) })
  }
  const groups = Map.groupBy(returned, ({ currencyCode, taxRate }) => `${currencyCode} ${taxRate}`)
  const creditNotes = [...groups.values()].flatMap((group) => creditNoteOf(group, at, nameOf))
  return { left, creditNotes }
}

function creditNoteOf(items: readonly PaidItem[], at: Date, nameOf: (kind: PaidItem['kind']) => string): Invoice[] {
  const worth = items.filter(({ net, tax }) => net + tax > 0)
  const [first] = worth
  if (!first) return []
  const lines = [...Map.groupBy(worth, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    name: nameOf(kind),
    quantity: of.reduce((sum, item) => sum + item.quantity, 0),
    subtotal: -of.reduce((sum, item) => sum + item.net, 0),
    tax: -of.reduce((sum, item) => sum + item.tax, 0) + 0,
  }))
  const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0)
  const tax = lines.reduce((sum, line) => sum + line.tax, 0)
  return [
    {
      currencyCode: first.currencyCode,
      taxRate: first.taxRate,
      lines,
      subtotal,
      tax,
      grandTotal: subtotal + tax,
      creditUsed: 0,
      creditAdded: -(subtotal + tax),
      charged: 0,
      period: { from: at, to: first.until },
      refersTo: [...new Set(worth.flatMap(({ invoiceNumber }) => invoiceNumber ?? []))],
    },
  ]
}

/** What is paid now for a change, in minor units of its invoice. */
export const chargedOf = ({ invoice }: Bill): number => invoice?.charged ?? 0
