import type { QueryClient } from '@tanstack/react-query'
import { getConversation, listConversations } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { ConversationRow, HeldConversations } from './heldConversations.ts'

/** What people change about a conversation, as its row has it. */
export type Shown = Partial<
  Pick<ConversationRow, 'status' | 'followUpOn' | 'sentiment' | 'unread' | 'version' | 'assignee' | 'labels'>
>

/**
 * Changes that are shown while they're being sent. An answer that was asked for before the server had them, or that an
 * event brought meanwhile, doesn't take them back.
 */
export function createShownChanges(queries: QueryClient) {
  const underWay = new Set<{ conversationId: string; change: Shown }>()
  let isShowing = false
  const showAll = () => {
    isShowing = true
    for (const { conversationId, change } of underWay) show(queries, conversationId, change)
    isShowing = false
  }
  return {
    /** Shows a change; the result is called once it was confirmed or refused, before the truth is read. */
    begin(conversationId: string, change: Shown): () => void {
      const one = { conversationId, change }
      underWay.add(one)
      showAll()
      return () => void underWay.delete(one)
    },
    /** Shows the changes again in whatever arrives, until the result is called. */
    watch: (): (() => void) =>
      queries.getQueryCache().subscribe((event) => {
        const isAnswer = event.type === 'updated' && event.action.type === 'success'
        if (isAnswer && !isShowing && paths.has(event.query.queryKey[0])) showAll()
      }),
  }
}

const paths = new Set<unknown>([listConversations.path, getConversation.path])

/** Shows a change in the lists and the open conversation before the server has confirmed it. */
export function show(queries: QueryClient, conversationId: string, change: Shown): void {
  queries.setQueriesData<HeldConversations>({ queryKey: [listConversations.path] }, (held) =>
    held
      ? {
          ...held,
          rows: held.rows.map((row) => (row.conversationId === conversationId ? { ...row, ...change } : row)),
        }
      : held,
  )
  queries.setQueriesData<ReplyOf<typeof getConversation>>({ queryKey: [getConversation.path] }, (open) =>
    open?.conversation.conversationId === conversationId ? withNames(open, change) : open,
  )
}

/** The conversation with the change, what it names added to the names beside it. */
function withNames<O extends ReplyOf<typeof getConversation>>(open: O, { assignee, labels, ...plain }: Shown): O {
  const members = assignee ? [...open.members, assignee] : open.members
  const named = labels ? [...open.labels, ...labels] : open.labels
  return {
    ...open,
    members,
    labels: named,
    conversation: {
      ...open.conversation,
      ...plain,
      ...(assignee === undefined ? {} : { assignee: assignee && members.length - 1 }),
      ...(labels ? { labels: labels.map((_, place) => open.labels.length + place) } : {}),
    },
  }
}
