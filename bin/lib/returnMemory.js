import { performance } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import { keepSmall, openTrim } from './trim.js'

/** In milliseconds. */
const EVERY = 10_000

/** Returns what part of its time the thread has been busy since the last call. */
function measureBusy() {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  }
}

// Loaded before the server by bin/start.js, with --expose-gc; the server's own threads load it as well
if (isMainThread) {
  const look = keepSmall({
    trim: openTrim() ?? (() => {}),
    collect: () => globalThis.gc?.(),
    heapSize: () => process.memoryUsage().heapTotal,
    busy: measureBusy(),
  })
  setInterval(look, EVERY).unref()
}
