import { valueText } from '#contract/values.ts'
import { draw, type Shape } from './draw.ts'
import type { ChartData, Drawing, HeatData, Series, ShareData, Size } from './data.ts'
import { elementsOf, lineElement, textElement, type Element } from './elements.ts'
import { drawHeat, heatElements } from './heat.ts'
import { layered, type Layers } from './layers.ts'
import { looksOf, type Looks } from './looks.ts'
import type { ColorName } from './palettes.ts'
import { drawRows, rowsElements } from './rows.ts'
import { drawShare, shareElements } from './share.ts'
import { drawSpark, sparkElements } from './spark.ts'
import { drawSpread, spreadElements, spreadSummary } from './spread.ts'
import { COMPARED_DASH, lookAt } from './style.ts'
import { painter, svgFile, type FileOptions } from './svgFile.ts'
import { heatSummary, lineSummary, shareSummary, summaryOf } from './table.ts'
import { textWidth } from './text.ts'

/** The height of a line of text below the chart. */
const LINE = 18

type ChartOptions = FileOptions & {
  shape?: Shape
  /** Below it: what isn't final, and breaks. False where that's said beside the chart. */ notes?: boolean
}

/** A chart as an SVG file: the same picture as on screen, with its legend and its notes below. */
export function svgOf(data: ChartData, size: Size, options: ChartOptions): string {
  const { draw: drawn, ...box } = drawnChart(data, size, options)
  return svgFile(box, options, drawn)
}

/**
 * The same in two layers, for programs that set text better than they draw it: an SVG file without any, and its texts with their
 * places in it.
 */
export function layersOf(data: ChartData, size: Size, options: ChartOptions): Layers {
  const { draw: drawn, ...box } = drawnChart(data, size, options)
  const { shapes, texts } = layered(drawn(painter(options), options.id ?? 'chart'))
  return { ...box, texts, svg: svgFile(box, options, () => shapes) }
}

function drawnChart(data: ChartData, size: Size, { shape, label, notes: hasNotes = true }: ChartOptions) {
  const drawing = draw(data, size, shape)
  const looks = looksOf(data)
  const rows = data.series.length > 1 ? legendRows(data.series, size.width) : []
  const notes = hasNotes ? notesBelow(drawing) : []
  return {
    width: size.width,
    height: size.height + (rows.length + notes.length) * LINE,
    description: summaryOf(label, data),
    draw: (paint: (color: ColorName) => string, id: string): Element[] => [
      ...elementsOf(drawing, { looks, paint, id }),
      ...rows.flatMap((row, i) =>
        row.flatMap(({ x, entry }) => legendElements(entry, x, { y: size.height + i * LINE + LINE / 2, looks, paint })),
      ),
      ...notes.map((text, i) =>
        textElement(text, drawing.plot.left, size.height + (rows.length + i) * LINE + LINE / 2, {
          dy: '0.32em',
          fill: paint('ink-muted'),
        }),
      ),
    ],
  }
}

/** Horizontal bars as an SVG file, as high as they need. */
export function svgOfRows(data: ChartData, width: number, options: FileOptions): string {
  const drawing = drawRows(data, width)
  const { height } = drawing
  return svgFile({ width, height, description: summaryOf(options.label, data) }, options, (paint) =>
    rowsElements(drawing, { looks: looksOf(data), paint }),
  )
}

/** Spreads as an SVG file, as high as they need. */
export function svgOfSpread(data: ChartData, width: number, options: FileOptions): string {
  const drawing = drawSpread(data, width)
  const { height } = drawing
  return svgFile({ width, height, description: spreadSummary(options.label, data) }, options, (paint) =>
    spreadElements(drawing, { paint }),
  )
}

/** A heat map as an SVG file. */
export function svgOfHeat(data: HeatData, size: Size, options: FileOptions): string {
  const drawing = drawHeat(data, size)
  return svgFile({ ...size, description: heatSummary(options.label, data) }, options, (paint) =>
    heatElements(drawing, { data, paint }),
  )
}

/** Parts of a whole as an SVG file: the bar, and below it each part's name and percentage. */
export function svgOfShare(data: ShareData, size: Size, options: FileOptions): string {
  const parts = drawShare(data)
  const shown = parts.flatMap((part, place) =>
    part.percent === null ? [] : [{ name: `${part.name} ${valueText(part.percent, 'percent')}`, place }],
  )
  const rows = legendRows(shown, size.width)
  const height = size.height + rows.length * LINE
  return svgFile({ width: size.width, height, description: shareSummary(options.label, parts) }, options, (paint) => [
    ...shareElements(parts, { ...size, paint }),
    ...rows.flatMap((row, i) =>
      row.flatMap(({ x, entry: { name, place } }): Element[] => {
        const y = size.height + i * LINE + LINE / 2
        return [
          { tag: 'rect', attributes: { x, y: y - 5, width: 10, height: 10, rx: 2, fill: paint(lookAt(place).color) } },
          textElement(name, x + 24, y, { dy: '0.32em', fill: paint('ink') }),
        ]
      }),
    ),
  ])
}

/** A sparkline as an SVG file. */
export function svgOfSpark(values: readonly (number | null)[], size: Size, options: FileOptions): string {
  const description = lineSummary(options.label, values)
  return svgFile({ ...size, description }, options, (paint) => sparkElements(drawSpark(values, size), paint('accent')))
}

const notesBelow = ({ open, breaks }: Drawing): string[] => [
  ...(open ? [open.text] : []),
  ...new Set(breaks.map(({ text }) => text)),
]

/** Names with a piece of their line, in as many rows as they need. */
function legendRows<T extends { name: string }>(entries: readonly T[], width: number): { x: number; entry: T }[][] {
  const rows: { x: number; entry: T }[][] = []
  let x = Infinity
  for (const entry of entries) {
    const room = 24 + textWidth(entry.name) + 16
    if (x + room > width) {
      rows.push([])
      x = 0
    }
    rows.at(-1)?.push({ x, entry })
    x += room
  }
  return rows
}

function legendElements(
  { key, name, comparedWith }: Series,
  x: number,
  { y, looks, paint }: { y: number; looks: Looks; paint: (color: ColorName) => string },
): Element[] {
  const look = looks.get(comparedWith ?? key) ?? lookAt(0)
  return [
    lineElement(x, x + 18, y, comparedWith === undefined ? look : { ...look, dash: COMPARED_DASH }, paint),
    textElement(name, x + 24, y, { dy: '0.32em', fill: paint('ink') }),
  ]
}
