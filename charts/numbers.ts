import type { Point } from './thin.ts'

/** Hundredths of a pixel are enough. */
export const round = (value: number): number => Math.round(value * 100) / 100

type Place = (point: Point) => number

/** Straight from point to point: between two days nobody knows more. */
export const straight = (points: readonly Point[], x: Place, y: Place): string =>
  points.map((point, i) => `${i === 0 ? 'M' : 'L'}${round(x(point))},${round(y(point))}`).join('')

/** Each value over the whole width of its key. */
export const steps = (points: readonly Point[], x: Place, y: Place, width: number): string =>
  points
    .map((point, i) => {
      const from = round(x(point) - width / 2)
      return `${i === 0 ? 'M' : 'L'}${from},${round(y(point))}H${round(x(point) + width / 2)}`
    })
    .join('')
