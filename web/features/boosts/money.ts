/** "$25.00", "¥3,000": an amount in minor units, where `minorUnits` of them make one unit of the currency. */
export function moneyText(minor: number, { currency, minorUnits }: { currency: string; minorUnits: number }): string {
  const digits = decimals(minorUnits)
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(minor / minorUnits)
}

/**
 * The amount that a person typed, in minor units: "25", "25.5", "1,000.50". Undefined if it isn't an amount, or is
 * finer than the currency allows. A comma is read as a decimal separator only where nothing else makes sense.
 */
export function readMoney(text: string, minorUnits: number): number | undefined {
  const plain = text.trim().replaceAll(/[\s'\u00a0\u202f]/g, '')
  const grouped = /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain)
    ? plain.replaceAll(',', '')
    : plain.replace(/^(\d+),(\d*)$/, '$1.$2')
  const match = /^(\d{1,12})(?:\.(\d*))?$/.exec(grouped)
  if (!match) return undefined
  const [, whole = '', part = ''] = match
  const digits = decimals(minorUnits)
  if (part.replace(/0+$/, '').length > digits) return undefined
  return Number(whole) * minorUnits + (digits === 0 ? 0 : Number(part.slice(0, digits).padEnd(digits, '0')))
}

const decimals = (minorUnits: number): number => Math.round(Math.log10(minorUnits))
