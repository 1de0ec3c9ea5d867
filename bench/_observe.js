// Runs in the page before anything else (bench/calendar.ts, bench/composer.ts): records interactions and the largest
// paint.
const measured = { events: new Map(), lcp: 0 }
globalThis.rookeryBench = {
  /** INP as the slowest interaction, which it is for fewer than 50 of them. Milliseconds. */
  seen: () => ({ inp: Math.max(0, ...measured.events.values()), lcp: measured.lcp }),
  /** Every interaction so far that took 16 ms or more. Milliseconds. */
  interactions: () => [...measured.events.values()],
  forget: () => measured.events.clear(),
  /** Resolves when the page is idle. */
  idle: () =>
    new Promise((resolve) =>
      requestIdleCallback(() => requestIdleCallback(() => resolve(), { timeout: 5000 }), { timeout: 5000 }),
    ),
}
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) measured.lcp = entry.startTime
}).observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries()) {
    if (interactionId) measured.events.set(interactionId, Math.max(measured.events.get(interactionId) ?? 0, duration))
  }
}).observe({ type: 'event', buffered: true, durationThreshold: 16 })
