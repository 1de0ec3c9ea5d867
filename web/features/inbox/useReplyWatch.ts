import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouter, type AnyRouter } from '@tanstack/react-router'
import { getConversation } from '#contract/inbox/conversations.ts'
import { onChanges } from '#web/lib/cacheInvalidation.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { callOptions } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { INBOX } from './inboxSearch.ts'
import { createReplyWatch } from './replyWatch.ts'

type ReplyWatch = ReturnType<typeof createReplyWatch>
/** Of each project: they outlive the inbox's page, and hear of changes wherever the person is. */
const watches = new WeakMap<QueryClient, Map<string, ReplyWatch>>()

/** Tells, with the way there, when a reply fails whose conversation its author has left. */
export function useReplyWatch() {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const router: AnyRouter = useRouter()
  const isOpen = (conversationId: string): boolean => {
    const { pathname, search } = router.state.location
    return pathname.endsWith(`/project/${ids.projectId}/inbox`) && openIn(search) === conversationId
  }
  const openIt = (conversationId: string) =>
    void router.navigate({ to: INBOX, params: ids, search: { c: conversationId } })
  const watchOf = (): ReplyWatch => {
    const all = watches.get(queries) ?? new Map<string, ReplyWatch>()
    watches.set(queries, all)
    const known = all.get(ids.projectId)
    if (known) return known
    const watch = createReplyWatch({
      // one call together with the open conversation, which is read again for the same change
      read: (conversationId) =>
        queries.fetchQuery(
          callOptions(getConversation, { params: { ...ids, conversationId } }, { handles: true, staleTime: 0 }),
        ),
      isOpen,
      tell: (words, { replyId, conversationId }) =>
        toast.error(words, {
          id: `reply-${replyId}`,
          ...(isOpen(conversationId) ? {} : { action: { label: 'Open', onClick: () => openIt(conversationId) } }),
        }),
    })
    onChanges((changes) => void watch.hear(changes))
    all.set(ids.projectId, watch)
    return watch
  }
  return { isOpen, openIt, watchOf }
}

const openIn = (search: unknown): unknown =>
  typeof search === 'object' && search !== null ? Reflect.get(search, 'c') : undefined
