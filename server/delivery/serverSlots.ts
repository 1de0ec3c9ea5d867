import { SlotWindow } from './slotWindow.ts'

type ServerBounds = {
  /** The fewest that failures leave a server. */
  least: number
  /** The most that any one server gets, whatever it answers. */
  most: number
}

/** How many servers are remembered: those that were busy or failed last. */
const REMEMBERED = 100

/**
 * The slots that a platform's federated servers use on this node. Anyone can run one, so each has a window of its own:
 * it begins with the share of the platform's slots that every server has, and what a server answers, or doesn't, changes
 * only its own.
 */
export class ServerSlots {
  readonly #bounds: ServerBounds
  readonly #used = new Map<string, number>()
  /** In the order of their last change, so that the first is forgotten first. */
  readonly #windows = new Map<string, SlotWindow>()

  constructor(bounds: ServerBounds) {
    this.#bounds = bounds
  }

  /** The servers that have other than the share, and how many. */
  windows(): Record<string, number> {
    return Object.fromEntries([...this.#windows].map(([service, { size }]) => [service, size]))
  }

  /** How many slots they use beyond the share of each: those aren't the platform's own. */
  beyond(share: number): number {
    return [...this.#used.values()].reduce((sum, used) => sum + Math.max(0, used - share), 0)
  }

  used(service: string): number {
    return this.#used.get(service) ?? 0
  }

  /** One more in use, or one less. */
  count(service: string, more: 1 | -1): void {
    const used = this.used(service) + more
    if (used > 0) this.#used.set(service, used)
    else this.#used.delete(service)
  }

  /** The server responded; `share` is what a server has that isn't remembered. */
  answered(service: string, share: number): void {
    const used = this.used(service)
    // one that's never busy isn't worth remembering
    if (this.#windows.has(service) || used >= share * 0.75) this.#windowOf(service, share).answered(used)
  }

  /** It didn't, or is in trouble; `now` is from the monotonic clock. */
  failed(service: string, share: number, now: number): void {
    this.#windowOf(service, share).failed(now)
  }

  #windowOf(service: string, share: number): SlotWindow {
    const window = this.#windows.get(service) ?? new SlotWindow({ ...this.#bounds, first: share })
    this.#windows.delete(service)
    this.#windows.set(service, window)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > REMEMBERED && oldest !== undefined) this.#windows.delete(oldest)
    return window
  }
}
