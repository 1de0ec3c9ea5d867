import type { Element } from './elements.ts'

/** A text of a chart: `y` is its baseline, `x` the place of its anchor, both in pixels of the chart. */
export type PlacedText = { text: string; x: number; y: number; anchor: 'start' | 'middle' | 'end'; color: string }

export type Layers = {
  width: number
  height: number
  /** What the chart says, for those who don't see it. */ description: string
  svg: string
  texts: readonly PlacedText[]
}

/** The size of all texts, and what `dy` moves them by where it centers them on `y`. */
export const TEXT_SIZE = 11
const TO_BASELINE = 0.32

/** Elements without their texts, and these. */
export function layered(elements: readonly Element[]): { shapes: Element[]; texts: PlacedText[] } {
  const texts: PlacedText[] = []
  const shapesOf = (all: readonly Element[]): Element[] =>
    all.flatMap((element) => {
      const { tag, attributes, children } = element
      if (tag !== 'text') return Array.isArray(children) ? [{ ...element, children: shapesOf(children) }] : [element]
      const { x, y, dy, textAnchor, fill } = attributes
      texts.push({
        text: typeof children === 'string' ? children : '',
        x: Number(x),
        y: Number(y) + (dy === undefined ? 0 : TO_BASELINE * TEXT_SIZE),
        anchor: textAnchor === 'middle' || textAnchor === 'end' ? textAnchor : 'start',
        color: String(fill),
      })
      return []
    })
  return { shapes: shapesOf(elements), texts }
}
