import type { Action } from '#contract/permissions.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { errorCatalog } from '#contract/errors.ts'
import type { getConversation } from '#contract/inbox/conversations.ts'
import { canBeDone, inboxRules, whyNotDone, type InboxAction } from '#contract/platforms/inboxRegistry.ts'
import { replyFiles } from '#contract/platforms/replyFiles.ts'
import { limitsOf } from '../access/channels.ts'
import { mayOn, type InboxReader } from './access.ts'
import { answerUntil, byPersonFrom } from './answering.ts'
import type { ConversationRow } from './present.ts'
import { replyLimit } from './replyLimit.ts'

type Of = Pick<ConversationRow, 'kind' | 'platform' | 'last_received_at'> & {
  channel_status: string
  /** The account's own limits. */
  limits: unknown
}

const WINDOW_OVER = "The platform doesn't accept a reply this long after the last message."
const SIGNED_OUT = 'The channel is signed out of the platform. Reconnect it first.'

/**
 * What the caller can do with the conversation now: by the platform, their role, the channel's sign-in, the answering
 * window, and `noFurther`, why the platform takes no further answer.
 */
export function possibilities(
  { project, now }: InboxReader,
  row: Of,
  noFurther: string | null,
): ReplyOf<typeof getConversation>['can'] {
  const { platform, kind, last_received_at: receivedAt } = row
  const reply = inboxRules[platform].kinds[kind]?.reply
  const limit = reply && replyLimit(platform, reply, limitsOf(row))
  const until = answerUntil(platform, kind, receivedAt)
  const possible = (what: InboxAction, action: Action, closed: string | null = null) => {
    if (!canBeDone(platform, kind, what)) return { possible: false, reason: whyNotDone(platform, kind, what) }
    const reason = !mayOn(project, kind, action)
      ? errorCatalog.FORBIDDEN.detail
      : row.channel_status !== 'CONNECTED'
        ? SIGNED_OUT
        : closed
    return { possible: reason === null, reason }
  }
  return {
    reply: {
      ...possible('reply', 'create', until !== null && until <= now ? WINDOW_OVER : noFurther),
      most: limit?.max ?? null,
      addressLength: limit?.addressLength ?? null,
      unit: limit?.unit ?? null,
      pictures: replyFiles(platform, kind, limitsOf(row))?.rules.images.most ?? 0,
      limits: limitsOf(row),
      asPersonFrom: byPersonFrom(platform, kind, receivedAt)?.toISOString() ?? null,
      price: reply?.price ?? null,
    },
    react: possible('react', 'edit'),
    hide: possible('hide', 'edit'),
    delete: possible('delete', 'delete'),
  }
}
