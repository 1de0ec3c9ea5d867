import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { Reach } from '../platform.ts'
import type { SafeAnswer, SafeRequest } from '../safeHttp.ts'

/*
 * Tokens of OAuth are bound to a key of their channel: each request proves that it holds the key, and carries a nonce that
 * the server hands out and changes every few minutes (RFC 9449). A request without the nonce of today is refused with the
 * new one before anything is done, so that it may be made again.
 */

/** A private key on P-256, as JWK. It is sealed with the tokens that are bound to it. */
export const DpopKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})
export type DpopKey = z.infer<typeof DpopKey>

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' }

/** A key for one sign-in, which its tokens are bound to. */
export async function newDpopKey(): Promise<DpopKey> {
  const { privateKey } = await oauth.generateKeyPair('ES256', { extractable: true })
  return DpopKey.parse(await crypto.subtle.exportKey('jwk', privateKey))
}

/** Handles know the newest nonce of each server: kept, so that not every call is made twice. By public key. */
const handles = new Map<string, oauth.DPoPHandle>()
const HANDLES = 1000

/** What proves to a server that calls come from whoever holds the key (RFC 9449). */
export async function dpopOf(key: DpopKey): Promise<oauth.DPoPHandle> {
  const known = handles.get(key.x)
  if (known) return known
  const { d: _, ...shared } = key
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', key, ES256, false, ['sign']),
    crypto.subtle.importKey('jwk', shared, ES256, true, ['verify']),
  ])
  const handle = oauth.DPoP({}, { privateKey, publicKey })
  const [oldest] = handles.keys()
  if (handles.size >= HANDLES && oldest !== undefined) handles.delete(oldest)
  handles.set(key.x, handle)
  return handle
}

/** Makes a request again, once, when it was refused for want of the newest nonce. */
export async function withNonce<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (oauth.isDPoPNonceError(error)) return await call()
    throw error
  }
}

/** Ends a call of the OAuth library to which no whole answer came. */
class NoAnswer extends Error {}

/** The library's fetch by way of the safe one. `last` is what came of the newest request, in the terms of the safe fetch. */
export function wireOf(reach: Reach, request: Omit<SafeRequest, 'signal'>) {
  const wire: {
    last: SafeAnswer | undefined
    fetch: (url: string, init: { method: string; headers: Record<string, string>; body?: unknown }) => Promise<Response>
  } = {
    last: undefined,
    fetch: async (url, { method, headers, body }) => {
      // forms are the library's own; other bodies are the request's
      const form = body instanceof URLSearchParams ? { body: body.toString() } : {}
      const answer = await reach.fetch(url, {
        ...request,
        ...form,
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        signal: reach.signal,
      })
      wire.last = answer
      if (answer.kind !== 'answer') throw new NoAnswer()
      return new Response(answer.body.length === 0 ? null : Buffer.from(answer.body), {
        status: answer.status,
        headers: answer.headers,
      })
    },
  }
  return wire
}

/** One request with a token that is bound to a key, in the terms of the safe fetch. */
export async function fetchBound(
  reach: Reach,
  url: string,
  request: Omit<SafeRequest, 'signal'>,
  token: string,
  key: DpopKey,
): Promise<SafeAnswer> {
  const wire = wireOf(reach, request)
  const options = {
    DPoP: await dpopOf(key),
    [oauth.customFetch]: wire.fetch,
    [oauth.allowInsecureRequests]: url.startsWith('http:'),
  }
  try {
    await withNonce(() =>
      oauth.protectedResourceRequest(
        token,
        request.method ?? 'GET',
        new URL(url),
        new Headers(request.headers),
        undefined,
        options,
      ),
    )
  } catch (error) {
    // a refusal is an answer like others; what never left is a fault of ours
    if (!wire.last) throw error
  }
  if (!wire.last) throw new Error('the OAuth library made no request')
  return wire.last
}
