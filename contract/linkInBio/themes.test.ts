import { describe, expect, it } from 'vitest'
import { bioThemeKeys, bioThemes } from './themes.ts'

/** The contrast of two colors (WCAG 2.2, "contrast ratio"). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

it('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
})

describe.each(bioThemeKeys)('the theme %s', (key) => {
  const theme = bioThemes[key]
  it('keeps 4.5:1 for every text', () => {
    expect(contrast(theme.ink, theme.page)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(theme.soft, theme.page)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(theme.onButton, theme.button)).toBeGreaterThanOrEqual(4.5)
  })
  it('keeps 3:1 for the edges of buttons and the focus', () => {
    expect(contrast(theme.line, theme.page)).toBeGreaterThanOrEqual(3)
    expect(contrast(theme.ink, theme.page)).toBeGreaterThanOrEqual(3)
  })
  it('says whether it is dark', () => {
    expect(theme.dark).toBe(luminance(theme.page) < luminance(theme.ink))
  })
})
