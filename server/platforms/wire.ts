import { randomUUID } from 'node:crypto'
import type { MediaFile } from './platform.ts'
import type { StreamedBody } from './safeHttp.ts'

/* Building blocks of API calls: forms with files, JSON with exact numbers, times and waits in headers. */

/** The longest wait, whatever a header says. */
const DAY_SECONDS = 86_400

/** A file, or a piece of it, in a form. */
export type FilePart = { field: string; file: MediaFile; range?: { start: number; end: number } }

/**
 * A streamed form with one file, or a piece of it, so that the file is never in memory as a whole (RFC 7578). The file
 * comes last, as S3 requires.
 */
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
      // the platform only needs the type: file names can contain anything, and aren't the platform's business
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

/** Parses JSON; undefined if the text isn't JSON. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '', exact)
  } catch {
    // invalid JSON fails the schema that it's parsed with next
    return undefined
  }
}

/** Some responses have IDs as numbers beyond JavaScript's safe integers: those stay text. */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? '')
    ? context?.source
    : value
}

/** The time of a response, by its Date header. */
export function dateOf(headers: Record<string, string>): Date | null {
  const at = Date.parse(headers.date ?? '')
  return Number.isNaN(at) ? null : new Date(at)
}

/** Retry-After in seconds, at most a day; undefined without one. */
export function retryAfter(headers: Record<string, string>): number | undefined {
  const after = headers['retry-after']
  return after && /^\d+$/.test(after) ? Math.min(Number(after), DAY_SECONDS) : undefined
}

/**
 * Seconds until the time in a header, which is in seconds since 1970 or a date, by the platform's own clock. At most a
 * day.
 */
export function secondsUntil(moment: string | undefined, headers: Record<string, string>): number | undefined {
  const now = dateOf(headers)
  const at = moment === undefined ? NaN : /^\d+$/.test(moment) ? Number(moment) * 1000 : Date.parse(moment)
  if (now === null || Number.isNaN(at)) return undefined
  return Math.min(Math.max(1, Math.ceil((at - now.getTime()) / 1000)), DAY_SECONDS)
}
