/** Which number of a date such as 01/12/2026 is the day. */
export type DateOrder = 'day' | 'month'

const two = (n: number): string => String(n).padStart(2, '0')

/** A year of two digits is one of this century: nothing is scheduled in another one. */
export const wholeYear = (year: string): string => (year.length === 2 ? `20${year}` : year)

/** The cell's date, in the orders in which it is one, and what follows it, such as a time. */
export type SlashDate = { readings: Partial<Record<DateOrder, string>>; rest: string }

/**
 * Reads a cell that begins with a date of two short numbers and a year, with slashes or dashes between them, as
 * 2026-12-01. Both readings are given where both are possible; none means that it isn't a date. Undefined for cells
 * that are written in another way.
 */
export function slashDate(cell: string): SlashDate | undefined {
  const found = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?=$|[T\s])/.exec(cell)
  if (!found) return undefined
  const [first, second, year] = [Number(found[1]), Number(found[3]), wholeYear(found[4] ?? '')]
  return {
    readings: {
      ...(second <= 12 && { day: `${year}-${two(second)}-${two(first)}` }),
      ...(first <= 12 && { month: `${year}-${two(first)}-${two(second)}` }),
    },
    rest: cell.slice(found[0].length),
  }
}

/** Whether the date is a different day to two readers. */
export function isAmbiguous({ readings: { day, month } }: SlashDate): boolean {
  return day !== undefined && month !== undefined && day !== month
}

/** The order that other dates of the same file show, if they all show the same one; undefined if none or both do. */
export function orderOf(cells: readonly string[]): DateOrder | undefined {
  const shown = new Set<DateOrder>()
  for (const cell of cells) {
    const { day, month } = slashDate(cell)?.readings ?? {}
    if (day !== undefined && month === undefined) shown.add('day')
    if (month !== undefined && day === undefined) shown.add('month')
  }
  return shown.size === 1 ? [...shown][0] : undefined
}

/** The cell with its date in the given order as 2026-12-01; as it is where that isn't a date. */
export function inOrder(cell: string, order: DateOrder): string {
  const found = slashDate(cell)
  const reading = found?.readings[order]
  return found && reading !== undefined ? `${reading}${found.rest}` : cell
}
