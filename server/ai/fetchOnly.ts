import type { SafeFetch } from '../platforms/safeFetch.ts'

const MAX_ANSWER = 1_000_000
const HOP_HEADERS = ['content-encoding', 'content-length', 'transfer-encoding', 'connection']

/**
 * The safe fetch in the shape that libraries expect, for one origin and nothing else. No redirects, at most one
 * megabyte and `timeoutMs`. Throws if there's no complete response, a TimeoutError if it took too long, without
 * revealing what was sent.
 */
export function fetchOnly(origin: string, fetch: SafeFetch, timeoutMs: number): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin) throw new Error('this fetch is for another address')
    const { body } = init ?? {}
    if (typeof body !== 'string') throw new Error('this fetch sends text')
    const { signal } = init ?? {}
    const answer = await fetch(url.href, {
      method: 'POST',
      headers: Object.fromEntries(new Headers(init?.headers)),
      body,
      timeoutMs,
      maxBytes: MAX_ANSWER,
      ...(signal && { signal }),
    })
    if (answer.kind !== 'answer')
      throw new DOMException(
        `${answer.kind}: ${answer.why}`,
        answer.why === 'timeout' ? 'TimeoutError' : 'NetworkError',
      )
    // it arrived complete and decompressed
    const headers = Object.entries(answer.headers).filter(([name]) => !HOP_HEADERS.includes(name))
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers })
  }
}
