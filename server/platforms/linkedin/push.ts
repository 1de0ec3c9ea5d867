import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { InboxPush } from '../inbox.ts'
import { kindOf, readEach } from '../pushed.ts'
import { isSameSecret } from '../sameSecret.ts'

/*
 * LinkedIn's webhooks for social actions on a Page (Marketing, Organization Social Action Notifications). The address is
 * checked every two hours, and an answer is wanted within three seconds.
 */

const signatureOf = (text: string, clientSecret: string): string =>
  createHmac('sha256', clientSecret).update(text).digest('hex')

/**
 * What LinkedIn sends to check an address: a UUID (Marketing, Webhooks, Webhook Validation: "Randomly generated type-4 UUID
 * string", https://learn.microsoft.com/linkedin/shared/api-guide/webhook-validation). The answer is signed with the same
 * secret and function as notifications are, and anyone may ask for it: so nothing else is signed, least of all a text
 * that begins like what notifications are signed over.
 */
const CHALLENGE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const kinds: Partial<Record<string, ConversationKind>> = {
  COMMENT: 'comment',
  ADMIN_COMMENT: 'comment',
  COMMENT_EDIT: 'comment',
  COMMENT_DELETE: 'comment',
  SHARE_MENTION: 'mention',
}

const Payload = z.object({ notifications: z.array(z.unknown()).default([]) })
const Notification = z.object({ organizationalEntity: z.string(), action: z.string() })

export const push: InboxPush = {
  challenge: ({ challengeCode }, { clientSecret }) =>
    challengeCode !== undefined && CHALLENGE.test(challengeCode)
      ? {
          text: JSON.stringify({ challengeCode, challengeResponse: signatureOf(challengeCode, clientSecret) }),
          contentType: 'application/json',
        }
      : null,
  isSigned: (headers, raw, clientSecret) =>
    isSameSecret(headers['x-li-signature'] ?? '', signatureOf(`hmacsha256=${raw}`, clientSecret)),
  parse: (raw) =>
    readEach(Payload.parse(JSON.parse(raw)).notifications, Notification).map(({ organizationalEntity, action }) => ({
      accountRemoteId: organizationalEntity,
      kinds: kindOf(kinds, action),
    })),
}
