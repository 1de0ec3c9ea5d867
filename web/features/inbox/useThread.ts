import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { getConversation, type InboxItem } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { callOptions, useCall } from '#web/lib/queries.ts'

type Open = ReplyOf<typeof getConversation>

/**
 * The items of a conversation as far as they were read: the latest ones, or those around the item `at` if it's further up,
 * with what was asked for before and after them.
 */
export function useThread(open: Open, at: string | undefined) {
  const ids = useProjectIds()
  const { conversationId } = open.conversation
  const params = { ...ids, conversationId }
  const [befores, setBefores] = useState<readonly string[]>([])
  const [afters, setAfters] = useState<readonly string[]>([])
  const isFurtherUp = at !== undefined && !open.items.some(({ itemId }) => itemId === at)
  const around = useCall(
    getConversation,
    { params, query: { around: at ?? '' } },
    { handles: true, enabled: isFurtherUp },
  )
  const older = useQueries({
    queries: befores.map((before) => callOptions(getConversation, { params, query: { before } }, { handles: true })),
  })
  const newer = useQueries({
    queries: afters.map((after) => callOptions(getConversation, { params, query: { after } }, { handles: true })),
  })
  // what was found may be gone since
  const middle = isFurtherUp && around.data && around.data.items.length > 0 ? around.data : undefined
  const read = [...older.map(({ data }) => data).toReversed(), middle ?? open, ...newer.map(({ data }) => data)].filter(
    (page) => page !== undefined,
  )
  const isApart = middle !== undefined && read.at(-1)?.later === true
  const items = joined([...read, ...(middle === undefined || isApart ? [] : [open])])
  const [first, last] = [items[0], items.at(-1)]
  const isReading = older.some(({ isPending }) => isPending)
  const isReadingOn = newer.some(({ isPending }) => isPending)
  return {
    items,
    /** What was looked for is still on its way. */
    isOpening: isFurtherUp && around.isPending,
    /** It begins further up than the latest ones. */
    isAway: middle !== undefined,
    earlier:
      (read[0]?.more === true || isReading) && first
        ? { isReading, read: () => setBefores([...befores, first.itemId]) }
        : undefined,
    later: isApart && last ? { isReading: isReadingOn, read: () => setAfters([...afters, last.itemId]) } : undefined,
  }
}

/** Each item once, at its place, as the last page has it. */
const joined = (pages: readonly Open[]): InboxItem[] => [
  ...new Map(pages.flatMap(({ items }) => items).map((item) => [item.itemId, item])).values(),
]
