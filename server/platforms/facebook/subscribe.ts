import { because } from '#contract/failures/catalog.ts'
import type { InboxPush } from '../inbox.ts'
import type { Refusal } from '../platform.ts'
import { change, READ_TIMEOUT_MS, refusalOf, withSecret } from './client.ts'
import { Success } from './schemas.ts'

/* Being notified of what is written to a Page: the app is installed on it (Page, subscribed_apps). */

const MESSAGES = ['messages', 'message_echoes', 'message_edits', 'message_reactions']

export const subscribe: InboxPush['subscribe'] = withSecret(async (reach, own) => {
  if (!own.scopes.includes('pages_manage_metadata')) return notAllowed
  const fields = ['feed', 'mention', ...(own.scopes.includes('pages_messaging') ? MESSAGES : [])]
  const done = await change(reach, own, {
    path: `/${own.pageId}/subscribed_apps`,
    method: 'POST',
    form: { subscribed_fields: fields.join(',') },
    reply: Success,
    timeoutMs: READ_TIMEOUT_MS,
  })
  return done.kind === 'ok' ? { kind: 'subscribed' } : refusalOf(done, 'show-inbox')
})

/** What was never allowed was never begun. */
export const unsubscribe: InboxPush['unsubscribe'] = withSecret(async (reach, own) => {
  if (!own.scopes.includes('pages_manage_metadata')) return { kind: 'unsubscribed' }
  const done = await change(reach, own, {
    path: `/${own.pageId}/subscribed_apps`,
    method: 'DELETE',
    reply: Success,
    timeoutMs: READ_TIMEOUT_MS,
  })
  return done.kind === 'ok' ? { kind: 'unsubscribed' } : refusalOf(done, 'show-inbox')
})

const notAllowed: Refusal = {
  kind: 'rejected',
  reason: { ...because('inbox-permission-missing', { platform: 'Facebook' }), platformCode: 'pages_manage_metadata' },
}
