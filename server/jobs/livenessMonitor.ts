/** A sign of life: any text that changes as long as its sender lives. */
export type Beat = { id: string; sign: string }

/**
 * Judges who is dead by the observer's own monotonic clock alone: whose sign didn't change for `after` milliseconds
 * since it was first seen. Clocks that differ between machines mislead nobody.
 */
export class LivenessMonitor {
  readonly #after: number
  readonly #seen = new Map<string, { sign: string; since: number }>()

  constructor(after: number) {
    this.#after = after
  }

  /** Takes note of all signs there are at `now` (monotonic milliseconds); answers whose have stood still too long. */
  observe(signs: readonly Beat[], now: number): string[] {
    const present = new Set(signs.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!present.has(id)) this.#seen.delete(id)
    return signs.flatMap(({ id, sign }) => {
      const known = this.#seen.get(id)
      if (known?.sign === sign) return now - known.since > this.#after ? [id] : []
      this.#seen.set(id, { sign, since: now })
      return []
    })
  }
}
