import { z } from 'zod'
import { everybody, endpoint } from '../endpoint.ts'
import { Id } from '../common.ts'
import { PlatformKey } from '../platforms/rules.ts'

/** The app by whose client ID a platform knows us: its secret signs what comes. */
const params = z.object({ platform: PlatformKey, clientId: z.string().min(1).max(200) })
const path = '/api/public/inbox/:platform/:clientId'
/**
 * The same at the address of an organization's own app. Client IDs are no secret, so others may have entered this one with a
 * secret of their own: the address says whose secret answers the platform's check of it.
 */
const ownParams = params.extend({ owner: Id })
const ownPath = `${path}/:owner` as const

export const inboxDelivery = endpoint({
  method: 'POST',
  path,
  summary:
    "Receive a platform's signed notifications about comments and messages. Whom they're about is stored and processed later",
  access: everybody,
  cost: 'light',
  changes: ['conversation'],
  params,
  // as it came: the signature is of its bytes
  body: z.string(),
  rawBody: 'text',
  // a batch of Meta's may be large; what is larger is found by the next reading
  bodyLimit: 256_000,
  reply: z.object({}),
  errors: ['NOT_FOUND', 'SIGNATURE_REFUSED', 'TOO_MANY_REQUESTS'],
  audit: { none: 'what people write on a platform is no action of a member' },
})
export const ownInboxDelivery = endpoint({
  ...inboxDelivery,
  path: ownPath,
  summary: "Receive a platform's signed notifications at the URL of an organization's own app",
  params: ownParams,
})
/** What a server encrypted for a key of ours, at the address that only this server knows (RFC 8030). */
export const inboxPush = endpoint({
  method: 'POST',
  path: '/api/public/inbox/:platform/push/:address',
  summary: "Receive a server's encrypted notification (Web Push) that something was written to an account",
  access: everybody,
  cost: 'light',
  changes: ['conversation'],
  params: z.object({ platform: PlatformKey, address: z.string().min(1).max(100) }),
  // 4 kB is what a message may have (RFC 8030, section 7.2), and its encryption adds some
  body: z.string().max(12_000),
  rawBody: 'base64',
  bodyLimit: 8_000,
  reply: z.object({}),
  errors: ['NOT_FOUND', 'SIGNATURE_REFUSED'],
  audit: { none: 'what people write on a platform is no action of a member' },
})
export const requestDataDeletion = endpoint({
  method: 'POST',
  path: `${path}/data-deletion`,
  summary: "Receive a platform's signed request to delete a person's data",
  access: everybody,
  cost: 'light',
  changes: ['conversation'],
  params,
  // a form, as it came: what is in it is signed
  body: z.string(),
  rawBody: 'text',
  bodyLimit: 10_000,
  reply: z.object({ url: z.url(), confirmation_code: z.string() }),
  errors: ['NOT_FOUND', 'SIGNATURE_REFUSED', 'RATE_LIMITED', 'BAD_INPUT'],
  audit: { none: 'asked by someone who is no member, and answered for every organization at once' },
})
export const dataDeletionStatus = endpoint({
  method: 'GET',
  path: '/api/public/data-deletion/:code',
  summary: 'Tell a person what became of their request to delete their data, as plain text',
  access: everybody,
  cost: 'light',
  reads: [],
  params: z.object({ code: z.string().regex(/^[\da-f]{24}$/) }),
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
/** In the platform's words, as it wants the answer. */
export const inboxChallenge = endpoint({
  method: 'GET',
  path,
  summary: "Answer a platform's verification of the webhook URL",
  access: everybody,
  cost: 'light',
  reads: [],
  params,
  query: z.object({
    'hub.mode': z.string().max(100).optional(),
    'hub.challenge': z.string().max(1000).optional(),
    'hub.verify_token': z.string().max(200).optional(),
    challengeCode: z.string().max(1000).optional(),
    applicationId: z.string().max(200).optional(),
  }),
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
export const ownInboxChallenge = endpoint({
  ...inboxChallenge,
  path: ownPath,
  summary: "Answer a platform's verification of the webhook URL of an organization's own app",
  params: ownParams,
})
