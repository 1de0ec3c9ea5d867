import { useEffect, useState } from 'react'
import type { ApiFailure } from './failure.ts'

/** How long a refusal asks to wait: whole seconds, undefined when it names no time. */
export function waitIn(failure: ApiFailure): number | undefined {
  const seconds = failure.meta['retryAfterSeconds']
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined
}

/** "0:42", "59:05" */
export function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Counts the seconds of a wait down. `left` is 0 when there is nothing to wait for. */
export function useWait(): { left: number; begin: (seconds: number | undefined) => void } {
  const [{ until, left }, set] = useState({ until: 0, left: 0 })
  useEffect(() => {
    if (left === 0) return undefined
    // by the clock, not by counting: a tab in the background is woken late
    const timer = setTimeout(() => set({ until, left: Math.max(0, Math.ceil((until - Date.now()) / 1000)) }), 1000)
    return () => clearTimeout(timer)
  }, [until, left])
  return { left, begin: (seconds = 0) => set({ until: Date.now() + seconds * 1000, left: seconds }) }
}
