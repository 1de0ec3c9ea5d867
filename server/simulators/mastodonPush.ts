import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'
import { z } from 'zod'
import type { Route, SimulatedPost, World } from './world.ts'

/*
 * Web Push of a Mastodon server: one subscription for each token, sent to when its account is mentioned or answered
 * (app/workers/web/push_notification_worker.rb). With the switch `before 4.4` the server knows only the drafts of the
 * standard. A 4xx answer ends the subscription.
 */

const at = '*.simulated'
const Asked = z.object({
  subscription: z.object({
    endpoint: z.url(),
    keys: z.object({ p256dh: z.string(), auth: z.string() }),
    standard: z.boolean().default(false),
  }),
  data: z.object({ alerts: z.record(z.string(), z.boolean()) }),
})
type Subscription = z.infer<typeof Asked> & { id: string; account: string; host: string }

export function pushSubscriptions(
  world: World,
  isHeardBy: (world: World, account: string, post: SimulatedPost) => boolean,
): Route[] {
  const byToken = new Map<string, Subscription>()
  const server = createECDH('prime256v1')
  server.generateKeys()
  const serverKey = server.getPublicKey('base64url')
  const node = ({ id, subscription: { endpoint, standard }, data: { alerts } }: Subscription) => ({
    id,
    endpoint,
    standard,
    alerts,
    policy: 'all',
    server_key: serverKey,
  })

  world.onPublished = (post, now) => {
    for (const [token, one] of byToken)
      // a subscription ends with its token
      if (world.tokens.get(token)?.revoked === false && one.data.alerts.mention && isHeardBy(world, one.account, post))
        send(token, one, post, now)
  }

  function send(token: string, one: Subscription, post: SimulatedPost, now: number): void {
    const { endpoint, keys, standard } = one.subscription
    const text = JSON.stringify({
      access_token: token,
      preferred_locale: 'en',
      notification_id: `${post.id}0`,
      notification_type: 'mention',
      icon: world.account(post.account)?.picture,
      title: `${world.account(post.account)?.name} mentioned you`,
      body: post.text,
    })
    const signature = vapidToken(server.getPrivateKey(), server.getPublicKey(), {
      aud: new URL(endpoint).origin,
      exp: Math.floor(now / 1000) + 86_400,
      sub: `mailto:admin@${one.host}`,
    })
    const isStandard = standard && !world.switches.has('before 4.4')
    const message = isStandard ? encrypted(text, keys) : encryptedAsDraft(text, keys)
    world.outbox.push({
      url: endpoint,
      headers: {
        'content-type': 'application/octet-stream',
        ttl: '172800',
        urgency: 'normal',
        ...(isStandard
          ? { 'content-encoding': 'aes128gcm', authorization: `vapid t=${signature},k=${serverKey}` }
          : {
              'content-encoding': 'aesgcm',
              encryption: `salt=${message.salt.toString('base64url')}`,
              'crypto-key': `dh=${message.sender.toString('base64url')};p256ecdsa=${serverKey}`,
              authorization: `WebPush ${signature}`,
            }),
      },
      body: message.body,
      answered: (status) => {
        if (status >= 400 && status < 500 && status !== 408 && status !== 429) byToken.delete(token)
      },
    })
  }

  return [
    [
      `POST ${at}/api/v1/push/subscription`,
      (call) => {
        const token = world.who(call, 'push')
        const subscription = {
          ...Asked.parse(call.body.value),
          id: world.nextId(),
          account: token.account,
          host: call.url.host,
        }
        byToken.set(token.text, subscription)
        return { json: node(subscription) }
      },
    ],
    [
      `GET ${at}/api/v1/push/subscription`,
      (call) => {
        const found = byToken.get(world.who(call, 'push').text)
        return found ? { json: node(found) } : world.no('missing', '')
      },
    ],
    [
      `DELETE ${at}/api/v1/push/subscription`,
      (call) => {
        byToken.delete(world.who(call, 'push').text)
        return { json: {} }
      },
    ],
  ]
}

type Keys = { p256dh: string; auth: string }
type Message = { body: Buffer; salt: Buffer; sender: Buffer }

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8')
const hkdf = (key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

function agreed({ p256dh }: Keys): { shared: Buffer; sender: Buffer; receiver: Buffer } {
  const once = createECDH('prime256v1')
  const receiver = Buffer.from(p256dh, 'base64url')
  return { sender: once.generateKeys(), shared: once.computeSecret(receiver), receiver }
}

function aes(text: Buffer, key: Buffer, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** RFC 8291. */
function encrypted(text: string, keys: Keys): Message {
  const { shared, sender, receiver } = agreed(keys)
  const salt = randomBytes(16)
  const secret = hkdf(
    shared,
    Buffer.from(keys.auth, 'base64url'),
    Buffer.concat([utf8('WebPush: info\0'), receiver, sender]),
    32,
  )
  const key = hkdf(secret, salt, utf8('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(secret, salt, utf8('Content-Encoding: nonce\0'), 12)
  const head = Buffer.alloc(21)
  salt.copy(head)
  head.writeUInt32BE(4096, 16)
  head.writeUInt8(sender.length, 20)
  const body = Buffer.concat([head, sender, aes(Buffer.concat([utf8(text), Buffer.from([2, 0, 0])]), key, nonce)])
  return { body, salt, sender }
}

/** draft-ietf-webpush-encryption-04. */
function encryptedAsDraft(text: string, keys: Keys): Message {
  const { shared, sender, receiver } = agreed(keys)
  const salt = randomBytes(16)
  const secret = hkdf(shared, Buffer.from(keys.auth, 'base64url'), utf8('Content-Encoding: auth\0'), 32)
  const length = Buffer.from([0, 65])
  const context = Buffer.concat([utf8('P-256\0'), length, receiver, length, sender])
  const derive = (name: string, size: number) =>
    hkdf(secret, salt, Buffer.concat([utf8(`Content-Encoding: ${name}\0`), context]), size)
  const body = aes(Buffer.concat([Buffer.from([0, 3, 0, 0, 0]), utf8(text)]), derive('aesgcm', 16), derive('nonce', 12))
  return { body, salt, sender }
}

/** RFC 8292. */
function vapidToken(privateKey: Buffer, point: Buffer, claims: object): string {
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: privateKey.toString('base64url'),
    },
  })
  const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${sign('sha256', utf8(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
