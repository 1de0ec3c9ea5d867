import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  assignConversation,
  judgeConversation,
  labelConversation,
  readConversation,
  setConversationStatus,
} from '#contract/inbox/actions.ts'
import { getConversation, inboxCounts, listConversations } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { ConversationStatus, Sentiment } from '#contract/inbox/terms.ts'
import { invalidate } from '#web/lib/cacheInvalidation.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { refresh, useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import type { ConversationRow, HeldConversations } from './heldConversations.ts'

type Simple = Partial<Pick<ConversationRow, 'status' | 'followUpOn' | 'sentiment' | 'unread' | 'version'>>
type Done = { message?: string | undefined; version: number }

/**
 * What people do with one conversation. Each change shows at once, is taken back when it's refused, and offers Undo in
 * its toast; `undoLast` is the same by key. A change of what somebody else changed meanwhile is refused.
 */
export function useInboxActions() {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const last = useRef<() => void>(undefined)
  const options = { refreshes: [] }
  const status = useSend(setConversationStatus, options)
  const assignee = useSend(assignConversation, options)
  const labels = useSend(labelConversation, options)
  const judgment = useSend(judgeConversation, options)
  const mark = useSend(readConversation, options)
  const paramsOf = ({ conversationId }: { conversationId: string }) => ({ ...ids, conversationId })

  const offerUndo = (id: string, message: string, undo: () => void) => {
    const once = () => {
      last.current = undefined
      toast.dismiss(id)
      undo()
    }
    last.current = once
    toast.undo(message, once, { id })
  }
  /** `undo` gets the version that the change led to. Without it, the change can't be taken back. */
  const run = async (sent: Promise<Done>, row: ConversationRow, undo?: (version: number) => void) => {
    try {
      const { message = 'Conversation updated', version } = await sent
      if (undo) offerUndo(`conversation-${row.conversationId}-${version}`, message, () => undo(version))
      else toast.success(message)
    } catch {
      // the global handling has shown it
    } finally {
      // what was shown at once is confirmed or taken back
      invalidate(queries, [{ kind: 'conversation', ref: row.conversationId }])
    }
  }

  const setStatus = (row: ConversationRow, next: ConversationStatus, followUpOn: string | null = null): void => {
    const { version } = row
    show(queries, row.conversationId, { status: next, followUpOn })
    const body = { version, status: next, ...(followUpOn === null ? {} : { followUpOn }) }
    void run(status.mutateAsync({ params: paramsOf(row), body }), row, (now) =>
      setStatus({ ...row, status: next, followUpOn, version: now }, row.status, row.followUpOn),
    )
  }
  const assign = (row: ConversationRow, userId: string | null): void =>
    void run(assignee.mutateAsync({ params: paramsOf(row), body: { version: row.version, userId } }), row, (version) =>
      assign({ ...row, version }, row.assignee?.userId ?? null),
    )
  const label = (row: ConversationRow, labelIds: string[]): void => {
    const before = row.labels.map(({ labelId }) => labelId)
    void run(labels.mutateAsync({ params: paramsOf(row), body: { version: row.version, labelIds } }), row, (version) =>
      label({ ...row, version }, before),
    )
  }
  const judge = (row: ConversationRow, sentiment: Sentiment | null) => {
    show(queries, row.conversationId, { sentiment })
    void run(judgment.mutateAsync({ params: paramsOf(row), body: { version: row.version, sentiment } }), row)
  }
  const markRead = (row: ConversationRow, read: boolean) => {
    show(queries, row.conversationId, { unread: !read })
    mark.mutate({ params: paramsOf(row), body: { read } }, { onSuccess: () => refresh(queries, inboxCounts) })
  }
  return { setStatus, assign, label, judge, markRead, undoLast: () => last.current?.() }
}
export type InboxActions = ReturnType<typeof useInboxActions>

/** Shows a change in the lists and the open conversation before the server has confirmed it. */
function show(queries: QueryClient, conversationId: string, change: Simple): void {
  queries.setQueriesData<HeldConversations>({ queryKey: [listConversations.path] }, (held) =>
    held
      ? {
          ...held,
          rows: held.rows.map((row) => (row.conversationId === conversationId ? { ...row, ...change } : row)),
        }
      : held,
  )
  queries.setQueriesData<ReplyOf<typeof getConversation>>({ queryKey: [getConversation.path] }, (open) =>
    open?.conversation.conversationId === conversationId
      ? { ...open, conversation: { ...open.conversation, ...change } }
      : open,
  )
}
