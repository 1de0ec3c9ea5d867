import type { Clock } from '../clock.ts'

/**
 * Until when a lease holds, by both clocks: the monotonic one runs on while the process is stopped, the wall clock while
 * the machine sleeps. The instants are taken before the statement that made the lease, so the lease itself ends later.
 */
export type Lease = { wall: number; monotonic: number }

/** A lease of so many milliseconds from now. Take it before the statement that makes it. */
export function leaseFor(clock: Clock, milliseconds: number): Lease {
  return { wall: clock.now().getTime() + milliseconds, monotonic: clock.monotonic() + milliseconds }
}

/** Whether the lease outlasts what takes `milliseconds` from now. */
export function outlasts(lease: Lease, clock: Clock, milliseconds: number): boolean {
  return clock.monotonic() + milliseconds <= lease.monotonic && clock.now().getTime() + milliseconds <= lease.wall
}
