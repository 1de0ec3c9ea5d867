import { sentenceOf } from '#contract/failures/catalog.ts'
import type { getConversation, InboxItem } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { UnsentState } from '#contract/inbox/terms.ts'
import type { Change } from '#web/lib/cacheInvalidation.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { rowOf } from './heldConversations.ts'
import { nameOf } from './look.ts'

type Opened = ReplyOf<typeof getConversation>
/** One of the person's own replies, from the moment they sent it here. */
export type Watched = {
  replyId: string
  conversationId: string
  told?: UnsentState
  /** It was sent again, which is answered where the person is, the open conversation too. */
  again?: boolean
}
type Deps = {
  read: (conversationId: string) => Promise<Opened>
  /** Whether the person has the conversation open. */
  isOpen: (conversationId: string) => boolean
  tell: (words: string, reply: Watched) => void
}

/**
 * Watches replies that were sent from this page until they're done, whatever conversation or page is open by then, and tells
 * each failure once. A conversation that is open shows its failures itself, except for a reply that was sent again and looks
 * as before.
 */
export function createReplyWatch({ read, isOpen, tell }: Deps) {
  const watched = new Map<string, Watched>()
  const look = async (conversationId: string) => {
    const open = await read(conversationId)
    for (const reply of [...watched.values()].filter((one) => one.conversationId === conversationId)) {
      const { told, ends } = newsOf(reply, open)
      if (ends) watched.delete(reply.replyId)
      else if (told) watched.set(reply.replyId, { ...reply, told: told.state })
      if (told && (reply.again || !isOpen(conversationId))) tell(told.words, reply)
    }
  }
  return {
    watch: (reply: Watched): void => void watched.set(reply.replyId, reply),
    /** The server didn't take it. */
    forget: (replyId: string): void => void watched.delete(replyId),
    /** Looks at what happened to the replies in these conversations. */
    hear: async (changes: readonly Change[]): Promise<void> => {
      const named = changes.filter(({ kind }) => kind === 'conversation').map(({ ref }) => ref)
      const all = new Set([...watched.values()].map(({ conversationId }) => conversationId))
      const looked = [...all].filter((id) => named.includes(id) || named.includes(undefined))
      // unread ones are looked at with the next change; the author is notified as well
      await Promise.all(looked.map((id) => look(id).catch(() => undefined)))
    },
  }
}

/** What is new about a reply, and whether nothing more will come of it. */
function newsOf(
  { replyId, told }: Watched,
  open: Opened,
): { told?: { state: UnsentState; words: string }; ends: boolean } {
  const reply = open.items.find((item) => item.reply?.replyId === replyId)?.reply
  // it isn't stored yet, or under way
  if (!reply || reply.state === 'PENDING' || reply.state === 'SENDING') return { ends: false }
  const { state } = reply
  if (state !== 'FAILED' && state !== 'UNCONFIRMED') return { ends: true }
  // it may still be found
  const ends = state === 'FAILED'
  return told === state ? { ends } : { told: { state, words: troubleText(reply, open) }, ends }
}

function troubleText({ state, failure }: NonNullable<InboxItem['reply']>, open: Opened): string {
  const row = rowOf(open.conversation, open)
  if (state === 'UNCONFIRMED')
    return `We couldn't confirm that ${platformName(row.channel.platformName)} published your reply to ${nameOf(row)}.`
  return `Your reply to ${nameOf(row)} wasn't sent${failure ? `: ${sentenceOf(failure)}` : '.'}`
}
