import { valueText } from '#contract/values.ts'
import type { ShareData, Size } from './data.ts'
import type { Element } from './elements.ts'
import { round } from './numbers.ts'
import type { ColorName } from './palettes.ts'
import { lookAt } from './style.ts'

export type ShareDrawing = readonly {
  key: string
  name: string
  value: number | null
  /** Of the width, from 0 to 1. */ from: number
  to: number
  /** With one decimal; all parts together are 100. Null for what isn't drawn. */ percent: number | null
}[]

/** Parts of a whole as one bar. Values that are unknown or not positive aren't drawn and have no percentage. */
export function drawShare({ parts }: ShareData): ShareDrawing {
  const sizeOf = (value: number | null) => Math.max(0, value ?? 0)
  const sum = parts.reduce((total, { value }) => total + sizeOf(value), 0)
  const percents = wholeParts(parts.map(({ value }) => (sum === 0 ? 0 : (sizeOf(value) / sum) * 1000)))
  let from = 0
  return parts.map(({ key, name, value }, i) => {
    const to = sum === 0 ? 0 : from + sizeOf(value) / sum
    const part = { key, name, value, from, to, percent: sizeOf(value) > 0 ? (percents[i] ?? 0) / 10 : null }
    from = to
    return part
  })
}

/** Rounded so that the sum stays what it was: the largest remainders are rounded up. */
function wholeParts(exact: readonly number[]): number[] {
  const floors = exact.map(Math.floor)
  const missing = Math.round(exact.reduce((sum, one) => sum + one, 0)) - floors.reduce((sum, one) => sum + one, 0)
  const byRemainder = exact
    .map((one, i) => ({ i, remainder: one - Math.floor(one) }))
    .toSorted((one, other) => other.remainder - one.remainder)
  for (const { i } of byRemainder.slice(0, missing)) floors[i] = (floors[i] ?? 0) + 1
  return floors
}

/** Between two parts, so that they differ by more than their color. */
const GAP = 2

/** One bar, each part in the color of its place. */
export const shareElements = (
  parts: ShareDrawing,
  { width, height, paint }: Size & { paint: (color: ColorName) => string },
): Element[] =>
  parts.flatMap(({ name, from, to, percent }, place): Element[] => {
    if (percent === null) return []
    const x = round(from * width)
    return [
      {
        tag: 'rect',
        attributes: {
          x,
          y: 0,
          width: Math.max(1, round(to * width - x - (to < 1 ? GAP : 0))),
          height,
          fill: paint(lookAt(place).color),
        },
        children: [{ tag: 'title', attributes: {}, children: `${name} ${valueText(percent, 'percent')}` }],
      },
    ]
  })
