/**
 * The values at a quarter, half and three quarters of these, which aren't empty; between two of them in proportion, as
 * PostgreSQL's `percentile_cont` does.
 */
export function quartilesOf(values: readonly number[]): [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => {
    const place = (sorted.length - 1) * share
    const [below = 0, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
    return below + (above - below) * (place - Math.floor(place))
  }
  return [at(0.25), at(0.5), at(0.75)]
}
