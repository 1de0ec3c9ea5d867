import type { Clock } from '../clock.ts'
import { networkOf } from '../http/attempts.ts'

/** How many addresses without a page a network may try in a minute, and how many networks are remembered. */
const [MOST, NETWORKS] = [60, 5_000]
const MINUTE = 60_000

/**
 * Limits how many unknown addresses a network has read from the database: trying names costs a reading each. In memory, of
 * this node, for as many networks as are worth it.
 */
export function limitUnknown(clock: Clock) {
  const tried = new Map<string, { since: number; times: number }>()
  const current = (network: string) => {
    const known = tried.get(network)
    return known && clock.monotonic() - known.since < MINUTE ? known : undefined
  }
  return {
    isOver: (address: string): boolean => (current(networkOf(address))?.times ?? 0) >= MOST,
    count(address: string): void {
      const network = networkOf(address)
      const { since, times } = current(network) ?? { since: clock.monotonic(), times: 0 }
      tried.delete(network)
      tried.set(network, { since, times: times + 1 })
      for (const oldest of tried.keys()) {
        if (tried.size <= NETWORKS) break
        tried.delete(oldest)
      }
    },
  }
}
