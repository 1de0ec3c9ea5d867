/**
 * Milliseconds: how long changes are gathered, so that a batch of posts reads a list once; how long to rest after that; and
 * the longest rest, where changes keep coming and each open screen would ask every second.
 */
const [GATHER, REST, LONGEST_REST] = [120, 1_000, 3_000]

/** Calls `flush` soon after the first change of a burst, and again while changes keep coming, each time after a longer rest. */
export function createBurst(flush: () => void): { hear: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let [last, rest] = [-Infinity, REST]
  const run = () => {
    timer = undefined
    const now = performance.now()
    rest = now - last < 2 * rest ? Math.min(2 * rest, LONGEST_REST) : REST
    last = now
    flush()
  }
  return {
    hear() {
      timer ??= setTimeout(run, Math.max(GATHER, last + rest - performance.now()))
    },
    stop: () => clearTimeout(timer),
  }
}
