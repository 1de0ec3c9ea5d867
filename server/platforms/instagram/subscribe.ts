import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { InboxPush } from '../inbox.ts'
import type { Reach, Refusal } from '../platform.ts'
import { change, read, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { Success, type InstagramSecret } from './schemas.ts'

/*
 * Being notified of what is written to an account. By Facebook's sign-in the fields are chosen in the app's settings, and
 * the app has to be installed on the account's Page by any field of Pages (Instagram Platform, webhooks).
 */

const COMMENTS = ['comments', 'live_comments', 'mentions']
const MESSAGES = ['messages', 'message_edit']
const step = { doing: 'show-inbox', irreversible: false } as const

export const subscribe: InboxPush['subscribe'] = withSecret(async (reach, own) => {
  const isByFacebook = own.login === 'facebook'
  if (isByFacebook && !own.scopes.includes('pages_manage_metadata')) return notAllowed
  if (isByFacebook && (await isInstalled(reach, own))) return { kind: 'subscribed' }
  const fields = isByFacebook
    ? ['feed']
    : [...COMMENTS, ...(own.scopes.includes('instagram_business_manage_messages') ? MESSAGES : [])]
  const done = await change(reach, own, {
    path: '/me/subscribed_apps',
    method: 'POST',
    form: { subscribed_fields: fields.join(',') },
    reply: Success,
    timeoutMs: READ_TIMEOUT_MS,
  })
  return done.kind === 'ok' ? { kind: 'subscribed' } : refusalOf(done, step)
})

/** Another subscription would replace the Page's, which has more fields when it's a channel itself. */
async function isInstalled(reach: Reach, own: InstagramSecret): Promise<boolean> {
  const found = await read(reach, own, '/me/subscribed_apps', {}, Installed)
  return found.kind === 'ok' && found.value.data.length > 0
}
const Installed = z.object({ data: z.array(z.unknown()) })

/** A Page's subscription stays: the Page may be a channel itself. */
export const unsubscribe: InboxPush['unsubscribe'] = withSecret(async (reach, own) => {
  if (own.login === 'facebook') return { kind: 'unsubscribed' }
  const done = await change(reach, own, {
    path: '/me/subscribed_apps',
    method: 'DELETE',
    reply: Success,
    timeoutMs: READ_TIMEOUT_MS,
  })
  return done.kind === 'ok' ? { kind: 'unsubscribed' } : refusalOf(done, step)
})

const notAllowed: Refusal = {
  kind: 'rejected',
  reason: { ...because('inbox-permission-missing', { platform: LABEL }), platformCode: 'pages_manage_metadata' },
}
