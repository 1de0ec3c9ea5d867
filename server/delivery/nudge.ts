type Listener = (dueAt: Date | undefined) => void

const listeners = new Set<Listener>()

/**
 * Says in this process that something may have become due at `dueAt` (or now): its transaction commits in a moment. A
 * hint only: whoever misses it sees the lane at the next poll.
 */
export function nudge(dueAt?: Date): void {
  for (const listener of listeners) listener(dueAt)
}

/** Hears nudges; answers how to stop. */
export function onNudge(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
