import { expect, it } from 'vitest'
import { moneyText, readMoney } from './money.ts'

it('writes amounts in their currency', () => {
  expect(moneyText(2500, { currency: 'USD', minorUnits: 100 })).toBe('$25.00')
  expect(moneyText(3000, { currency: 'JPY', minorUnits: 1 })).toBe('¥3,000')
  // the platform counts it in whole units, although the currency has smaller ones
  expect(moneyText(900, { currency: 'HUF', minorUnits: 1 })).toMatch(/900$/)
})

it.each([
  ['25', 100, 2500],
  ['25.5', 100, 2550],
  ['25,50', 100, 2550],
  ['1,000', 100, 100_000],
  ['1,000.50', 100, 100_050],
  [' 1 000 ', 1, 1000],
  ['25.00', 1, 25],
  ['25.50', 1, undefined],
  ['25.505', 100, undefined],
  ['-5', 100, undefined],
  ['five', 100, undefined],
  ['', 100, undefined],
])('"%s" in %d minor units is %s', (text, minorUnits, minor) => {
  expect(readMoney(text, minorUnits)).toBe(minor)
})
