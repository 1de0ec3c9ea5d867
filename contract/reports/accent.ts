/*
 * The color of an organization's reports, so that what is drawn or written in it can be read (WCAG 2.2, 1.4.3): at least 4.5:1.
 */

/** The product's own, of organizations that have none. */
export const PRODUCT_ACCENT = '#007283'
const LEAST = 4.5
/** What reports are drawn on. */
export const PAPER = { light: '#ffffff', dark: '#11181c' } as const

type Rgb = readonly [number, number, number]
const rgbOf = (color: string): Rgb => {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}
const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
const lightness = (color: string): number => {
  const [red, green, blue] = rgbOf(color).map((part) =>
    part <= 10.314_75 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** How well a color is read on another one: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [lightness(one), lightness(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** The color, or as little darker (on dark paper: lighter) as makes it readable on paper; without one, the product's. */
export function readableAccent(color: string | null, paper: keyof typeof PAPER = 'light'): string {
  const [red, green, blue] = rgbOf(color ?? PRODUCT_ACCENT)
  const end = paper === 'light' ? 0 : 255
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = (part: number) => part + (end - part) * share
    const shade = hexOf([mixed(red), mixed(green), mixed(blue)])
    if (contrastOf(shade, PAPER[paper]) >= LEAST) return shade
  }
  return hexOf([end, end, end])
}

/** Black or white, whichever is read better on the color: at least 4.5:1 on any. */
export const inkOn = (color: string): '#000000' | '#ffffff' =>
  contrastOf('#ffffff', color) >= contrastOf('#000000', color) ? '#ffffff' : '#000000'
