import { draw, type Shape } from './draw.ts'
import type { ChartData, Drawing, Size } from './data.ts'
import { elementsOf, lineElement, textElement, type Element } from './elements.ts'
import { looksOf, type Looks } from './looks.ts'
import { palettes, type ColorName, type Theme } from './palettes.ts'
import { COMPARED_DASH, lookAt } from './style.ts'
import { summaryOf } from './table.ts'
import { textWidth } from './text.ts'

type Options = {
  /** What is shown, such as "Views by day". */ label: string
  theme?: Theme
  shape?: Shape
  font?: string
  /** Different for each chart of one document; letters and numbers only. */ id?: string
}

/** The height of a line of text below the chart. */
const LINE = 18

/**
 * A chart as an SVG file, for PDFs, emails and shared pages: the same picture as on screen, with its legend and its notes
 * below. Colors are values, because these know no stylesheet.
 */
export function svgOf(
  data: ChartData,
  size: Size,
  { label, theme = 'light', shape, font = 'sans-serif', id = 'chart' }: Options,
): string {
  const drawing = draw(data, size, shape)
  const looks = looksOf(data)
  const paint = (color: ColorName): string => palettes[theme][color]
  const rows = data.series.length > 1 ? legendRows(data, size.width) : []
  const notes = notesBelow(drawing)
  const height = size.height + (rows.length + notes.length) * LINE
  return written({
    tag: 'svg',
    attributes: {
      xmlns: 'http://www.w3.org/2000/svg',
      width: size.width,
      height,
      viewBox: `0 0 ${size.width} ${height}`,
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-desc`,
      fontFamily: font,
      fontSize: 11,
    },
    children: [
      { tag: 'title', attributes: { id: `${id}-title` }, children: label },
      { tag: 'desc', attributes: { id: `${id}-desc` }, children: summaryOf(label, data) },
      { tag: 'rect', attributes: { width: size.width, height, fill: paint('surface') } },
      ...elementsOf(drawing, { looks, paint, id }),
      ...rows.flatMap((row, i) => legendElements(row, size.height + i * LINE + LINE / 2, looks, paint)),
      ...notes.map((text, i) =>
        textElement(text, drawing.plot.left, size.height + (rows.length + i) * LINE + LINE / 2, {
          dy: '0.32em',
          fill: paint('ink-muted'),
        }),
      ),
    ],
  })
}

const notesBelow = ({ open, breaks }: Drawing): string[] => [
  ...(open ? [open.text] : []),
  ...new Set(breaks.map(({ text }) => text)),
]

type Entry = { x: number; series: ChartData['series'][number] }

/** Names with a piece of their line, in as many rows as they need. */
function legendRows({ series }: ChartData, width: number): Entry[][] {
  const rows: Entry[][] = []
  let x = Infinity
  for (const one of series) {
    const room = 24 + textWidth(one.name) + 16
    if (x + room > width) {
      rows.push([])
      x = 0
    }
    rows.at(-1)?.push({ x, series: one })
    x += room
  }
  return rows
}

const legendElements = (
  row: readonly Entry[],
  y: number,
  looks: Looks,
  paint: (color: ColorName) => string,
): Element[] =>
  row.flatMap(({ x, series: { key, name, comparedWith } }) => {
    const look = looks.get(comparedWith ?? key) ?? lookAt(0)
    return [
      lineElement(x, x + 18, y, comparedWith === undefined ? look : { ...look, dash: COMPARED_DASH }, paint),
      textElement(name, x + 24, y, { dy: '0.32em', fill: paint('ink') }),
    ]
  })

/** An element of a file: what a screen has, and what only a whole file has. */
type FileElement = Omit<Element, 'tag' | 'children'> & {
  tag: Element['tag'] | 'svg' | 'desc'
  children?: readonly FileElement[] | string
}

/** Attributes that SVG itself spells with capitals. */
const CAPITALS = new Set(['viewBox', 'patternUnits', 'patternTransform'])
const spelled = (name: string): string =>
  CAPITALS.has(name) ? name : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function written({ tag, attributes, children }: FileElement): string {
  const all = Object.entries(attributes).map(([name, value]) => ` ${spelled(name)}="${escaped(String(value))}"`)
  const inside = typeof children === 'string' ? escaped(children) : (children ?? []).map(written).join('')
  return inside === '' ? `<${tag}${all.join('')}/>` : `<${tag}${all.join('')}>${inside}</${tag}>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Text of people as XML: no markup, and no characters that XML forbids. */
const escaped = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- XML has no way to write these
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
