import { scaleLinear } from 'd3-scale'
import type { Size } from './data.ts'
import type { Element } from './elements.ts'
import { round, straight } from './numbers.ts'
import { runsOf, thinned } from './thin.ts'

/** Half of the line's width and of the dot at its end. */
const MARGIN = 3

export type SparkDrawing = Size & {
  lines: readonly string[]
  /** The last value; null without any. */ end: { x: number; y: number } | null
}

/** A small line without axes, from the lowest to the highest value. Gaps stay open. */
export function drawSpark(values: readonly (number | null)[], size: Size): SparkDrawing {
  const known = values.filter((value) => value !== null)
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const x = scaleLinear()
    .domain([0, Math.max(1, values.length - 1)])
    .range([MARGIN, size.width - MARGIN])
  // a line that never changes runs through the middle
  const y = scaleLinear()
    .domain(least === most ? [least - 1, most + 1] : [least, most])
    .range([size.height - MARGIN, MARGIN])
  const runs = runsOf(values)
  const end = runs.at(-1)?.at(-1)
  return {
    ...size,
    lines: runs
      .filter(({ length }) => length > 1)
      .map((run) =>
        straight(
          thinned(run, Math.floor(size.width / 2)),
          ({ index }) => x(index),
          ({ value }) => y(value),
        ),
      ),
    end: end ? { x: round(x(end.index)), y: round(y(end.value)) } : null,
  }
}

/** The line in one color, with a dot at its end. */
export const sparkElements = ({ lines, end }: SparkDrawing, color: string): Element[] => [
  ...lines.map((d): Element => ({
    tag: 'path',
    attributes: { d, fill: 'none', stroke: color, strokeWidth: 1.5, strokeLinecap: 'round', strokeLinejoin: 'round' },
  })),
  ...(end ? [{ tag: 'circle', attributes: { cx: end.x, cy: end.y, r: 2, fill: color } } as const] : []),
]
