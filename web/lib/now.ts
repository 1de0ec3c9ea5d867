import { useMemo, useSyncExternalStore } from 'react'

/**
 * The current time for showing, cut down to whole steps of `every` milliseconds and renewed with each; a minute unless
 * said otherwise. Rendering must not read the clock itself.
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
