import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { Reach } from '../platform.ts'
import type { SafeAnswer, SafeRequest } from '../safeHttp.ts'

/*
 * OAuth tokens are bound to a key of their channel: each request proves that it has the key, with a nonce that the
 * server issues and changes every few minutes (RFC 9449). A request without the current nonce is refused with the new
 * one before anything is done, so it can be repeated.
 */

/** A private P-256 key as a JWK. It is encrypted together with the tokens that are bound to it. */
export const DpopKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})
export type DpopKey = z.infer<typeof DpopKey>

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' }

/** Creates the key for one sign-in, to which its tokens are bound. */
export async function newDpopKey(): Promise<DpopKey> {
  const { privateKey } = await oauth.generateKeyPair('ES256', { extractable: true })
  return DpopKey.parse(await crypto.subtle.exportKey('jwk', privateKey))
}

/**
 * By public key. A handle remembers each server's current nonce, so that calls don't have to be repeated every time.
 */
const handles = new Map<string, oauth.DPoPHandle>()
const HANDLES = 1000

/** Proves to servers that our calls come from the holder of the key (RFC 9449). */
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

/** Repeats a request once if it was refused because of an outdated nonce. */
export async function withNonce<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (oauth.isDPoPNonceError(error)) return await call()
    throw error
  }
}

/** Thrown into the OAuth library when a call got no complete response. */
class NoAnswer extends Error {}

/** The OAuth library's fetch, through safeFetch. `last` is safeFetch's outcome of the latest request. */
export function wireOf(reach: Reach, request: Omit<SafeRequest, 'signal'>) {
  const wire: {
    last: SafeAnswer | undefined
    fetch: (url: string, init: { method: string; headers: Record<string, string>; body?: unknown }) => Promise<Response>
  } = {
    last: undefined,
    fetch: async (url, { method, headers, body }) => {
      // the library sends its own forms; other bodies come from the request
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

/** One request with a token that is bound to a key; returns safeFetch's outcome. */
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
    // a refusal is an outcome like any other; a request that was never sent is our own error
    if (!wire.last) throw error
  }
  if (!wire.last) throw new Error('the OAuth library made no request')
  return wire.last
}
