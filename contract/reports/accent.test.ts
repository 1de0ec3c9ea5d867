import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrastOf, inkOn, PAPER, PRODUCT_ACCENT, readableAccent } from './accent.ts'

const color = integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`)

describe('the color of reports', () => {
  it('is readable on paper, whatever it is', () => {
    assert(
      property(color, (accent) => {
        expect(contrastOf(readableAccent(accent), PAPER.light)).toBeGreaterThanOrEqual(4.5)
        expect(contrastOf(readableAccent(accent, 'dark'), PAPER.dark)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('has black or white text that is readable on it', () => {
    assert(property(color, (accent) => contrastOf(inkOn(accent), accent) >= 4.5))
  })

  it('stays as it is where it is readable, and is darkened no further than necessary', () => {
    expect(readableAccent('#1d4ed8')).toBe('#1d4ed8')
    expect(contrastOf(readableAccent('#facc15'), PAPER.light)).toBeLessThan(4.8)
    expect(readableAccent('#ffffff')).toBe('#757575')
    expect(readableAccent('#000000', 'dark')).toBe('#808080')
  })

  it("is the product's own without one", () => {
    expect(readableAccent(null)).toBe(PRODUCT_ACCENT)
    expect(inkOn(PRODUCT_ACCENT)).toBe('#ffffff')
  })

  it('computes contrast as WCAG does', () => {
    expect(contrastOf('#000000', '#ffffff')).toBe(21)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  })
})
