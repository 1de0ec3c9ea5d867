import { describe, expect, it } from 'vitest'
import type { ChartData, Series } from './data.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { palettes, type ColorName } from './palettes.ts'
import { lookAt, platformLook, seriesColors } from './style.ts'
import { layersOf, svgOf, svgOfHeat, svgOfRows, svgOfShare, svgOfSpark, svgOfSpread } from './svg.ts'
import { chart, days, SIZE } from './testCharts.ts'

const channels = ['Instagram · @northlight', 'Facebook · Northlight Coffee', 'LinkedIn · Northlight'].map(
  (name, place): Series => ({
    key: String(place),
    name,
    look: lookAt(place),
    values: days(45).map((_, i) => (place === 1 && i > 9 && i < 14 ? null : 1000 + place * 40 + i * (place + 1))),
  }),
)
const charts: Record<string, { data: ChartData; theme: 'light' | 'dark' }> = {
  'bars-compared-not-final': {
    theme: 'light',
    data: chart([], {
      axis: { kind: 'days', keys: days(7) },
      series: [
        { key: 'views', name: 'Views', values: [120, 340, 90, null, 210, 60, 15] },
        {
          key: 'before',
          name: '13 Nov to 19 Nov 2024',
          values: [100, null, 180, 190, 150, 170, 130],
          days: days(7),
          comparedWith: 'views',
        },
      ],
      finalUntil: '2024-11-24',
      events: [
        { kind: 'posts', at: '2024-11-21', count: 3 },
        { kind: 'posts', at: '2024-11-24', count: 1 },
        { kind: 'campaign', name: 'Winter roast', from: '2024-11-22', to: '2025-01-31' },
      ],
    }),
  },
  'lines-of-channels-dark': {
    theme: 'dark',
    data: { axis: { kind: 'days', keys: days(45) }, adds: 'last', series: channels },
  },
  'line-with-break': {
    theme: 'light',
    data: chart(
      days(60).map((_, i) => (i < 30 ? 40 : 90) + (i % 7) * 6),
      { breaks: [{ at: '2024-12-20', text: 'Facebook: Views replaced impressions on this day.' }] },
    ),
  },
}

const rows: ChartData = {
  axis: { kind: 'names', keys: ['Instagram · @northlight', 'Facebook · Northlight Coffee & Cake', 'X · @northlight'] },
  series: [{ key: 'views', name: 'Views', values: [1204, 380, null] }],
}
const heat = {
  rows: ['Mon', 'Tue', 'Wed'],
  columns: ['06', '09', '12', '15', '18', '21'],
  values: [
    [0, 4, 2, 1, 6, 3],
    [1, 12, 3, null, 5, 2],
    [0, 8, null, 2, 9, 1],
  ],
}
const share = {
  parts: [
    { key: 'de', name: 'Germany', value: 500 },
    { key: 'at', name: 'Austria', value: 250 },
    { key: 'ch', name: 'Switzerland', value: 249 },
    { key: 'li', name: 'Liechtenstein', value: 0 },
  ],
}
const spread: ChartData = {
  axis: { kind: 'names', keys: ['All posts', 'Instagram · Reel', 'Instagram · Several pictures', 'Threads · Text'] },
  series: [
    { key: 'posts', name: 'Posts', values: [57, 24, 31, 2], unit: 'count' },
    { key: 'q1', name: 'First quartile', values: [130, 310, 120, null] },
    { key: 'median', name: 'Median', values: [260, 480, 190, null] },
    { key: 'q3', name: 'Third quartile', values: [520, 900, 280, null] },
  ],
}
const others: Record<string, string> = {
  rows: svgOfRows(rows, 480, { label: 'Views by channel' }),
  'heat-dark': svgOfHeat(heat, { width: 480, height: 140 }, { label: 'Posts by weekday and hour', theme: 'dark' }),
  share: svgOfShare(share, { width: 480, height: 20 }, { label: 'Followers by country' }),
  spread: svgOfSpread(spread, 480, { label: 'Engagements by format' }),
  spark: svgOfSpark([3, 9, null, 5, 12, 8], { width: 120, height: 28 }, { label: 'Views' }),
}

describe('a chart as an SVG file', () => {
  it.each(Object.entries(others))('is drawn as before: %s', async (name, svg) => {
    await expect(`${svg}\n`).toMatchFileSnapshot(`golden/${name}.svg`)
  })

  it('says in words what it shows, of any kind', () => {
    const told = Object.values(others).map((svg) => /<desc[^>]*>([^<]*)</.exec(svg)?.[1])
    expect(told).toEqual([
      'Views by channel: Views 1,584',
      'Posts by weekday and hour: from 0 to 12, most on Tue, 09',
      'Followers by country: Germany 50.10%, Austria 25.00%, Switzerland 24.90%',
      'Engagements by format: highest median 480 for Instagram · Reel (24 posts), lowest 190 for Instagram · Several pictures (31 posts)',
      'Views: from 3 to 12, 8 at the end',
    ])
    expect(svgOfHeat({ ...heat, values: [] }, SIZE, { label: 'Posts' })).toContain('Posts: no data')
  })

  it.each(Object.entries(charts))('is drawn as before: %s', async (name, { data, theme }) => {
    await expect(`${svgOf(data, SIZE, { label: 'Views by day', theme })}\n`).toMatchFileSnapshot(`golden/${name}.svg`)
  })

  it('says what it shows, and is well-formed whatever channels are called', () => {
    const name = '</text><script>alert("1")</script> & \u0007\uD800 co'
    const svg = svgOf(chart([1, 2], { series: [{ key: 'a', name, values: [1, 2] }] }), SIZE, { label: name })
    expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="chart-title chart-desc"/)
    expect(svg).toContain('<title id="chart-title">&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;)')
    expect(svg).not.toContain('<script')
    for (const character of ['\u0007', '\uD800']) expect(svg).not.toContain(character)
    expect(svg).toContain('<desc id="chart-desc">')
  })

  it('has colors as values and no rules of a stylesheet', () => {
    for (const { data, theme } of Object.values(charts)) {
      const svg = svgOf(data, SIZE, { label: 'Views', theme })
      expect(svg).not.toMatch(/var\(|class=|style=/)
      expect(svg).toContain(palettes[theme]['ink-muted'])
    }
  })
})

describe('the colors of charts', () => {
  it.each(['light', 'dark'] as const)('have at least 3:1 on the surface of the %s theme', (theme) => {
    const palette = palettes[theme]
    for (const color of [...seriesColors, 'wait', 'bad', 'line-strong'] satisfies ColorName[])
      expect(contrast(palette[color], palette.surface), color).toBeGreaterThanOrEqual(3)
    for (const color of ['ink', 'ink-muted'] satisfies ColorName[])
      expect(contrast(palette[color], palette.surface), color).toBeGreaterThanOrEqual(4.5)
  })

  it('are different for each platform', () => {
    expect(new Set(platformKeys.map((platform) => platformLook(platform).color)).size).toBe(platformKeys.length)
  })
})

describe('a chart in two layers', () => {
  it('has all of its texts beside its shapes, at their places', () => {
    for (const { data, theme } of Object.values(charts)) {
      const options = { label: 'Views by day', theme }
      const whole = svgOf(data, SIZE, options)
      const { svg, texts, width, height, description } = layersOf(data, SIZE, options)
      const inWhole = [...whole.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text)
      expect(texts.map(({ text }) => text)).toEqual(inWhole)
      expect(svg).toBe(whole.replaceAll(/<text [^>]*>[^<]*<\/text>/g, ''))
      expect(whole).toContain(`width="${width}" height="${height}"`)
      expect(whole).toContain(`>${description}</desc>`)
      for (const { x, y } of texts) expect([x >= 0 && x <= width, y >= 0 && y <= height]).toEqual([true, true])
    }
  })

  it('leaves its notes to what is beside it, and its colors to the page around it', () => {
    const { data } = charts['bars-compared-not-final'] ?? { data: chart([]) }
    const options = { label: 'Views by day', theme: 'page', notes: false } as const
    const text = svgOf(data, SIZE, options)
    expect(text.replace(/<desc.*<\/desc>/, '')).not.toContain('Not final after')
    expect(text).toContain('fill="var(--surface)"')
    expect(text).not.toMatch(/="#[0-9a-f]{6}"/)
  })
})

/** Contrast as WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((i) => {
    const part = Number.parseInt(hex.slice(i, i + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
