import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import type { Clock } from '#server/clock.ts'
import { decode } from './contentEncoding.ts'
import { AddressRefused } from './guardedConnector.ts'
import type { SafeAnswer, SafeRequest } from './safeHttp.ts'

type Lost = Extract<SafeAnswer, { kind: 'lost' }>['why']
type Unsent = Extract<SafeAnswer, { kind: 'unsent' }>['why']

/**
 * The maximum size of a body that was meant to be streamed but has to be buffered: compressed ones, and other statuses
 * than 200.
 */
const HELD_MOST = 20_000_000

/** Stops reading a body of which enough was read. */
class Enough extends Error {}

/**
 * One request and its response. The line between `unsent` and `lost` is undici's start of the request, in the same tick
 * as the first write: an end before it proves that nothing was written; a later one proves nothing. A kept-alive
 * connection that the other side had just closed therefore counts as lost.
 */
export function exchange(
  agent: Agent,
  url: URL,
  request: SafeRequest,
  deadline: number,
  clock: Clock,
): Promise<SafeAnswer> {
  return new Promise((resolve) => {
    const { signal } = request
    let { maxBytes } = request
    const chunks: Buffer[] = []
    let started = false
    let settled = false
    let size = 0
    let status = 0
    let headers: Record<string, string> = {}
    let controller: Dispatcher.DispatchController | undefined

    const reconcile = (answer: SafeAnswer) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(answer)
    }
    const giveUp = (whyUnsent: Unsent, whyLost: Lost, detail: string) => {
      reconcile(started ? { kind: 'lost', why: whyLost, detail } : { kind: 'unsent', why: whyUnsent, detail })
      controller?.abort(new Error(detail))
    }
    // one chunk after the other: when the other side closes, undici delivers the rest at once, paused or not
    let poured: Promise<void> = Promise.resolve()
    /** A compressed body isn't streamed, because its decompressed size counts. */
    const streams = () =>
      request.into !== undefined && status === 200 && ['', 'identity'].includes(headers['content-encoding'] ?? '')
    const onAbort = () => giveUp('aborted', 'aborted', 'given up')
    const onTimeout = () => giveUp('unreachable', 'timeout', `no answer within ${request.timeoutMs} ms`)
    const whole = (cut: boolean) => {
      const body = Buffer.concat(chunks)
      decode(body, headers['content-encoding'], maxBytes, cut).then(
        (decoded) =>
          reconcile(
            decoded
              ? { kind: 'answer', status, headers, body: decoded, url: url.href }
              : { kind: 'lost', why: 'too-large', detail: `more than ${maxBytes} bytes when unpacked` },
          ),
        () => reconcile({ kind: 'lost', why: 'dropped', detail: 'the answer could not be unpacked' }),
      )
    }

    const pour = (current: Dispatcher.DispatchController, chunk: Buffer) => {
      if (size > maxBytes) return giveUp('unreachable', 'too-large', `more than ${maxBytes} bytes`)
      // resuming flushes the parser with an empty chunk; pausing on that would cause the next one, forever
      if (chunk.length === 0) return
      current.pause()
      poured = poured
        .then(() => (settled ? undefined : request.into?.(chunk)))
        .then(
          () => current.resume(),
          (error: unknown) => giveUp('aborted', 'aborted', describe(error)),
        )
    }

    const timer = setTimeout(onTimeout, Math.max(0, deadline - clock.monotonic()))
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(current) {
        controller = current
        // done while it waited for a connection, or the process was suspended: nothing may be sent now
        if (!settled && clock.monotonic() >= deadline) onTimeout()
        else if (!settled && request.stillWanted?.() === false) giveUp('aborted', 'aborted', 'no longer wanted')
        if (settled) current.abort(new Error('withdrawn'))
        else started = true
      },
      onResponseStart(_, code, received) {
        status = code
        headers = Object.fromEntries(
          Object.entries(received).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(', ') : (value ?? ''),
          ]),
        )
        if (request.into && !streams()) maxBytes = Math.min(maxBytes, HELD_MOST)
        const announced = Number(headers['content-length'])
        if (announced > maxBytes && !request.cut && request.method !== 'HEAD')
          giveUp('unreachable', 'too-large', `${announced} bytes announced, ${maxBytes} taken`)
      },
      onResponseData(current, chunk) {
        const room = maxBytes - size
        size += chunk.length
        if (streams()) return pour(current, chunk)
        chunks.push(size > maxBytes ? chunk.subarray(0, room) : chunk)
        if (size <= maxBytes) {
          if (headers['content-encoding'] || !request.enough?.(chunk)) return
          whole(true)
          return current.abort(new Enough())
        }
        if (!request.cut) return giveUp('unreachable', 'too-large', `more than ${maxBytes} bytes`)
        whole(true)
        current.abort(new Enough())
      },
      onResponseEnd: () => void poured.then(() => whole(false)),
      onResponseError(_, error) {
        if (error instanceof Enough) return
        giveUp(error instanceof AddressRefused ? 'address-refused' : 'unreachable', 'dropped', describe(error))
      },
    }
    try {
      const { body, length } = bodyOf(request.body)
      agent.dispatch(
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: request.method ?? 'GET',
          headers: { 'user-agent': 'Rookery', ...length, ...request.headers },
          body,
        },
        handler,
      )
    } catch (error) {
      giveUp('unreachable', 'dropped', describe(error))
    }
  })
}

function bodyOf(body: SafeRequest['body']): {
  body: string | Uint8Array | Readable | null
  length?: { 'content-length': string }
} {
  if (body === undefined) return { body: null }
  if (typeof body === 'string' || body instanceof Uint8Array) return { body }
  return { body: Readable.from(body.open(), { objectMode: false }), length: { 'content-length': String(body.bytes) } }
}

/** The error's message and code, without an AggregateError's list of addresses. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return [code, error.message].filter(Boolean).join(': ')
}
