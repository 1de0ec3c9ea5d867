import type { Clock } from '../clock.ts'
import type { Reach } from '../platforms/platform.ts'
import type { SafeAnswer } from '../platforms/safeHttp.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { outlasts, type Lease } from './guard.ts'
import type { Exchange } from './outcomes.ts'

/** An adapter's way out for one step: each request is guarded by the leases and noted for the attempt's log. */
export type GuardedReach = Reach & {
  readonly exchange: readonly Exchange[]
  /** A request was withheld because a lease did not outlast it. */
  readonly withheld: boolean
}

export type Watch = {
  fetch: SafeFetch
  signal: AbortSignal
  clock: Clock
  /** The step's own lease: it must outlast the request, because settling begins after it. */
  lease: Lease
  /** The node's: one that may have been given up by the others must not begin anything any more. */
  alive: () => Lease
  guarded: boolean
  /** Hears of every request in the tick in which it leaves. */
  onLeaving?: () => void
  /** Hears what each request came to. */
  onAnswered?: (answer: SafeAnswer) => void
}

/**
 * A fence refuses late writes, not late sends: so each request is checked in the very tick in which its first byte
 * would be written, against what is left of its own timeout.
 */
export function guardedReach(watch: Watch): GuardedReach {
  const exchange: Exchange[] = []
  let withheld = false
  const fetch: SafeFetch = async (url, request) => {
    const started = watch.clock.monotonic()
    const end = started + request.timeoutMs
    const allowed = () => {
      const wanted = request.stillWanted?.() ?? true
      const left = end - watch.clock.monotonic()
      if (
        wanted &&
        (!watch.guarded || (outlasts(watch.lease, watch.clock, left) && outlasts(watch.alive(), watch.clock, 0)))
      ) {
        watch.onLeaving?.()
        return true
      }
      withheld = true
      return false
    }
    const answer = await watch.fetch(url, { ...request, stillWanted: allowed })
    watch.onAnswered?.(answer)
    exchange.push({
      method: request.method ?? 'GET',
      url: withoutSecrets(url),
      answer: inWords(answer),
      ms: Math.round(watch.clock.monotonic() - started),
    })
    return answer
  }
  return {
    fetch,
    signal: watch.signal,
    exchange,
    get withheld() {
      return withheld
    },
  }
}

/** Origin and path. Queries may carry tokens. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

function inWords(answer: SafeAnswer): string {
  return answer.kind === 'answer' ? String(answer.status) : `${answer.kind}: ${answer.why}`
}
