import type { ChartData, Series } from './data.ts'

/** The keys of the series to draw where there are too many: those with the largest totals, or last values. */
export function largest(
  { series, adds = 'sum' }: Pick<ChartData, 'series' | 'adds'>,
  most: number,
): ReadonlySet<string> {
  const own = series.filter(({ comparedWith }) => comparedWith === undefined)
  return new Set(
    own
      .map((one) => ({ key: one.key, size: sizeOf(one, adds) }))
      .toSorted((one, other) => other.size - one.size)
      .slice(0, most)
      .map(({ key }) => key),
  )
}

function sizeOf({ values }: Series, adds: NonNullable<ChartData['adds']>): number {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return -Infinity
  if (adds === 'last') return known.at(-1) ?? 0
  return adds === 'sum' ? known.reduce((sum, value) => sum + value, 0) : Math.max(...known)
}
