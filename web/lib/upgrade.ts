import { useSyncExternalStore } from 'react'
import type { Gate } from '#contract/plans.ts'

/** A closed gate that someone ran into. */
export type ClosedGate = {
  gate: Gate
  /** The server's reason, where it gave one of its own. */
  detail?: string | undefined
  /** The account that was to be connected used up its free trial elsewhere: room isn't what is missing. */
  usedOnTrial?: boolean
}

let current: ClosedGate | undefined
const listeners = new Set<() => void>()
const set = (next: ClosedGate | undefined) => {
  current = next
  for (const listener of listeners) listener()
}

/** The one upgrade dialog of the app: opened by any refused call and by buttons of what the plan lacks. */
export const upgrade = { open: set, close: () => set(undefined) }

export function useUpgrade(): ClosedGate | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
