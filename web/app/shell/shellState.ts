import { useSyncExternalStore } from 'react'

/** What lies over the page and belongs to the shell. One at a time. */
export type Overlay = 'palette' | 'shortcuts' | 'more' | 'newProject' | null

/** What its key opens, as people read it. */
export const PALETTE = 'Search or jump to'

let current: Overlay = null
const listeners = new Set<() => void>()
const set = (next: Overlay) => {
  current = next
  for (const listener of listeners) listener()
}

/** Opened from menus, keys and the palette alike. */
export const shell = { open: set, close: () => set(null) }

export function useOverlay(): Overlay {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
