import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { OutgoingReply } from './inbox.ts'
import { isGone, type GraphFailed } from './graph.ts'
import type { Conversation } from './graphMessages.ts'
import type { Refusal } from './calls.ts'
import type { ListPage } from './lookBack.ts'

/* Messages of Messenger and Instagram (Send API), which both send by the same call. */

/** The window that is over, as Messenger and Instagram say it (Send API, error codes). */
const WINDOW_OVER = new Set([2_018_278, 2_018_065, 2_534_022])
/** Nobody of this id ever wrote, or nobody can write to this person any more. */
const UNAVAILABLE = new Set([2_018_001, 1_545_041, 2_534_014])
const PERSON_UNAVAILABLE = 551

/** What a reply that failed means, in the words of replies where they say more. */
export function refusalOfReply(failed: GraphFailed, platform: string, refusal: Refusal): Refusal {
  if (failed.cause !== 'answered' || refusal.kind !== 'rejected') return refusal
  const { platformCode } = refusal.reason
  const rejected = (reason: Refusal['reason']): Refusal => ({
    kind: 'rejected',
    reason: { ...reason, ...(platformCode !== undefined && { platformCode }) },
  })
  if (WINDOW_OVER.has(failed.subcode)) return rejected(because('meta-window-over', { platform }))
  if (UNAVAILABLE.has(failed.subcode) || failed.code === PERSON_UNAVAILABLE)
    return rejected(because('meta-person-unavailable', { platform }))
  return isGone(failed) ? rejected(because('inbox-item-gone', { platform })) : refusal
}

/** `human_agent` is what only a person's own words may use, for 7 days. */
export const messageForm = ({ counterpart, threadKey, text, window }: OutgoingReply): Record<string, string> => ({
  recipient: JSON.stringify({ id: counterpart?.remoteId ?? threadKey }),
  message: JSON.stringify({ text }),
  ...(window === 'human_agent'
    ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }
    : { messaging_type: 'RESPONSE' }),
})

/** One reaction is all that both have. */
export const reactionForm = (item: { remoteId: string; threadKey: string }, isOn: boolean): Record<string, string> => ({
  recipient: JSON.stringify({ id: item.threadKey }),
  sender_action: isOn ? 'react' : 'unreact',
  payload: JSON.stringify({ message_id: item.remoteId, ...(isOn && { reaction: 'love' }) }),
})

export const SentMessage = z.object({ message_id: z.string().min(1) })
export const Reacted = z.object({ recipient_id: z.string().catch('') })

type Said = { id: string; at: Date | null; text: string; isOurs: boolean }

/** The messages of the one conversation with someone, to look for a reply among them. */
export function messagesOf(
  conversations: readonly Conversation[],
  isUs: (who: { id: string; username: string }) => boolean,
): ListPage<Said> {
  const [conversation] = conversations
  if (!conversation) return { kind: 'page', items: [], next: null }
  const items = conversation.messages.data.map(({ id, created_time: at, from, message }) => ({
    id,
    at,
    text: message,
    isOurs: from !== null && isUs(from),
  }))
  return { kind: 'page', items, next: conversation.messages.paging.next }
}
