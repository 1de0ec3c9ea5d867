import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  assignConversation,
  judgeConversation,
  labelConversation,
  readConversation,
  setConversationStatus,
} from '#contract/inbox/actions.ts'
import { inboxCounts } from '#contract/inbox/counts.ts'
import type { ConversationStatus, Sentiment } from '#contract/inbox/terms.ts'
import { invalidate } from '#web/lib/cacheInvalidation.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { refresh, useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import type { ConversationRow } from './heldConversations.ts'
import { createShownChanges, show, type Shown } from './shownChanges.ts'

type Member = ConversationRow['assignee']
type Label = ConversationRow['labels'][number]
type Done = { message?: string | undefined; version: number }

/**
 * What people do with one conversation. Each change shows at once, is taken back when it's refused, and offers Undo in
 * its toast; `undoLast` is the same by key. A change of what someone else changed meanwhile is refused.
 */
export function useInboxActions() {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const last = useRef<() => void>(undefined)
  // of each conversation: the version that the last change here leads to, undefined when it was refused
  const versions = useRef(new Map<string, Promise<number | undefined>>())
  const [shown] = useState(() => createShownChanges(queries))
  useEffect(() => shown.watch(), [shown])
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
  /**
   * Shows a change and sends it with the version that the person saw, which is the one that their change before it led to.
   * `undo` gets the version that this one led to. Without it, the change can't be taken back.
   */
  const run = async (
    row: ConversationRow,
    change: Shown,
    send: (version: number) => Promise<Done>,
    undo?: (version: number) => void,
  ) => {
    const settled = shown.begin(row.conversationId, change)
    const sent = after(versions.current.get(row.conversationId), row.version).then(send)
    versions.current.set(
      row.conversationId,
      sent.then(
        ({ version }) => version,
        () => undefined,
      ),
    )
    try {
      const { message = 'Conversation updated', version } = await sent
      show(queries, row.conversationId, { version })
      if (undo) offerUndo(`conversation-${row.conversationId}-${version}`, message, () => undo(version))
      else toast.success(message)
    } catch {
      // the global handling has shown it
    } finally {
      settled()
      // what was shown at once is confirmed or taken back
      invalidate(queries, [{ kind: 'conversation', ref: row.conversationId }])
    }
  }

  const setStatus = (row: ConversationRow, next: ConversationStatus, followUpOn: string | null = null): void => {
    const body = { status: next, ...(followUpOn === null ? {} : { followUpOn }) }
    void run(
      row,
      { status: next, followUpOn },
      (version) => status.mutateAsync({ params: paramsOf(row), body: { ...body, version } }),
      (version) => setStatus({ ...row, status: next, followUpOn, version }, row.status, row.followUpOn),
    )
  }
  const assign = (row: ConversationRow, member: Member): void => {
    const userId = member?.userId ?? null
    void run(
      row,
      { assignee: member },
      (version) => assignee.mutateAsync({ params: paramsOf(row), body: { version, userId } }),
      (version) => assign({ ...row, assignee: member, version }, row.assignee),
    )
  }
  const label = (row: ConversationRow, next: readonly Label[]): void => {
    const labelIds = next.map(({ labelId }) => labelId)
    void run(
      row,
      { labels: [...next] },
      (version) => labels.mutateAsync({ params: paramsOf(row), body: { version, labelIds } }),
      (version) => label({ ...row, labels: [...next], version }, row.labels),
    )
  }
  const judge = (row: ConversationRow, sentiment: Sentiment | null) => {
    void run(row, { sentiment }, (version) =>
      judgment.mutateAsync({ params: paramsOf(row), body: { version, sentiment } }),
    )
  }
  const markRead = (row: ConversationRow, read: boolean) => {
    show(queries, row.conversationId, { unread: !read })
    mark.mutate({ params: paramsOf(row), body: { read } }, { onSuccess: () => refresh(queries, inboxCounts) })
  }
  /** What is on screen was seen, although nothing in it is unread. */
  const markSeen = (row: ConversationRow) => mark.mutate({ params: paramsOf(row), body: {} })
  return { setStatus, assign, label, judge, markRead, markSeen, undoLast: () => last.current?.() }
}
export type InboxActions = ReturnType<typeof useInboxActions>

/** The version that a change is made on: after the person's own change before it, unless something newer was seen since. */
const after = async (before: Promise<number | undefined> | undefined, seen: number): Promise<number> =>
  Math.max((await before) ?? seen, seen)
