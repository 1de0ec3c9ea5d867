type Listener = (dueAt: Date | undefined) => void

const listeners = new Set<Listener>()

/**
 * Announces in this process that something may become due at `dueAt` (or now), once the caller's transaction commits.
 * Only a hint: a process that misses it sees the lane at its next poll.
 */
export function nudge(dueAt?: Date): void {
  for (const listener of listeners) listener(dueAt)
}

/** Subscribes to nudges; returns how to unsubscribe. */
export function onNudge(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
