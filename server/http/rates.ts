import type { Rate } from './limits.ts'

/** Beyond this many keys, those whose calls are long enough ago are removed. */
const KEEP = 10_000

/**
 * Counts calls by key as "leaky buckets" (the generic cell rate algorithm): one number per key, the time at which all
 * its calls will have drained. In this node's memory.
 */
export class Rates {
  readonly #drained = new Map<string, number>()
  readonly #monotonic: () => number

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** How many seconds a call of this many units has to wait; 0 if it may run now. Counts nothing. */
  wait(key: string, { burst, perMinute }: Rate, units: number): number {
    const now = this.#monotonic()
    const each = 60_000 / perMinute
    const backlog = Math.max(0, (this.#drained.get(key) ?? 0) - now)
    // a call larger than the whole burst needs an empty bucket
    const over = backlog + units * each - Math.max(burst, units) * each
    // thousandths of a millisecond are rounding
    return over > 0.001 ? over / 1000 : 0
  }

  /** How many calls of this many units fit at once after so many seconds, if none comes before. */
  room(key: string, { burst, perMinute }: Rate, units: number, seconds: number): number {
    const each = 60_000 / perMinute
    const backlog = Math.max(0, (this.#drained.get(key) ?? 0) - this.#monotonic() - seconds * 1000)
    return Math.floor((Math.max(burst, units) * each - backlog + 0.001) / (units * each))
  }

  /** Counts a call of this many units. */
  count(key: string, { perMinute }: Rate, units: number): void {
    const now = this.#monotonic()
    this.#drained.set(key, Math.max(now, this.#drained.get(key) ?? 0) + (units * 60_000) / perMinute)
    if (this.#drained.size > KEEP) for (const [old, at] of this.#drained) if (at <= now) this.#drained.delete(old)
  }
}
