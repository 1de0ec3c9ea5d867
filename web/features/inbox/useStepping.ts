import { useEffect, useRef } from 'react'
import type { ConversationRow } from './heldConversations.ts'

/** Moving through the list from the open conversation, or from where it was before it left the list. */
export function useStepping(rows: readonly ConversationRow[], openId: string | undefined) {
  const last = useRef(-1)
  const place = rows.findIndex((row) => row.conversationId === openId)
  useEffect(() => {
    if (place >= 0) last.current = place
  }, [place])
  return {
    /** The one after or before; the first or last one again at the ends. */
    step: (by: 1 | -1): string | undefined => {
      const from = place >= 0 ? place : by > 0 ? last.current - 1 : last.current
      return rows[Math.min(rows.length - 1, Math.max(0, from + by))]?.conversationId
    },
    /** What comes after the open one is done: the one below, else the one above. */
    next: place < 0 ? undefined : (rows[place + 1] ?? rows[place - 1])?.conversationId,
    below: place < 0 ? undefined : rows[place + 1]?.conversationId,
  }
}
