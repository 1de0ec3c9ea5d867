import type { Clock } from '../clock.ts'
import type { Reach } from '../platforms/platform.ts'
import type { SafeAnswer } from '../platforms/safeHttp.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { outlasts, type Lease } from './guard.ts'
import type { Exchange } from './outcomes.ts'

/** An adapter's HTTP access for one step: each request is guarded by the leases and recorded for the attempt's log. */
export type GuardedFetch = Reach & {
  readonly exchange: readonly Exchange[]
  /** A request was withheld because a lease wouldn't have outlasted it. */
  readonly withheld: boolean
}

export type Watch = {
  fetch: SafeFetch
  signal: AbortSignal
  clock: Clock
  /** The step's own lease: it must outlast the request, because reconciling starts after it. */
  lease: Lease
  /** The node's lease: one that the others may have given up must not start anything. */
  alive: () => Lease
  guarded: boolean
  /** Called for every request in the tick in which it is sent. */
  onLeaving?: () => void
  /** Called with the result of each request. */
  onAnswered?: (answer: SafeAnswer) => void
}

/**
 * A fence rejects late writes but can't stop late sends. So each request is checked against its own remaining timeout
 * in the very tick in which its first byte would be written.
 */
export function guardedFetch(watch: Watch): GuardedFetch {
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

/** Origin and path. Queries may contain tokens. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

function inWords(answer: SafeAnswer): string {
  return answer.kind === 'answer' ? String(answer.status) : `${answer.kind}: ${answer.why}`
}
