import { useSyncExternalStore } from 'react'

/** Whether a media query matches, kept up to date. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
  )
}

/** No room next to the rail for seven columns of text, such as on a small tablet or at 200% zoom. */
export function useIsNarrow(): boolean {
  return useMedia('(max-width: 900px)')
}

/** One column, bottom tabs and bottom sheets: the width below --breakpoint-md. */
export function useIsPhone(): boolean {
  return useMedia('(max-width: 700px)')
}
