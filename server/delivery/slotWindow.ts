export type SlotBounds = {
  first: number
  least: number
  most: number
}

/** Failures within this many milliseconds count as one: requests that were sent together fail together. */
const ONE_FAILURE_MS = 1000

/**
 * The number of slots a platform may use on this node, found by additive increase and multiplicative decrease, as TCP
 * finds its window (RFC 5681, section 3.1): an answer that arrives while nearly all are in use adds a slot, after the
 * first failure only one per round of answers; a failure halves them. A slow platform gets as many as its latency
 * requires, and one that doesn't respond gives its slots back.
 */
export class SlotWindow {
  readonly #bounds: SlotBounds
  #size: number
  /** Up to here each answer adds a slot: half of where it last failed. */
  #threshold: number
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds
    this.#size = Math.min(bounds.first, bounds.most)
    this.#threshold = bounds.most
  }

  get size(): number {
    return Math.floor(this.#size)
  }

  /** A request was answered while this many slots were in use. */
  answered(inUse: number): void {
    if (inUse < this.size * 0.75) return
    this.#size = Math.min(this.#bounds.most, this.#size + (this.#size < this.#threshold ? 1 : 1 / this.#size))
  }

  /** A request got no answer, or the platform reported that it's overloaded; `now` is from the monotonic clock. */
  failed(now: number): void {
    if (now - this.#failedAt < ONE_FAILURE_MS) return
    this.#failedAt = now
    this.#size = Math.max(this.#bounds.least, this.#size / 2)
    this.#threshold = this.#size
  }
}
