import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChartData } from './data.ts'
import { drawHeat, HEAT_EDGE, heatElements, heatScale, heatShades, heatText } from './heat.ts'
import { palettes } from './palettes.ts'
import { drawRows } from './rows.ts'
import { drawSpread, spreadElements, spreadSummary } from './spread.ts'
import { csvOf, tableOf } from './table.ts'

type Values = { name: string; posts: number; q1: number | null; median: number | null; q3: number | null }
const spread = (rows: readonly Values[], unit: ChartData['unit'] = 'count'): ChartData => ({
  axis: { kind: 'names', keys: rows.map(({ name }) => name) },
  unit,
  series: [
    { key: 'posts', name: 'Posts', values: rows.map(({ posts }) => posts), unit: 'count' },
    { key: 'q1', name: 'First quartile', values: rows.map(({ q1 }) => q1) },
    { key: 'median', name: 'Median', values: rows.map(({ median }) => median) },
    { key: 'q3', name: 'Third quartile', values: rows.map(({ q3 }) => q3) },
  ],
})
const formats = spread([
  { name: 'Reel', posts: 24, q1: 310, median: 480, q3: 900 },
  { name: 'Picture', posts: 1200, q1: 120, median: 190, q3: 280 },
  { name: 'Story', posts: 2, q1: null, median: null, q3: null },
])

describe('a spread', () => {
  it('has boxes on one scale from zero, and says where there are too few posts', () => {
    const { rows, baseline } = drawSpread(formats, 480)
    const [reel, picture, story] = rows
    if (!reel?.box || !picture?.box) throw new Error('no boxes')
    const scale = (reel.box.x - baseline) / 310
    expect(picture.box.x - baseline).toBeCloseTo(120 * scale, 0)
    expect(reel.box.x + reel.box.width - baseline).toBeCloseTo(900 * scale, 0)
    expect(reel.box.median - baseline).toBeCloseTo(480 * scale, 0)
    expect([picture.posts.text, picture.value, picture.range]).toEqual(['1,200 posts', '190', '120 to 280'])
    expect([story?.box, story?.posts.text]).toEqual([null, '2 posts'])
    const written = JSON.stringify(spreadElements(drawSpread(formats, 480), { paint: String }))
    expect(written.match(/Too few posts/g)).toHaveLength(1)
  })

  it('has whole names, above the boxes of a narrow chart', () => {
    const name = 'Instagram · Several pictures'
    const long = spread([{ name, posts: 12, q1: 175, median: 213, q3: 235 }])
    for (const width of [330, 900]) expect(drawSpread(long, width).rows[0]?.label).toBe(name)
    expect(drawSpread(long, 330).baseline).toBe(0)
  })

  it('has whole names, above the bars of a narrow chart', () => {
    const name = 'Fourth Wave Roasters (12 posts)'
    const data: ChartData = { axis: { kind: 'names', keys: [name] }, series: [{ key: 'a', name: 'A', values: [7] }] }
    for (const width of [330, 900]) expect(drawRows(data, width).rows[0]?.label).toBe(name)
    expect(drawRows(data, 330).baseline).toBe(0)
  })

  it('keeps everything within its width, whatever the values', () => {
    const values = fc.tuple(fc.nat(1e9), fc.nat(1e9), fc.nat(1e9)).map((all) => all.toSorted((a, b) => a - b))
    fc.assert(
      fc.property(fc.array(values, { maxLength: 30 }), fc.integer({ min: 200, max: 1500 }), (all, width) => {
        const rows = all.map(([q1 = 0, median = 0, q3 = 0], i) => ({ name: `Group ${i}`, posts: i, q1, median, q3 }))
        for (const { box } of drawSpread(spread(rows), width).rows) {
          if (!box) throw new Error('no box')
          expect(box.x).toBeGreaterThanOrEqual(0)
          expect(box.x + box.width).toBeLessThanOrEqual(width + 1)
          expect(box.median).toBeGreaterThanOrEqual(box.x - 0.01)
        }
      }),
    )
  })

  it('is summed up by its highest and lowest median, and counts posts without the unit of its values', () => {
    expect(spreadSummary('Engagements by format', formats)).toBe(
      'Engagements by format: highest median 480 for Reel (24 posts), lowest 190 for Picture (1,200 posts)',
    )
    expect(spreadSummary('Engagements', { ...formats, whole: 'Reel' })).toBe(
      'Engagements: median 190 for Picture (1,200 posts)',
    )
    expect(spreadSummary('Engagements', spread([]))).toBe('Engagements: too few posts')
    const rates = spread([{ name: 'Reel', posts: 24, q1: 1.5, median: 2, q3: 3.25 }], 'percent')
    expect(spreadSummary('Rate', rates)).toBe('Rate: median 2.00% for Reel (24 posts)')
    expect(csvOf(tableOf(rates))).toBe(
      '\uFEFFName,Posts,First quartile (%),Median (%),Third quartile (%)\r\nReel,24,1.5,2,3.25\r\n',
    )
  })
})

describe('a heat map of posts', () => {
  const data = { rows: ['Mon'], columns: ['09:00', '10:00'], values: [[31, null]], posts: [[12, 1]] }
  it('writes the number of posts into cells that have room for it', () => {
    const texts = (width: number) =>
      heatElements(drawHeat(data, { width, height: 60 }), { data, paint: String }).flatMap(({ tag, children }) =>
        tag === 'text' && typeof children === 'string' ? [children] : [],
      )
    expect(texts(400)).toEqual(['Mon', '09:00', '10:00', '12', '1'])
    expect(texts(50)).not.toContain('12')
  })
  it('says of each cell how many posts it is made of', () => {
    expect(heatText(data, 0, 0)).toBe('Mon, 09:00: 31, 12 posts')
    expect(heatText(data, 0, 1)).toBe('Mon, 10:00: –, 1 post')
  })
  it('says what its first and last shade stand for', () => {
    expect(heatScale({ ...data, values: [[31, 0]] })).toEqual({ ends: { from: '0', to: '31' }, hasFew: false })
    expect(heatScale({ ...data, values: [[null, 0]] })).toEqual({ ends: null, hasFew: true })
  })
  it.each(['light', 'dark'] as const)('is readable in the %s theme: text 4.5:1, edges 3:1', (theme) => {
    const { accent, surface, line, ink, 'line-strong': edge } = palettes[theme]
    for (const [i, shade] of heatShades.entries())
      expect(contrast(mix(accent, surface, shade), i === heatShades.length - 1 ? surface : ink)).toBeGreaterThan(4.5)
    expect(contrast(line, ink)).toBeGreaterThan(4.5)
    expect(contrast(mix(accent, surface, HEAT_EDGE), surface)).toBeGreaterThan(3)
    expect(contrast(edge, surface)).toBeGreaterThan(3)
  })
})

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
/** A color over another one, as far as it covers that. */
const mix = (over: string, under: string, share: number): string => {
  const below = channels(under)
  const both = channels(over).map((value, i) => Math.round(value * share + (below[i] ?? 0) * (1 - share)))
  return `#${both.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
/** WCAG 2.2's contrast ratio. */
const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [one, other].map(luminance).toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = channels(hex).map((value) => {
    const part = value / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
