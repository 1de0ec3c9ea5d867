import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeConversations } from '#contract/inbox/actions.ts'
import { hideInConversations } from '#contract/inbox/replies.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { invalidate } from '#web/lib/cacheInvalidation.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import type { ConversationRow } from './heldConversations.ts'

type Wish = CallOf<typeof changeConversations>['body']
type HideWish = CallOf<typeof hideInConversations>['body']
export type BulkChange = Omit<Wish, 'conversationIds'>

/** Changes many conversations by one call each time, with Undo where all of it can be undone. What was skipped is kept for a dialog. */
export function useBulkInbox() {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const send = useSend(changeConversations, { refreshes: [] })
  const hiding = useSend(hideInConversations, { refreshes: [] })
  const [skipped, setSkipped] = useState<readonly ConversationRow[]>([])
  const call = async (rows: readonly ConversationRow[], change: BulkChange) => {
    const conversationIds = rows.map(({ conversationId }) => conversationId)
    try {
      return await send.mutateAsync({ params: ids, body: { ...change, conversationIds } })
    } catch {
      // the global handling has shown it
      return undefined
    } finally {
      invalidate(
        queries,
        conversationIds.map((ref) => ({ kind: 'conversation' as const, ref })),
      )
    }
  }
  const run = async (rows: readonly ConversationRow[], change: BulkChange): Promise<boolean> => {
    const reply = await call(rows, change)
    if (!reply) return false
    const left = new Set(reply.skipped)
    setSkipped(rows.filter((row) => left.has(row.conversationId)))
    const done = rows.filter((row) => !left.has(row.conversationId))
    const message = reply.message ?? `${count(done.length, 'conversation')} updated`
    const back = undoOf(done, change)
    if (done.length === 0) toast.warning('No conversation was changed.')
    else if (back) toast.undo(message, () => void Promise.all(back.map((one) => call(one.rows, one.change))))
    else toast.success(message)
    return true
  }
  const hideCall = async (rows: readonly ConversationRow[], more: Omit<HideWish, 'conversationIds'>) => {
    const conversationIds = rows.map(({ conversationId }) => conversationId)
    try {
      return await hiding.mutateAsync({ params: ids, body: { ...more, conversationIds } })
    } catch {
      // the global handling has shown it
      return undefined
    } finally {
      invalidate(
        queries,
        conversationIds.map((ref) => ({ kind: 'conversation' as const, ref })),
      )
    }
  }
  /** Hides what was written in them on their platforms. */
  const hide = async (rows: readonly ConversationRow[]): Promise<boolean> => {
    const reply = await hideCall(rows, {})
    if (!reply) return false
    const left = new Set(reply.skipped)
    setSkipped(rows.filter((row) => left.has(row.conversationId)))
    const { itemIds, message = '' } = reply
    if (itemIds.length === 0) toast.warning('Nothing was hidden.')
    else toast.undo(message, () => void hideCall(rows, { hidden: false, itemIds }))
    return true
  }
  return { run, hide, busy: send.isPending || hiding.isPending, skipped, forgetSkipped: () => setSkipped([]) }
}

type Step = { rows: readonly ConversationRow[]; change: BulkChange }

/** The calls that bring back how the conversations were; undefined where added labels would stay. */
export function undoOf(rows: readonly ConversationRow[], change: BulkChange): readonly Step[] | undefined {
  if (change.addLabelIds?.length) return undefined
  const steps = new Map<string, { rows: ConversationRow[]; change: BulkChange }>()
  for (const row of rows) {
    const before: BulkChange = {
      ...(change.status === undefined ? {} : { status: row.status }),
      ...(change.status === undefined || row.followUpOn === null ? {} : { followUpOn: row.followUpOn }),
      ...(change.userId === undefined ? {} : { userId: row.assignee?.userId ?? null }),
      ...(change.read === undefined ? {} : { read: !row.unread }),
    }
    const key = JSON.stringify(before)
    const step = steps.get(key)
    if (step) step.rows.push(row)
    else steps.set(key, { rows: [row], change: before })
  }
  return [...steps.values()]
}
