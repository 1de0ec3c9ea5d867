import { DatabaseError } from 'pg'

/** Milliseconds to wait before the next try: doubling up to `most`, with 20% jitter so that retries spread out. */
export function backoff(first: number, tries: number, most: number, random: () => number = Math.random): number {
  const base = Math.min(first * 2 ** Math.min(tries, 30), most)
  return Math.round(base * (0.9 + random() * 0.2))
}

/** Whether the same statement may succeed later: the database is unavailable or busy, or two transactions conflicted. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true
  // 08 connection, 40 conflict, 53 resources, 55 lock, 57 shutdown and cancel
  return error.code !== undefined && ['08', '40', '53', '55', '57'].includes(error.code.slice(0, 2))
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
