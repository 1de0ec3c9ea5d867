import type { Clock } from '../clock.ts'

/**
 * Until when a lease is valid, by both clocks: the monotonic clock keeps running while the process is stopped, the
 * wall clock while the machine sleeps. Both are read before the statement that creates the lease, so the lease itself
 * ends later.
 */
export type Lease = { wall: number; monotonic: number }

/** A lease of this many milliseconds from now. Create it before the statement that stores it. */
export function leaseFor(clock: Clock, milliseconds: number): Lease {
  return { wall: clock.now().getTime() + milliseconds, monotonic: clock.monotonic() + milliseconds }
}

/** Whether the lease outlasts something that takes `milliseconds` from now. */
export function outlasts(lease: Lease, clock: Clock, milliseconds: number): boolean {
  return clock.monotonic() + milliseconds <= lease.monotonic && clock.now().getTime() + milliseconds <= lease.wall
}
