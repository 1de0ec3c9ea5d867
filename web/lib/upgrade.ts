import { useSyncExternalStore } from 'react'
import type { Gate } from '#contract/plans.ts'

/** A closed gate that someone ran into. */
export type ClosedGate = {
  gate: Gate
  /** The server's reason, if it gave one of its own. */
  detail?: string | undefined
  /** The account being connected has used its free trial elsewhere: capacity isn't the problem. */
  usedOnTrial?: boolean
}

let current: ClosedGate | undefined
const listeners = new Set<() => void>()
const set = (next: ClosedGate | undefined) => {
  current = next
  for (const listener of listeners) listener()
}

/** The app's one upgrade dialog: opened by any refused call and by buttons for what the plan lacks. */
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
