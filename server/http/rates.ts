import type { Rate } from './limits.ts'

/** Beyond so many keys those whose calls lie far enough back are forgotten. */
const KEEP = 10_000

/**
 * Counts calls by key as "leaky buckets" (the generic cell rate algorithm): for each key one number, the time at which
 * all its calls will have drained. In the memory of this node.
 */
export class Rates {
  readonly #drained = new Map<string, number>()
  readonly #monotonic: () => number

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** How many seconds a call of so many units has to wait; 0 when it may come now. Counts nothing. */
  wait(key: string, { burst, perMinute }: Rate, units: number): number {
    const now = this.#monotonic()
    const each = 60_000 / perMinute
    const backlog = Math.max(0, (this.#drained.get(key) ?? 0) - now)
    // a call larger than the whole burst has to find the bucket empty
    const over = backlog + units * each - Math.max(burst, units) * each
    // thousandths of a millisecond are rounding
    return over > 0.001 ? over / 1000 : 0
  }

  /** Counts a call of so many units. */
  count(key: string, { perMinute }: Rate, units: number): void {
    const now = this.#monotonic()
    this.#drained.set(key, Math.max(now, this.#drained.get(key) ?? 0) + (units * 60_000) / perMinute)
    if (this.#drained.size > KEEP) for (const [old, at] of this.#drained) if (at <= now) this.#drained.delete(old)
  }
}
