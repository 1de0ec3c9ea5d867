import { useMemo, useSyncExternalStore } from 'react'

/**
 * The current time for display, rounded down to steps of `every` milliseconds and updated with each; a minute by
 * default. Rendering must not read the clock itself.
 */
export function useNow(every = 60_000): Date {
  const step = useSyncExternalStore(
    (changed) => {
      const timer = setInterval(changed, Math.min(every, 30_000))
      return () => clearInterval(timer)
    },
    () => Math.floor(Date.now() / every) * every,
  )
  return useMemo(() => new Date(step), [step])
}
