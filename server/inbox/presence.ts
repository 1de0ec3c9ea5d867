import type { answeringConversation } from '#contract/inbox/actions.ts'
import type { Editor } from '#contract/presence.ts'
import type { Context } from '../http/route.ts'
import { notePresence, othersAt } from '../presence/presence.ts'
import { findConversation } from './access.ts'

/**
 * Notes that the caller is writing an answer, for 30 seconds, or has stopped. Answers who else is. Open screens are
 * notified when someone comes or goes. Throws NOT_FOUND.
 */
export async function sayAnswering(c: Context<typeof answeringConversation>): Promise<{ answering: Editor[] }> {
  const { id } = await findConversation(c, c.params.conversationId)
  const at = { kind: 'conversation', id } as const
  if (await notePresence(c, at, c.body.answering)) await c.emit({ kind: 'presence', ref: id })
  return { answering: await othersAt(c, at) }
}
