/** A sign of life: any text that changes while its sender is alive. */
export type Beat = { id: string; sign: string }

/**
 * Decides who is dead by the observer's own monotonic clock alone: senders whose sign hasn't changed for `after`
 * milliseconds since it was first seen. Clocks that differ between machines don't matter.
 */
export class LivenessMonitor {
  readonly #after: number
  readonly #seen = new Map<string, { sign: string; since: number }>()

  constructor(after: number) {
    this.#after = after
  }

  /**
   * Records all current signs at `now` (monotonic milliseconds); returns the senders whose signs haven't changed for
   * too long.
   */
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
