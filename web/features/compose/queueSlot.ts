import type { Queue, QueuePosition } from '#contract/queues.ts'

/** The slot of a post that joins the queue now; undefined while the queue is paused or has no free one. */
export function queueSlot(
  { posts, next, paused }: Pick<Queue, 'posts' | 'next' | 'paused'>,
  position: QueuePosition,
  now: Date,
): string | undefined {
  if (paused) return undefined
  const [free] = next
  if (position === 'LAST') return free
  // the others move by one
  const taken = posts.flatMap(({ at }) => (at !== null && new Date(at) > now ? [at] : []))
  return [...taken, ...(free === undefined ? [] : [free])].toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]
}
