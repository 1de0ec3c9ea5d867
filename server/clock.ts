/** The only place that knows what time it is. Tests move it; nothing else reads the system's clock. */
export type Clock = {
  /** The current instant. */
  now(): Date
  /** Milliseconds that only ever grow, for leases and timeouts; unrelated to the calendar. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
}

/** A clock that only moves when it's advanced. Both readings move together. */
export type TestClock = Clock & {
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }): void
  set(instant: Date): void
}

/** A clock for tests, set to the instant. */
export function testClock(start: Date): TestClock {
  let at = start.getTime()
  let ticks = 0
  return {
    now: () => new Date(at),
    monotonic: () => ticks,
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }) {
      const by = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms
      at += by
      ticks += by
    },
    set(instant) {
      ticks += Math.max(0, instant.getTime() - at)
      at = instant.getTime()
    },
  }
}
