import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { answeringConversation } from '#contract/inbox/actions.ts'
import { PRESENCE_SECONDS, type Editor } from '#contract/presence.ts'
import { call } from '#web/lib/client.ts'
import { useProjectIds } from '#web/lib/project.ts'

const nobody: readonly Editor[] = []

/**
 * Who else is writing an answer, and a way to say that you are: from `begin` until `end`, until you come back to this page
 * from the platform's, or leave the conversation. `known` are those that the conversation was opened with.
 */
export function useAnswering(
  conversationId: string,
  known: readonly Editor[],
): {
  others: readonly Editor[]
  begin: () => void
  end: () => void
} {
  const { orgId, projectId } = useProjectIds()
  const [answering, setAnswering] = useState(false)
  const params = { orgId, projectId, conversationId }
  const presence = useQuery({
    queryKey: [answeringConversation.path, params, { answering }] as const,
    queryFn: ({ signal }) => call(answeringConversation, { params, body: { answering }, signal }),
    // until the server has answered what is said now, what it said before counts: someone may be answering
    placeholderData: (before: { answering: Editor[] } | undefined, of) =>
      of?.queryKey[1].conversationId === conversationId ? before : { answering: [...known] },
    // what is said lapses; live events bring what others say
    refetchInterval: answering ? (PRESENCE_SECONDS / 2) * 1000 : false,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    // not knowing who else answers is no failure of reading
    meta: { handles: true, reads: answeringConversation.reads },
  })
  useEffect(() => {
    if (!answering) return undefined
    const back = () => {
      if (document.visibilityState === 'visible') setAnswering(false)
    }
    document.addEventListener('visibilitychange', back)
    return () => {
      document.removeEventListener('visibilitychange', back)
      call(answeringConversation, { params: { orgId, projectId, conversationId }, body: { answering: false } }).catch(
        () => undefined,
      )
    }
  }, [answering, orgId, projectId, conversationId])
  return { others: presence.data?.answering ?? nobody, begin: () => setAnswering(true), end: () => setAnswering(false) }
}
