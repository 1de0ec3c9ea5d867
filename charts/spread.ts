import { scaleLinear } from 'd3-scale'
import { valueText } from '#contract/values.ts'
import type { ChartData } from './data.ts'
import { textElement, type Element } from './elements.ts'
import { round } from './numbers.ts'
import type { ColorName } from './palettes.ts'
import { LARGER, shortened, textWidth } from './text.ts'

/** The height of a row: two lines of text. */
const SPREAD_ROW = 44
const BOX = 14
const MEDIAN = 3
const GAP = 12
const LINE = 8
/** Narrower charts have the name above its box, where it has the whole width. */
const NARROW = 420

/** The series of a spread by their keys: the middle half of the values, and how many there are. Others are in its table only. */
type Part = 'q1' | 'median' | 'q3' | 'posts'

export type SpreadDrawing = {
  width: number
  height: number
  baseline: number
  /** The names are above their boxes. */ isNarrow: boolean
  rows: readonly {
    key: string
    /** Shortened if it's too long for its place. */ label: string
    /** "24 posts", and where it begins: below the name, or beside it in a narrow chart. */ posts: {
      text: string
      x: number
    }
    /** The middle of the row. */ y: number
    /** Null if there are too few values. */
    box: { x: number; width: number; median: number } | null
    /** The median, and from where to where the box is. */
    value: string
    range: string
  }[]
}

const partOf = ({ series }: ChartData, part: Part): readonly (number | null)[] =>
  series.find(({ key }) => key === part)?.values ?? []

/** For each name, a box from the first to the third quartile with a line at the median, on one scale from zero. */
export function drawSpread(data: ChartData, width: number): SpreadDrawing {
  const { keys } = data.axis
  const [q1s, medians, q3s, counts] = (['q1', 'median', 'q3', 'posts'] as const).map((part) => partOf(data, part))
  const texts = keys.map((_, i) => {
    const [q1 = null, median = null, q3 = null] = [q1s?.[i], medians?.[i], q3s?.[i]]
    const known = q1 !== null && median !== null && q3 !== null
    return {
      box: known ? { q1, median, q3 } : null,
      posts: postsText(counts?.[i] ?? 0),
      value: known ? valueText(median, data.unit) : '',
      range: known ? `${valueText(q1, data.unit)} to ${valueText(q3, data.unit)}` : '',
    }
  })
  const isNarrow = width < NARROW
  const drawnWidth = (text: string) => Math.ceil(textWidth(text) * LARGER)
  const names = isNarrow
    ? 0
    : Math.min(
        Math.floor(width * 0.42),
        Math.max(0, ...[...keys, ...texts.map(({ posts }) => posts)].map(drawnWidth)) + GAP,
      )
  const room = Math.max(0, ...texts.map(({ range }) => drawnWidth(range))) + GAP
  const values = Math.max(0, ...texts.map((one) => drawnWidth(one.value || FEW)))
  const x = scaleLinear()
    .domain([0, Math.max(1, ...texts.map(({ box }) => box?.q3 ?? 0))])
    .range([names, Math.max(names + 1, width - room)])
  return {
    width,
    height: Math.max(1, keys.length) * SPREAD_ROW,
    baseline: round(x(0)),
    isNarrow,
    rows: keys.map((key, i) => {
      const { box = null, posts = '', value = '', range = '' } = texts[i] ?? {}
      const [from, to] = box ? [x(box.q1), x(box.q3)] : [0, 0]
      const place = isNarrow ? width - drawnWidth(posts) - values - 2 * GAP : names - GAP
      const label = shortened(key, place / LARGER)
      return {
        key,
        label,
        posts: { text: posts, x: isNarrow ? drawnWidth(label) + 6 : 0 },
        y: i * SPREAD_ROW + SPREAD_ROW / 2,
        box: box && { x: round(from), width: round(Math.max(1, to - from)), median: round(x(box.median)) },
        value,
        range,
      }
    }),
  }
}

/** Instead of a box. */
const FEW = 'Too few posts'

const postsText = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'post' : 'posts'}`

/** The boxes with names, numbers of posts and values written beside them, so that they need no pointer. */
export function spreadElements(
  { rows, baseline, height, width, isNarrow }: SpreadDrawing,
  { paint }: { paint: (color: ColorName) => string },
): Element[] {
  const text = (words: string, x: number, y: number, color: ColorName, more: Element['attributes'] = {}) =>
    textElement(words, x, y, { dy: '0.35em', fill: paint(color), ...more })
  // above each other: the name and the number of posts, or the name with it and the box
  const [above, below] = isNarrow ? [-LINE - 2, LINE] : [-LINE, LINE]
  return [
    ...(isNarrow
      ? []
      : [
          {
            tag: 'line',
            attributes: { x1: baseline, x2: baseline, y1: 0, y2: height, stroke: paint('line-strong') },
          } as const,
        ]),
    ...rows.map(({ key, label, posts, y, box, value, range }): Element => {
      const at = isNarrow ? y + below : y
      return {
        tag: 'g',
        attributes: {},
        children: [
          { tag: 'title', attributes: {}, children: key },
          text(label, 0, y + above, 'ink'),
          text(posts.text, posts.x, isNarrow ? y + above : y + below, 'ink-muted'),
          ...(box
            ? [
                ...boxElements(box, at, paint),
                text(value, width, y + above, 'ink', { textAnchor: 'end', fontWeight: 600 }),
                text(range, width, y + below, 'ink-muted', { textAnchor: 'end' }),
              ]
            : isNarrow
              ? [text(FEW, width, y + above, 'ink-muted', { textAnchor: 'end' })]
              : [text(FEW, baseline + 8, y, 'ink-muted')]),
        ],
      }
    }),
  ]
}

/** The middle half, and a line at the median. */
const boxElements = (
  { x, width, median }: NonNullable<SpreadDrawing['rows'][number]['box']>,
  y: number,
  paint: (color: ColorName) => string,
): Element[] => [
  {
    tag: 'rect',
    attributes: { x, y: y - BOX / 2, width, height: BOX, rx: 2, fill: paint('accent'), fillOpacity: 0.3 },
  },
  {
    tag: 'rect',
    attributes: {
      x: round(median - MEDIAN / 2),
      y: y - BOX / 2 - 2,
      width: MEDIAN,
      height: BOX + 4,
      rx: 1,
      fill: paint('accent'),
    },
  },
]

/** "Engagements by format: highest median 310 for Reel (24 posts), lowest 90 for Picture (31 posts)". */
export function spreadSummary(label: string, data: ChartData): string {
  const [medians, counts] = [partOf(data, 'median'), partOf(data, 'posts')]
  const known = data.axis.keys.flatMap((name, i) => {
    const median = medians[i] ?? null
    return median === null || name === data.whole ? [] : [{ name, median, posts: counts[i] ?? 0 }]
  })
  const sorted = known.toSorted((one, other) => other.median - one.median)
  const [highest, lowest] = [sorted[0], sorted.at(-1)]
  if (!highest || !lowest) return `${label}: too few posts`
  const said = ({ name, median, posts }: typeof highest) =>
    `${valueText(median, data.unit)} for ${name} (${postsText(posts)})`
  return `${label}: ${sorted.length === 1 ? 'median' : 'highest median'} ${said(highest)}${sorted.length === 1 ? '' : `, lowest ${said(lowest)}`}`
}
