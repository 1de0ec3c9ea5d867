import type { PlatformKey } from '#contract/platforms/rules.ts'
import { startPlatforms, type RunningPlatforms } from '../simulators/start.ts'

/*
 * For tests of the simulators: makes calls as an adapter would, with a clock that the test advances and files that are
 * generated while they're read.
 */

export type Said = { status: number; json: unknown; headers: Headers }
type Sending = {
  token?: string
  form?: Record<string, string>
  json?: unknown
  bytes?: RequestInit['body']
  headers?: Record<string, string>
}

export type Visitor = RunningPlatforms & {
  ask: (method: string, url: string, sending?: Sending) => Promise<Said>
  /** One text field of a response, by its path. */
  field: (said: Said, ...names: (string | number)[]) => string
  clock: { now: number }
  /** Fails if a simulator's response doesn't match the platform's description. */
  mistakes: (key: PlatformKey) => string[]
}

const types: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  txt: 'text/plain',
}

/** `https://files.test/1000.jpg` is a file of 1000 bytes; other URLs don't exist. */
export async function madeUp(url: string): Promise<Response> {
  const [, size, ending = ''] = /^https:\/\/files\.test\/(\d+)\.(\w+)$/.exec(url) ?? []
  if (size === undefined) return new Response(null, { status: 404 })
  return new Response(bytesOf(Number(size)), {
    headers: { 'content-type': types[ending] ?? 'application/octet-stream' },
  })
}

/** This many bytes, a megabyte at a time, so the file is never in memory as a whole. */
export function bytesOf(size: number): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(1024 * 1024)
  let left = size
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close()
      controller.enqueue(chunk.subarray(0, Math.min(left, chunk.length)))
      left -= chunk.length
    },
  })
}

export async function visitPlatforms(): Promise<Visitor> {
  const clock = { now: Date.UTC(2026, 10, 21, 8) }
  const running = await startPlatforms({ now: () => clock.now, fetcher: madeUp })
  return {
    ...running,
    clock,
    mistakes: (key) => running.platform(key).mistakes,
    async ask(method, url, { token, form, json, bytes, headers } = {}) {
      const body = form ? new URLSearchParams(form).toString() : json === undefined ? bytes : JSON.stringify(json)
      const answer = await fetch(url.replace('https://', `${running.base}/`), {
        method,
        redirect: 'manual',
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      })
      const text = await answer.text()
      return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : text, headers: answer.headers }
    },
    field(said, ...names) {
      const found = names.reduce<unknown>(
        (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
        said.json,
      )
      if (typeof found !== 'string' && typeof found !== 'number')
        throw new Error(`${names.join('.')} is not in ${said.status} ${JSON.stringify(said.json)}`)
      return String(found)
    },
  }
}

/** A URL with its query. */
export function asking(url: string, query: Record<string, string>): string {
  return `${url}?${new URLSearchParams(query).toString()}`
}
