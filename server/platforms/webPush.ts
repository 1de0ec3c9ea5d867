import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { z } from 'zod'
import { jsonIn } from './wire.ts'

/*
 * Web Push as the receiver sees it: messages that a server sends to an address of ours (RFC 8030), encrypted for a key of ours
 * (RFC 8291, and the earlier draft that Mastodon sends unless it's asked otherwise), and signed with the server's own key (RFC 8292).
 */

/** Ours, as the sender needs them and as they're kept. Base64url. */
export const PushKeys = z.object({ privateKey: z.string(), publicKey: z.string(), auth: z.string() })
export type PushKeys = z.infer<typeof PushKeys>

/** A message as it came, without the address. */
export type PushMessage = { headers: Readonly<Partial<Record<string, string>>>; body: Uint8Array }

const CURVE = 'prime256v1'
/** An uncompressed point. */
const POINT_BYTES = 65
const TAG_BYTES = 16

export function createPushKeys(): PushKeys {
  const ecdh = createECDH(CURVE)
  ecdh.generateKeys()
  return {
    privateKey: ecdh.getPrivateKey('base64url'),
    publicKey: ecdh.getPublicKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
}

/**
 * The text of a message. Undefined if it wasn't encrypted for these keys, which only the server that we gave them to can do.
 */
export function openPush(keys: PushKeys, message: PushMessage): string | undefined {
  try {
    const plain =
      message.headers['content-encoding'] === 'aesgcm' ? openDraft(keys, message) : openStandard(keys, message)
    return plain.toString('utf8')
  } catch {
    // whatever is wrong with a stranger's bytes: they're no message for us
    return undefined
  }
}

/** RFC 8291 with the content coding aes128gcm (RFC 8188): everything is in the body. One record, as RFC 8291 requires. */
function openStandard(keys: PushKeys, { body }: PushMessage): Buffer {
  const bytes = Buffer.from(body)
  const salt = bytes.subarray(0, 16)
  const recordSize = bytes.readUInt32BE(16)
  const sender = bytes.subarray(21, 21 + bytes.readUInt8(20))
  const record = bytes.subarray(21 + sender.length)
  if (sender.length !== POINT_BYTES || record.length > recordSize) throw new Error('not a single record')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(keys.publicKey, 'base64url'), sender])
  const secret = derived(sharedSecret(keys, sender), Buffer.from(keys.auth, 'base64url'), info, 32)
  const padded = decrypted(
    record,
    derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  )
  // the text, the mark of the last record, and zeros
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('no end')
  return padded.subarray(0, end)
}

/** draft-ietf-webpush-encryption-04 with the content coding aesgcm: salt and sender's key are in headers. */
function openDraft(keys: PushKeys, { headers, body }: PushMessage): Buffer {
  const salt = Buffer.from(parameter(headers['encryption'], 'salt'), 'base64url')
  const sender = Buffer.from(parameter(headers['crypto-key'], 'dh'), 'base64url')
  if (salt.length !== 16 || sender.length !== POINT_BYTES) throw new Error('no salt or key')
  const auth = Buffer.from(keys.auth, 'base64url')
  const secret = derived(sharedSecret(keys, sender), auth, Buffer.from('Content-Encoding: auth\0'), 32)
  const context = Buffer.concat([
    Buffer.from('P-256\0'),
    ...[Buffer.from(keys.publicKey, 'base64url'), sender].flatMap((key) => [Buffer.from([0, key.length]), key]),
  ])
  const derive = (name: string, length: number) =>
    derived(secret, salt, Buffer.concat([Buffer.from(`Content-Encoding: ${name}\0`), context]), length)
  const padded = decrypted(Buffer.from(body), derive('aesgcm', 16), derive('nonce', 12))
  return padded.subarray(2 + padded.readUInt16BE(0))
}

function sharedSecret({ privateKey }: PushKeys, sender: Buffer): Buffer {
  const ecdh = createECDH(CURVE)
  ecdh.setPrivateKey(privateKey, 'base64url')
  // throws for a point that isn't on the curve
  return ecdh.computeSecret(sender)
}

const derived = (key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

function decrypted(record: Buffer, key: Buffer, nonce: Buffer): Buffer {
  const cipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAuthTag(record.subarray(-TAG_BYTES))
  return Buffer.concat([cipher.update(record.subarray(0, -TAG_BYTES)), cipher.final()])
}

/** A parameter of a header such as `dh=…;p256ecdsa=…`; empty if it isn't there. */
const parameter = (header: string | undefined, name: string): string =>
  (header ?? '')
    .split(/[;,]/)
    .map((part) => /^\s*([\w-]+)="?([\w=-]+)"?\s*$/.exec(part))
    .find((found) => found?.[1] === name)?.[2] ?? ''

const Claims = z.object({ aud: z.string(), exp: z.number() })
/** A token is valid for a day at most (RFC 8292, section 2). */
const LONGEST_SECONDS = 86_400
/** What the clocks of two servers may differ. */
const SKEW_SECONDS = 300

/**
 * What the message says about its sender: `signed` with this key (base64url) for this origin at this time, `unsigned`, or `forged`.
 */
export function senderOf(
  { headers }: Pick<PushMessage, 'headers'>,
  { serverKey, origin, now }: { serverKey: string; origin: string; now: Date },
): 'signed' | 'unsigned' | 'forged' {
  const { authorization = '' } = headers
  const [, scheme = '', rest = ''] = /^(vapid|WebPush)\s+(.+)$/i.exec(authorization) ?? []
  if (scheme === '') return 'unsigned'
  const isStandard = scheme.toLowerCase() === 'vapid'
  const token = isStandard ? (/(?:^|,)\s*t=([\w.-]+)/.exec(rest)?.[1] ?? '') : rest
  const key = isStandard
    ? (/(?:^|,)\s*k=([\w=-]+)/.exec(rest)?.[1] ?? '')
    : parameter(headers['crypto-key'], 'p256ecdsa')
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  if (!point.equals(Buffer.from(serverKey, 'base64url')) || point.length !== POINT_BYTES) return 'forged'
  const claimed = Claims.safeParse(jsonIn(Buffer.from(claims, 'base64url').toString('utf8'))).data
  const left = (claimed?.exp ?? 0) - now.getTime() / 1000
  if (claimed?.aud !== origin || left < -SKEW_SECONDS || left > LONGEST_SECONDS + SKEW_SECONDS) return 'forged'
  return isSigned(point, `${header}.${claims}`, Buffer.from(signature, 'base64url')) ? 'signed' : 'forged'
}

function isSigned(point: Buffer, text: string, signature: Buffer): boolean {
  try {
    const key = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      },
    })
    return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    // no point on the curve
    return false
  }
}
