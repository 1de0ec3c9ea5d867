import { useEffect, useState } from 'react'
import type { ApiFailure } from './failure.ts'

/** A refusal's waiting time in whole seconds, undefined if it names none. */
export function waitIn(failure: ApiFailure): number | undefined {
  const seconds = failure.meta['retryAfterSeconds']
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined
}

/** "0:42", "59:05" */
export function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Counts a wait down in seconds. `left` is 0 if there's nothing to wait for. */
export function useWait(): { left: number; begin: (seconds: number | undefined) => void } {
  const [{ until, left }, set] = useState({ until: 0, left: 0 })
  useEffect(() => {
    if (left === 0) return undefined
    // by the clock, not by counting: background tabs wake up late
    const timer = setTimeout(() => set({ until, left: Math.max(0, Math.ceil((until - Date.now()) / 1000)) }), 1000)
    return () => clearTimeout(timer)
  }, [until, left])
  return { left, begin: (seconds = 0) => set({ until: Date.now() + seconds * 1000, left: seconds }) }
}
