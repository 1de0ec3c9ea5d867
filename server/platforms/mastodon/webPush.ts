import { because } from '#contract/failures/catalog.ts'
import type { InboxWebPush } from '../inbox.ts'
import { jsonIn } from '../wire.ts'
import { PUSH_SCOPE } from './app.ts'
import { call, hostOf, refused, withSecret } from './client.ts'
import { inbox } from './inbox.ts'
import { isGone } from './refusals.ts'
import { Anything, Pushed, PushSubscription } from './schemas.ts'

/*
 * A server has one subscription for each token, and gives an app one token for an account: subscribing again replaces the
 * subscription (methods/push; app/controllers/api/v1/push/subscriptions_controller.rb). `standard` asks for RFC 8291, which
 * servers before 4.4 don't know: they send the draft.
 */

const subscribe: InboxWebPush['subscribe'] = withSecret(async (reach, own, _account, target) => {
  if (!own.scopes.includes(PUSH_SCOPE))
    return {
      kind: 'reconnect',
      reason: because('mastodon-permission-missing', { host: hostOf(own), doing: 'send-notifications' }),
    }
  const made = await call(reach, own, {
    path: '/api/v1/push/subscription',
    method: 'POST',
    json: {
      subscription: {
        endpoint: target.endpoint,
        keys: { p256dh: target.publicKey, auth: target.auth },
        standard: true,
      },
      data: { alerts: { mention: true, quote: true }, policy: 'all' },
    },
    reply: PushSubscription,
  })
  return made.kind === 'ok'
    ? { kind: 'subscribed', serverKey: made.value.server_key }
    : refused(made, own, 'send-notifications')
})

const unsubscribe: InboxWebPush['unsubscribe'] = withSecret(async (reach, own) => {
  if (!own.scopes.includes(PUSH_SCOPE)) return { kind: 'unsubscribed' }
  const ended = await call(reach, own, { path: '/api/v1/push/subscription', method: 'DELETE', reply: Anything })
  return ended.kind === 'ok' || isGone(ended) ? { kind: 'unsubscribed' } : refused(ended, own, 'send-notifications')
})

const TOLD = new Set(['mention', 'quote'])

export const webPush: InboxWebPush = {
  subscribe,
  unsubscribe,
  kindsOf: (text) => (TOLD.has(Pushed.safeParse(jsonIn(text)).data?.notification_type ?? '') ? inbox.reads.flat() : []),
}
