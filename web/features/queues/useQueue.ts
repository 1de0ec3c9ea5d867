import { useQueryClient } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint.ts'
import {
  listQueues,
  reorderQueue,
  setQueueSlots,
  setQueueStatus,
  type Queue,
  type QueueSlot,
} from '#contract/queues.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { callOptions, refresh, useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { moved } from '#web/ui/useRowOrder.ts'

type Queues = ReplyOf<typeof listQueues>

/** Changes one queue at once, with undo for its slots and its order. A refusal restores what was there. */
export function useQueue(queue: Queue) {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const { queryKey } = callOptions(listQueues, { params: ids })
  const { channelId } = queue
  const params = { ...ids, channelId }
  const change = (next: Partial<Queue>) => {
    void queries.cancelQueries({ queryKey })
    const before = queries.getQueryData<Queues>(queryKey)
    queries.setQueryData<Queues>(
      queryKey,
      (now) =>
        now && {
          queues: now.queues.map((one) =>
            one.channelId === channelId ? { ...one, ...next, version: one.version + 1 } : one,
          ),
        },
    )
    return before
  }
  const putBack = (before: unknown) => {
    // what `change` returned
    if (before) queries.setQueryData<Queues>(queryKey, before as Queues)
    refresh(queries, listQueues)
  }
  const now = () => queries.getQueryData<Queues>(queryKey)?.queues.find((one) => one.channelId === channelId) ?? queue

  const slots = useSend(setQueueSlots, {
    scope: { id: `queue ${channelId}` },
    onMutate: ({ body }) => change(body),
    onError: (_failure, _sent, before) => putBack(before),
  })
  const status = useSend(setQueueStatus, {
    onMutate: ({ body }) => change(body),
    onError: (_failure, _sent, before) => putBack(before),
    onSuccess: ({ message }) => toast.success(message ?? 'Queue status updated'),
  })
  const order = useSend(reorderQueue, {
    handles: ['STALE_VERSION'],
    // one at a time: each names the version that the previous one created
    scope: { id: `queue ${channelId}` },
    onMutate: ({ body }) => change({ posts: inOrder(now().posts, body.postIds) }),
    onError: (failure, _sent, before) => {
      putBack(before)
      if (failure.code === 'STALE_VERSION')
        toast.error('The queue changed in the meantime. Check its order and move the post again.')
    },
  })

  const setOrder = (postIds: string[], undo: boolean) => {
    const before = now().posts.map(({ postId }) => postId)
    order.mutate(
      { params, body: { version: now().version, postIds } },
      undo
        ? {
            onSuccess: ({ message }) =>
              toast.undo(message ?? 'Queue reordered successfully', () => setOrder(before, false), {
                id: `order ${channelId}`,
              }),
          }
        : {},
    )
  }
  const setSlots = (next: { slots: QueueSlot[]; timezone: string }, undo = true) => {
    const { slots: before, timezone } = now()
    slots.mutate(
      { params, body: next },
      undo
        ? {
            onSuccess: ({ message }) =>
              toast.undo(message ?? 'Queue updated successfully', () => setSlots({ slots: before, timezone }, false), {
                id: `slots ${channelId}`,
              }),
          }
        : {},
    )
  }
  return {
    setSlots,
    setPaused: (paused: boolean) => status.mutate({ params, body: { paused } }),
    move: (from: number, to: number) =>
      setOrder(
        moved(now().posts, from, to).map(({ postId }) => postId),
        true,
      ),
  }
}

/** The posts in this order; the slots stay where they are. */
function inOrder(posts: Queue['posts'], postIds: readonly string[]): Queue['posts'] {
  const byId = new Map(posts.map((post) => [post.postId, post]))
  return postIds.flatMap((postId, i) => {
    const post = byId.get(postId)
    return post ? [{ ...post, at: posts[i]?.at ?? null }] : []
  })
}
