import { createECDH, createPrivateKey, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createPushKeys, openPush, senderOf, type PushKeys } from './webPush.ts'

/* Messages of Web Push, with the examples of the standard and of its draft. */

const bytes = (text: string) => Buffer.from(text, 'base64url')
// RFC 8291, section 5 and appendix A
const standard: PushKeys = {
  privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  publicKey: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const standardMessage = {
  headers: { 'content-encoding': 'aes128gcm' },
  body: bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  ),
}
// draft-ietf-webpush-encryption-04, section 5
const draft: PushKeys = {
  privateKey: '9FWl15_QUQAWDaD3k3l50ZBZQJ4au27F1V4F0uLSD_M',
  publicKey: 'BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU',
  auth: 'R29vIGdvbyBnJyBqb29iIQ',
}
const draftMessage = {
  headers: {
    'content-encoding': 'aesgcm',
    encryption: 'keyid="dhkey"; salt="lngarbyKfMoi9Z75xYXmkg"',
    'crypto-key':
      'keyid="dhkey"; dh="BNoRDbb84JGm8g5Z5CFxurSqsXWJ11ItfXEWYVLE85Y7CYkDjXsIEc4aqxYaQ1G8BqkXCJ6DPpDrWtdWj_mugHU"',
  },
  body: bytes('6nqAQUME8hNqw5J3kl8cpVVJylXKYqZOeseZG8UueKpA'),
}

describe('a message of Web Push', () => {
  it('opens with our keys, in the coding of the standard and of its draft', () => {
    expect(openPush(standard, standardMessage)).toBe('When I grow up, I want to be a watermelon')
    expect(openPush(draft, draftMessage)).toBe('I am the walrus')
  })

  it('opens with no other keys, and not once a byte was changed', () => {
    expect(openPush(createPushKeys(), standardMessage)).toBeUndefined()
    expect(openPush({ ...standard, auth: draft.auth }, standardMessage)).toBeUndefined()
    expect(openPush(createPushKeys(), draftMessage)).toBeUndefined()
    const changed = Buffer.from(standardMessage.body)
    changed[changed.length - 20] = (changed[changed.length - 20] ?? 0) ^ 1
    expect(openPush(standard, { ...standardMessage, body: changed })).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['a header only', standardMessage.body.subarray(0, 21).toString('base64url')],
    ['no key', standardMessage.body.subarray(0, 60).toString('base64url')],
    ['noise', Buffer.alloc(200, 7).toString('base64url')],
  ])('is none when it is %s', (_, body) => {
    for (const headers of [{}, { 'content-encoding': 'aesgcm' }, draftMessage.headers])
      expect(openPush(standard, { headers, body: bytes(body) })).toBeUndefined()
  })
})

describe('the sender of a message', () => {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const point = ecdh.getPublicKey()
  const serverKey = point.toString('base64url')
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: ecdh.getPrivateKey('base64url'),
    },
  })
  const now = new Date('2026-11-21T10:00:00Z')
  const origin = 'https://rookery.test'
  const seconds = now.getTime() / 1000
  const tokenOf = (claims: object) => {
    const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
  const claims = { aud: origin, exp: seconds + 3600, sub: 'mailto:admin@birdhouse.test' }
  const from = (headers: Record<string, string>, more = {}) =>
    senderOf({ headers }, { serverKey, origin, now, ...more })

  it('is known by its key, as the standard and as the draft say it', () => {
    const token = tokenOf(claims)
    expect(from({ authorization: `vapid t=${token},k=${serverKey}` })).toBe('signed')
    expect(from({ authorization: `vapid t=${token}, k=${serverKey}` })).toBe('signed')
    const draftHeaders = { authorization: `WebPush ${token}`, 'crypto-key': `dh=abc;p256ecdsa=${serverKey}` }
    expect(from(draftHeaders)).toBe('signed')
    expect(from({})).toBe('unsigned')
  })

  it('is not believed with another key, for another address, at another time, or with a changed token', () => {
    const token = tokenOf(claims)
    const other = createPushKeys().publicKey
    expect(from({ authorization: `vapid t=${token},k=${other}` })).toBe('forged')
    expect(from({ authorization: `vapid t=${token},k=${serverKey}` }, { serverKey: other })).toBe('forged')
    for (const wrong of [{ aud: 'https://other.test' }, { exp: seconds - 3600 }, { exp: seconds + 200_000 }])
      expect(from({ authorization: `vapid t=${tokenOf({ ...claims, ...wrong })},k=${serverKey}` })).toBe('forged')
    const [header = '', , signature = ''] = token.split('.')
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'mailto:me@other.test' })).toString('base64url')
    expect(from({ authorization: `vapid t=${header}.${changed}.${signature},k=${serverKey}` })).toBe('forged')
    for (const authorization of ['vapid', 'vapid t=,k=', 'WebPush nonsense', `vapid t=a.b.c,k=${serverKey}`])
      expect(from({ authorization })).not.toBe('signed')
  })
})
