import { randomUUID } from 'node:crypto'
import type { MediaFile } from './platform.ts'
import type { StreamedBody } from './safeHttp.ts'

/* What calls of any API are made of: forms with files, JSON with exact numbers, times and waits in headers. */

/** Nobody is waited for longer, whatever a header names. */
const DAY_SECONDS = 86_400

/** A file, or a piece of it, in a form. */
export type FilePart = { field: string; file: MediaFile; range?: { start: number; end: number } }

/** A form with one file, or a piece of it, streamed: however large, it never stands in memory (RFC 7578). The file comes last, as S3 asks. */
export function multipart(
  fields: readonly [string, string][],
  { field, file, range }: FilePart,
): { body: StreamedBody; headers: Record<string, string> } {
  const boundary = `rookery-${randomUUID()}`
  const head = Buffer.from(
    [
      ...fields.map(
        ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      // the platform goes by the type: names of files may hold anything, and are nobody's business there
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="file"\r\ncontent-type: ${file.contentType}\r\n\r\n`,
    ].join(''),
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length = range ? range.end - range.start : file.bytes
  async function* open() {
    yield head
    yield* file.stream(range)
    yield tail
  }
  return {
    body: { bytes: head.length + length + tail.length, open },
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** What a text says as JSON; undefined when it is none. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '', exact)
  } catch {
    // invalid JSON fails the schema that it is parsed with next
    return undefined
  }
}

/** Some answers write ids as numbers, which are larger than numbers can be: those stay text. */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? '')
    ? context?.source
    : value
}

/** When an answer was given, by the Date header. */
export function dateOf(headers: Record<string, string>): Date | null {
  const at = Date.parse(headers.date ?? '')
  return Number.isNaN(at) ? null : new Date(at)
}

/** Retry-After in seconds, a day at most; undefined where there is none. */
export function retryAfter(headers: Record<string, string>): number | undefined {
  const after = headers['retry-after']
  return after && /^\d+$/.test(after) ? Math.min(Number(after), DAY_SECONDS) : undefined
}

/** Seconds until a moment that a header names, in seconds since 1970 or as a date, by the platform's own clock. A day at most. */
export function secondsUntil(moment: string | undefined, headers: Record<string, string>): number | undefined {
  const now = dateOf(headers)
  const at = moment === undefined ? NaN : /^\d+$/.test(moment) ? Number(moment) * 1000 : Date.parse(moment)
  if (now === null || Number.isNaN(at)) return undefined
  return Math.min(Math.max(1, Math.ceil((at - now.getTime()) / 1000)), DAY_SECONDS)
}
