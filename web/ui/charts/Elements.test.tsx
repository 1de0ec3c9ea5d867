import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { draw } from '#charts/draw.ts'
import { elementsOf } from '#charts/elements.ts'
import { looksOf } from '#charts/looks.ts'
import { palettes } from '#charts/palettes.ts'
import { drawRows, rowsElements } from '#charts/rows.ts'
import { drawSpread, spreadElements } from '#charts/spread.ts'
import { svgOf, svgOfRows, svgOfSpread } from '#charts/svg.ts'
import type { ChartData } from '#charts/data.ts'
import { Elements, token } from './Elements.tsx'

const size = { width: 640, height: 260 }
const keys = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']
const series = [
  { key: 'a', name: 'Instagram & co', values: [3, 7, null, 4] },
  { key: 'b', name: 'Facebook', values: [1, 2, 9, null] },
]
const charts: Record<string, ChartData> = {
  bars: {
    axis: { kind: 'days', keys },
    series: [
      series[0] ?? { key: '', name: '', values: [] },
      { key: 'c', name: 'Before', values: [null, 2, null, 5], comparedWith: 'a' },
    ],
    finalUntil: '2026-11-21',
    events: [
      { kind: 'posts', at: '2026-11-21', count: 2 },
      { kind: 'campaign', name: 'Winter', from: '2026-11-20', to: '2026-11-22' },
    ],
  },
  lines: { axis: { kind: 'days', keys }, series, breaks: [{ at: '2026-11-22', text: 'Counted differently' }] },
  stacked: { axis: { kind: 'names', keys: ['A', 'B', 'C', 'D'] }, series },
}
/** Everything that decides on where something is. */
const geometryIn = (markup: string) =>
  [...markup.matchAll(/ (?:d|x|y|x1|x2|y1|y2|cx|cy|r|width|height|transform|points)="[^"]*"/g)].map(([all]) => all)

describe('a chart on screen', () => {
  it.each(Object.entries(charts))('has the same paths as its SVG file: %s', (_, data) => {
    const of = elementsOf(draw(data, size), { looks: looksOf(data), paint: token, id: 'chart' })
    const onScreen = geometryIn(renderToStaticMarkup(<Elements of={of} />))
    const inFile = geometryIn(svgOf(data, size, { label: 'Views' }))
    expect(onScreen.length).toBeGreaterThan(20)
    const first = inFile.indexOf(onScreen[0] ?? '', 4)
    expect(inFile.slice(first, first + onScreen.length)).toEqual(onScreen)
  })

  it('has the same horizontal bars as its SVG file', () => {
    const data = charts['stacked'] ?? { axis: { kind: 'names', keys: [] }, series: [] }
    const of = rowsElements(drawRows(data, 640), { looks: looksOf(data), paint: token })
    const onScreen = geometryIn(renderToStaticMarkup(<Elements of={of} />))
    const inFile = geometryIn(svgOfRows(data, 640, { label: 'Views' }))
    expect(onScreen.length).toBeGreaterThan(20)
    expect(inFile.slice(-onScreen.length)).toEqual(onScreen)
  })
})

describe('a spread on screen', () => {
  it('has the same boxes as its SVG file', () => {
    const data: ChartData = {
      axis: { kind: 'names', keys: ['A', 'B'] },
      series: (['posts', 'q1', 'median', 'q3'] as const).map((key, i) => ({ key, name: key, values: [9 * i, 5 + i] })),
    }
    const of = spreadElements(drawSpread(data, 640), { paint: token })
    const onScreen = geometryIn(renderToStaticMarkup(<Elements of={of} />))
    const inFile = geometryIn(svgOfSpread(data, 640, { label: 'Engagements' }))
    expect(onScreen.length).toBeGreaterThan(20)
    expect(inFile.slice(-onScreen.length)).toEqual(onScreen)
  })
})

describe("the colors of charts' files", () => {
  it("are those of the screens' tokens", () => {
    const tokens = readFileSync(new URL('../tokens.css', import.meta.url), 'utf8')
    for (const [i, theme] of (['light', 'dark'] as const).entries())
      for (const [name, value] of Object.entries(palettes[theme])) {
        const [, ...both] =
          new RegExp(`--${name}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(tokens) ?? []
        expect(value, `${theme} ${name}`).toBe(hexOf(both[i] ?? ''))
      }
  })
})

/** `0.5 0.1 210` of oklch as sRGB (CSS Color 4, section 9.3). */
function hexOf(oklch: string): string {
  const [lightness = 0, chroma = 0, hue = 0] = oklch.split(' ').map(Number)
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3
  const m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3
  const s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3
  return `#${[
    4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
    -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
    -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
  ]
    .map((linear) => {
      const part = Math.min(1, Math.max(0, linear))
      const encoded = part <= 0.003_130_8 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055
      return Math.round(encoded * 255)
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`
}
