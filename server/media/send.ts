import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Bytes } from '../http/route.ts'
import type { MediaStore } from './store.ts'

type Sent = { key: string; bytes: number; contentType: string; fileName: string }

/**
 * A stored file as a response: whole, or the one range that the request names (RFC 9110, 14), which is how players seek
 * in a video. A browser that opens it as a page can't run anything in it.
 */
export async function sendFile(
  store: MediaStore,
  file: Sent,
  request: Pick<FastifyRequest, 'headers' | 'method'>,
  caching: string,
): Promise<Bytes> {
  // the bytes under one key never change
  const tag = `"${file.key.slice(-36)}"`
  const condition = request.headers['if-range']
  const range = condition === undefined || condition === tag ? rangeOf(request.headers.range, file.bytes) : undefined
  const headers = {
    'accept-ranges': 'bytes',
    etag: tag,
    'content-disposition': `inline; filename="${file.fileName}"`,
    'cache-control': caching,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
  if (range === 'beyond')
    return {
      bytes: Buffer.alloc(0),
      contentType: file.contentType,
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${file.bytes}`, 'cache-control': 'no-store' },
    }
  // the response to HEAD drains its stream
  const bytes = request.method === 'HEAD' ? Readable.from([]) : await store.stream(file.key, range)
  if (!range) return { bytes, contentType: file.contentType, length: file.bytes, headers }
  return {
    bytes,
    contentType: file.contentType,
    length: range.end - range.start,
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${range.start}-${range.end - 1}/${file.bytes}` },
  }
}

/**
 * The range from `start` up to `end` (exclusive); undefined for none, several or an invalid one: the whole file is sent
 * then.
 */
export function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'beyond' | undefined {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '')
    return last === '0' || size === 0 ? 'beyond' : { start: Math.max(0, size - Number(last)), end: size }
  const start = Number(first)
  const end = last === '' ? size : Math.min(size, Number(last) + 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'beyond' : { start, end }
}
