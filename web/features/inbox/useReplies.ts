import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getConversation, type InboxItem } from '#contract/inbox/conversations.ts'
import {
  confirmReply,
  deleteItem,
  deleteReply,
  editReply,
  hideItem,
  reactToItem,
  retryReply,
  sendReply,
} from '#contract/inbox/replies.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { ReactionKind } from '#contract/inbox/terms.ts'
import { invalidate } from '#web/lib/cacheInvalidation.ts'
import { isFailure, type ApiFailure } from '#web/lib/failure.ts'
import { newId } from '#web/lib/newId.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { keyOf, useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import type { ConversationRow } from './heldConversations.ts'
import { nameOf } from './look.ts'
import { useReplyWatch } from './useReplyWatch.ts'
import { emptyDraft, keepReplyDraft, readReplyDraft, type ReplyDraft } from './replyDrafts.ts'

/** A reply that the server hasn't taken yet: on its way there, or refused. */
export type Outgoing = {
  replyId: string
  conversationId: string
  draft: ReplyDraft
  close: boolean
  at: string
  /** Why it wasn't taken; undefined while it is on its way. */
  why?: ApiFailure | undefined
}
type Which = Pick<ConversationRow, 'conversationId'>

/**
 * What is sent to platforms from a conversation. A reply shows at once and belongs to the screen, so that it gets through
 * while another conversation is open; the same reply is sent again with the same id, so it can't be sent twice.
 */
export function useReplies() {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const userId = useHome().data?.user?.userId ?? ''
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>([])
  const options = { refreshes: [] }
  const sending = useSend(sendReply, { ...options, handles: true })
  const retrying = useSend(retryReply, options)
  const editing = useSend(editReply, options)
  const removing = useSend(deleteReply, options)
  const confirming = useSend(confirmReply, options)
  const reacting = useSend(reactToItem, options)
  const hiding = useSend(hideItem, options)
  const deleting = useSend(deleteItem, options)

  const { isOpen, openIt, watchOf } = useReplyWatch()

  const drop = (replyId: string) => setOutgoing((all) => all.filter((one) => one.replyId !== replyId))
  const put = (reply: Outgoing) => setOutgoing((all) => [...all.filter((one) => one.replyId !== reply.replyId), reply])

  const deliver = async (row: ConversationRow, reply: Outgoing, version: number | undefined) => {
    const { replyId, conversationId, draft, close } = reply
    put({ ...reply, why: undefined })
    watchOf().watch({ replyId, conversationId })
    const { text, files, itemId, responseId } = draft
    try {
      await sending.mutateAsync({
        params: { ...ids, conversationId },
        body: {
          replyId,
          text,
          assetIds: files.map(({ assetId }) => assetId),
          // what was left empty here is empty, whatever the file has
          altTexts: Object.fromEntries(files.map(({ assetId, altText }) => [assetId, altText])),
          ...(itemId === undefined ? {} : { itemId }),
          ...(responseId === undefined ? {} : { responseId }),
          ...(close ? { close } : {}),
          ...(version === undefined ? {} : { version }),
        },
      })
      // unless something else was written meanwhile
      const kept = readReplyDraft(userId, conversationId)
      if (kept.text === text) keepReplyDraft(userId, conversationId, emptyDraft)
      await queries.refetchQueries({ queryKey: keyOf(getConversation, { params: { ...ids, conversationId } }) })
      drop(replyId)
    } catch (error) {
      if (!isFailure(error)) throw error
      put({ ...reply, why: error })
      watchOf().forget(replyId)
      const action = { label: 'Open', onClick: () => openIt(conversationId) }
      toast.error(`Your reply to ${nameOf(row)} wasn't sent.`, isOpen(conversationId) ? {} : { action })
    } finally {
      invalidate(queries, [{ kind: 'conversation', ref: conversationId }])
    }
  }
  const send = (row: ConversationRow, draft: ReplyDraft, close: boolean): void => {
    const reply = { replyId: newId(), conversationId: row.conversationId, draft, close, at: new Date().toISOString() }
    void deliver(row, reply, row.version)
  }

  /** Does it, and reads the conversation again: what was shown at once is confirmed or taken back. Says `words`, or what the server says. */
  const run = async (of: Which, sent: Promise<{ message?: string | undefined }>, words?: string): Promise<boolean> => {
    try {
      const { message = '' } = await sent
      if (words ?? message) toast.success(words ?? message)
      return true
    } catch {
      // the global handling has shown it
      return false
    } finally {
      invalidate(queries, [{ kind: 'conversation', ref: of.conversationId }])
    }
  }
  const show = (of: Which, itemId: string, change: Partial<InboxItem>) => showItem(queries, of, itemId, change)
  const hide = (of: Which, { itemId }: InboxItem, hidden: boolean, words = hidden ? 'Hidden' : 'Shown again'): void => {
    // whether hiding holds it for review is known with the reply
    show(of, itemId, { hidden, held: false })
    const params = { ...ids, conversationId: of.conversationId }
    void run(of, hiding.mutateAsync({ params, body: { itemId, hidden } }), words)
  }
  const paramsOf = (replyId: string) => ({ ...ids, replyId })
  return {
    outgoing,
    send,
    /** Sends a reply again that the server didn't take, whatever happened in the conversation since. */
    sendAgain: (row: ConversationRow, reply: Outgoing) => void deliver(row, reply, undefined),
    drop,
    retry: (of: Which, { itemId, reply }: InboxItem): void => {
      if (!reply) return
      const { replyId } = reply
      watchOf().watch({ replyId, conversationId: of.conversationId, again: true })
      show(of, itemId, { reply: { ...reply, state: 'SENDING', failure: null } })
      const sent = retrying.mutateAsync({ params: paramsOf(replyId) }).then(
        // the watch says that it failed again, and why
        ({ state, message }) => (state === 'FAILED' || state === 'UNCONFIRMED' ? {} : { message }),
        (error: unknown) => {
          watchOf().forget(replyId)
          throw error
        },
      )
      void run(of, sent)
    },
    edit: (of: Which, replyId: string, text: string) =>
      run(of, editing.mutateAsync({ params: paramsOf(replyId), body: { text } })),
    remove: (of: Which, replyId: string) => run(of, removing.mutateAsync({ params: paramsOf(replyId) })),
    confirm: (of: Which, replyId: string, sent: boolean) =>
      run(of, confirming.mutateAsync({ params: paramsOf(replyId), body: { sent } })),
    react: (of: Which, { itemId }: InboxItem, reaction: ReactionKind | null): void => {
      show(of, itemId, { reaction })
      const params = { ...ids, conversationId: of.conversationId }
      void run(of, reacting.mutateAsync({ params, body: { itemId, reaction } }))
    },
    hide: (of: Which, item: InboxItem, hidden: boolean): void => hide(of, item, hidden),
    /** Publishes what the platform holds for review. */
    approve: (of: Which, item: InboxItem): void => hide(of, item, false, 'Approved'),
    deleteItem: (of: Which, itemId: string) =>
      run(of, deleting.mutateAsync({ params: { ...ids, conversationId: of.conversationId, itemId } })),
  }
}
export type Replies = ReturnType<typeof useReplies>

/** Shows a change of an item before the server has confirmed it. */
function showItem(queries: QueryClient, of: Which, itemId: string, change: Partial<InboxItem>): void {
  queries.setQueriesData<ReplyOf<typeof getConversation>>({ queryKey: [getConversation.path] }, (open) =>
    open?.conversation.conversationId === of.conversationId
      ? { ...open, items: open.items.map((item) => (item.itemId === itemId ? { ...item, ...change } : item)) }
      : open,
  )
}
