import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { SafeAnswer } from '../safeHttp.ts'
import type { SafeFetch } from '../safeFetch.ts'
import { fetchBound, newDpopKey, type DpopKey } from './dpop.ts'

/* Requests with a bound token, against a server that is only described: what leaves, and what follows from each answer. */

const url = 'https://pds.example/xrpc/com.atproto.repo.createRecord?x=1'
const request = {
  method: 'POST',
  headers: { accept: 'application/json' },
  body: '{}',
  timeoutMs: 1000,
  maxBytes: 1000,
} as const
const answered = (status: number, headers: Record<string, string> = {}, body = '{}'): SafeAnswer => ({
  kind: 'answer',
  status,
  headers,
  body: Buffer.from(body),
  url,
})
const wantsNonce = answered(
  401,
  {
    'dpop-nonce': 'nonce-1',
    'www-authenticate': 'DPoP error="use_dpop_nonce", error_description="Resource server requires nonce in DPoP proof"',
  },
  '{"error":"use_dpop_nonce"}',
)

const Header = z.object({ typ: z.literal('dpop+jwt'), alg: z.literal('ES256'), jwk: z.record(z.string(), z.unknown()) })
const Claims = z.object({
  htm: z.string(),
  htu: z.string(),
  ath: z.string(),
  jti: z.string(),
  nonce: z.string().optional(),
})

/** The claims of a proof, after its signature was checked with the key that it names. */
function proofOf(headers: Record<string, string> | undefined, key: DpopKey) {
  const [header = '', claims = '', signature = ''] = (headers?.['dpop'] ?? '').split('.')
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { jwk } = Header.parse(read(header))
  expect(jwk).toEqual({ kty: 'EC', crv: 'P-256', x: key.x, y: key.y })
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: key.x, y: key.y }, format: 'jwk' })
  expect(
    verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    ),
  ).toBe(true)
  return Claims.parse(read(claims))
}

/** Answers the requests in turn, and notes them. */
function server(...answers: SafeAnswer[]) {
  const asked: { method: string | undefined; headers: Record<string, string> | undefined; body: unknown }[] = []
  const fetch: SafeFetch = async (_, { method, headers, body }) => {
    asked.push({ method, headers, body })
    return answers[asked.length - 1] ?? answered(200)
  }
  return { asked, reach: { fetch, signal: new AbortController().signal } }
}

describe('a request with a bound token', () => {
  it('proves its key for this method, URL and token, and keeps its headers', async () => {
    const key = await newDpopKey()
    const { asked, reach } = server(answered(200))
    expect(await fetchBound(reach, url, request, 'the token', key)).toMatchObject({ kind: 'answer', status: 200 })
    expect(asked).toMatchObject([
      { method: 'POST', body: '{}', headers: { accept: 'application/json', authorization: 'DPoP the token' } },
    ])
    expect(proofOf(asked[0]?.headers, key)).toMatchObject({
      htm: 'POST',
      htu: 'https://pds.example/xrpc/com.atproto.repo.createRecord',
      ath: createHash('sha256').update('the token').digest('base64url'),
    })
  })

  it("is repeated once with the server's nonce, which the next request uses right away", async () => {
    const key = await newDpopKey()
    const { asked, reach } = server(wantsNonce, answered(200))
    expect(await fetchBound(reach, url, request, 'the token', key)).toMatchObject({ status: 200 })
    const [first, second] = asked.map(({ headers }) => proofOf(headers, key))
    expect([first?.nonce, second?.nonce, first?.jti === second?.jti]).toEqual([undefined, 'nonce-1', false])
    const next = server(answered(200))
    await fetchBound(next.reach, url, request, 'the token', key)
    expect(next.asked.map(({ headers }) => proofOf(headers, key).nonce)).toEqual(['nonce-1'])
    // one that always wants another nonce is not asked forever
    const endless = server(wantsNonce, wantsNonce, wantsNonce)
    expect(await fetchBound(endless.reach, url, request, 'the token', key)).toMatchObject({ status: 401 })
    expect(endless.asked).toHaveLength(2)
  })

  it('has the outcome of its last attempt: lost, unsent, or a refusal', async () => {
    const key = await newDpopKey()
    const lost: SafeAnswer = { kind: 'lost', why: 'dropped', detail: 'cut' }
    const unsent: SafeAnswer = { kind: 'unsent', why: 'aborted', detail: 'no longer wanted' }
    const dead = answered(401, { 'www-authenticate': 'DPoP error="invalid_token"' }, '{"error":"invalid_token"}')
    for (const answer of [lost, unsent, dead]) {
      const plainly = server(answer)
      expect(await fetchBound(plainly.reach, url, request, 'the token', key)).toEqual(answer)
      expect(plainly.asked).toHaveLength(1)
      const afterNonce = server(wantsNonce, answer)
      expect(await fetchBound(afterNonce.reach, url, request, 'the token', key)).toEqual(answer)
    }
  })
})
