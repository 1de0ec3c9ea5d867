import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { InboxPush } from './inbox.ts'
import { kindOf, readEach } from './pushed.ts'
import { isSameSecret } from './sameSecret.ts'
import { jsonIn } from './wire.ts'

/*
 * Meta's webhooks (Graph API, Webhooks, Getting Started): a check of the address with a word of ours, then batches of
 * entries, each of one account, signed by the app's secret.
 */

const Payload = z.object({ entry: z.array(z.unknown()) })
const Entry = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  changes: z.array(z.unknown()).default([]),
  messaging: z.array(z.unknown()).default([]),
})
const Change = z.object({ field: z.string() })

const Deletion = z.object({ user_id: z.union([z.string().regex(/^[\w.:-]{1,200}$/), z.int()]).transform(String) })

/**
 * Whose data is to be deleted: the signature and the payload in base64url, joined by a dot (Data Deletion Request Callback).
 * Ids of Meta's are digits; what no id can contain names nobody.
 */
function deletionOf(body: string, clientSecret: string): { userId: string | null } | null {
  const [signature = '', payload = ''] = (new URLSearchParams(body).get('signed_request') ?? '').split('.')
  const expected = createHmac('sha256', clientSecret).update(payload).digest('base64url')
  if (payload === '' || !isSameSecret(signature.replace(/=+$/, ''), expected)) return null
  const { data } = Deletion.safeParse(jsonIn(Buffer.from(payload, 'base64url').toString('utf8')))
  return { userId: data?.user_id ?? null }
}

/** `fields` names which kind of conversation a field of the subscription is about. */
export const graphPush = (
  fields: Partial<Record<string, ConversationKind>>,
  subscriptions: Pick<InboxPush, 'subscribe' | 'unsubscribe'> = {},
): InboxPush => ({
  ...subscriptions,
  asksForToken: true,
  deletionOf,
  challenge: (query, { verifyToken }) =>
    query['hub.mode'] === 'subscribe' && isSameSecret(query['hub.verify_token'] ?? '', verifyToken)
      ? { text: query['hub.challenge'] ?? '', contentType: 'text/plain; charset=utf-8' }
      : null,
  isSigned: (headers, raw, clientSecret) =>
    isSameSecret(
      headers['x-hub-signature-256'] ?? '',
      `sha256=${createHmac('sha256', clientSecret).update(raw).digest('hex')}`,
    ),
  parse: (raw) =>
    readEach(Payload.parse(JSON.parse(raw)).entry, Entry).map(({ id, changes, messaging }) => ({
      accountRemoteId: id,
      kinds: [
        ...new Set([
          ...readEach(changes, Change).flatMap(({ field }) => kindOf(fields, field)),
          ...(messaging.length > 0 ? (['message'] as const) : []),
        ]),
      ],
    })),
})
