import { useEffect, useEffectEvent } from 'react'
import { refreshConversation } from '#contract/inbox/actions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'

/**
 * Has a conversation read again whose texts couldn't be kept, once while it's open. They arrive with a live event; without them,
 * the conversation says why they're missing.
 */
export function useRefresh(conversationId: string, isExpired: boolean): void {
  const ids = useProjectIds()
  const { mutate } = useSend(refreshConversation, { refreshes: [], handles: true })
  const expired = isExpired ? conversationId : undefined
  const refresh = useEffectEvent((id: string) => mutate({ params: { ...ids, conversationId: id } }))
  useEffect(() => {
    if (expired !== undefined) refresh(expired)
  }, [expired])
}
