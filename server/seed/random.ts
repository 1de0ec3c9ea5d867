/** The same numbers in every run (mulberry32), so that the demo looks the same for everyone. Not for secrets. */
export function seeded(seed: number): {
  next: () => number
  below: (limit: number) => number
  pick: <T>(items: readonly [T, ...T[]] | readonly T[]) => T
} {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}
