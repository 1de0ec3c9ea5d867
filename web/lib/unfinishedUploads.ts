import { useSyncExternalStore } from 'react'
import { isFailure } from './failure.ts'

let isOpen = false
const listeners = new Set<() => void>()
const set = (next: boolean) => {
  isOpen = next
  for (const listener of listeners) listener()
}

/** The one dialog of the person's unfinished uploads in the open project, for every place where files are added. */
export const unfinishedUploads = { open: () => set(true), close: () => set(false) }

export function useUnfinishedUploads(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOpen,
  )
}

/** Whether an upload was refused because too many of the person's others are unfinished. */
export const isOverUploadLimit = (error: unknown): boolean =>
  isFailure(error) && error.meta['limit'] === 'unfinished-uploads'
