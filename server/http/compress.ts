import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Smaller replies fit into one packet either way. In bytes. */
const SMALLEST = 1024
/** Up to here, compressing takes less time than using another thread. In bytes. */
const AT_ONCE = 16_384

/** Text that we write ourselves; not exports, media and compressed formats. */
const COMPRESSIBLE = /^(?:application\/(?:problem\+)?json|text\/(?:html|plain|css|javascript))\b/

const negotiator = new Negotiator({ supportedValues: ['br', 'gzip', 'identity'] })

/**
 * The fastest qualities for what is sent once: the next ones of brotli take half as long again for 2% fewer bytes. What is
 * kept and sent again is compressed better.
 */
const QUALITY = { small: { br: 1, gzip: 1 }, large: { br: 1, gzip: 4 }, kept: { br: 5, gzip: 6 } }
const brotliOptions = (size: number, quality: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: size },
})

/**
 * Compresses complete replies of at least 1 kB with what the client accepts (RFC 9110, 12.5.3). Streams are never
 * touched: event streams, downloads and media are sent as they're written. Replies to other sites stay uncompressed, so
 * that no other site can learn from a reply's length (docs/decisions/0008).
 */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isCompressible(reply, payload)) return payload
    vary(reply)
    const encoding = encodingFor(request)
    if (encoding === undefined) return payload
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    const compressed = await compress(encoding, bytes)
    void reply.header('content-encoding', encoding).removeHeader('content-length')
    return compressed
  })
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  return (
    isLargeEnough(typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length) &&
    !reply.hasHeader('content-encoding') &&
    COMPRESSIBLE.test(String(reply.getHeader('content-type'))) &&
    !String(reply.getHeader('cache-control')).includes('no-transform')
  )
}

/** Whether a reply of ours of this many bytes is sent compressed. */
export const isLargeEnough = (bytes: number): boolean => bytes >= SMALLEST

/** Compresses what is sent more than once, a little better. In the thread. */
export const compressKept = (encoding: 'br' | 'gzip', bytes: Buffer): Promise<Buffer> =>
  encoding === 'gzip'
    ? gzipApart(bytes, { level: QUALITY.kept.gzip })
    : brotliApart(bytes, brotliOptions(bytes.length, QUALITY.kept.br))

/** Says that the reply depends on what the client accepts. */
export function vary(reply: FastifyReply): void {
  const before = reply.getHeader('vary')
  if (before === 'accept-encoding') return
  void reply.header('vary', before === undefined ? 'accept-encoding' : `${String(before)}, accept-encoding`)
}

/** What the client accepts, best first; undefined where nothing is compressed. */
export function encodingFor({ headers }: FastifyRequest): 'br' | 'gzip' | undefined {
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return undefined
  const encoding = negotiator.negotiate(headers['accept-encoding']?.toLowerCase() ?? '')
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined
}

async function compress(encoding: 'br' | 'gzip', bytes: Buffer): Promise<Buffer> {
  const small = bytes.length <= AT_ONCE
  const quality = QUALITY[small ? 'small' : 'large'][encoding]
  if (encoding === 'gzip')
    return small ? gzipSync(bytes, { level: quality }) : await gzipApart(bytes, { level: quality })
  const options = brotliOptions(bytes.length, quality)
  return small ? brotliCompressSync(bytes, options) : await brotliApart(bytes, options)
}

const gzipApart = promisify(gzip)
const brotliApart = promisify(brotliCompress)
