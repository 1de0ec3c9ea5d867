export type Point = { index: number; value: number }

/** A series without its gaps: each run of values that follow each other. */
export function runsOf(values: readonly (number | null)[]): Point[][] {
  const runs: Point[][] = []
  let open: Point[] | undefined
  values.forEach((value, index) => {
    if (value === null) open = undefined
    else if (open) open.push({ index, value })
    else runs.push((open = [{ index, value }]))
  })
  return runs
}

/**
 * At most four points of each of `columns` equal parts: the first, the lowest, the highest and the last. A line through
 * them looks like one through all points, and no peak is lost (M4, Jugel et al., VLDB 2014).
 */
export function thinned(run: readonly Point[], columns: number): readonly Point[] {
  if (run.length <= columns * 4) return run
  const size = run.length / columns
  const kept = new Set<Point>()
  for (let column = 0; column < columns; column += 1) {
    const part = run.slice(Math.floor(column * size), Math.floor((column + 1) * size))
    const [first] = part
    if (!first) continue
    let [lowest, highest] = [first, first]
    for (const point of part) {
      if (point.value < lowest.value) lowest = point
      if (point.value > highest.value) highest = point
    }
    for (const point of [first, lowest, highest, part.at(-1) ?? first]) kept.add(point)
  }
  return [...kept].toSorted((one, other) => one.index - other.index)
}
