import { promisify } from 'node:util'
import { brotliDecompress, constants, gunzip, inflate, zstdDecompress } from 'node:zlib'

type Unpack = (body: Buffer, options: { maxOutputLength: number; finishFlush?: number }) => Promise<Buffer>

/** How each encoding is decompressed, and the flush with which it returns what it has of a truncated body. */
const unpackers: ReadonlyMap<string, { unpack: Unpack; flush: number }> = new Map([
  ['gzip', { unpack: promisify<Buffer, object, Buffer>(gunzip), flush: constants.Z_SYNC_FLUSH }],
  ['x-gzip', { unpack: promisify<Buffer, object, Buffer>(gunzip), flush: constants.Z_SYNC_FLUSH }],
  ['deflate', { unpack: promisify<Buffer, object, Buffer>(inflate), flush: constants.Z_SYNC_FLUSH }],
  ['br', { unpack: promisify<Buffer, object, Buffer>(brotliDecompress), flush: constants.BROTLI_OPERATION_FLUSH }],
  ['zstd', { unpack: promisify<Buffer, object, Buffer>(zstdDecompress), flush: constants.ZSTD_e_flush }],
])

/**
 * Decompresses a body that is compressed although we never ask for it. Undefined if the result is larger than
 * `maxBytes`; throws if it's corrupt. A truncated body is decompressed as far as possible.
 */
export async function decode(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
  cut: boolean,
): Promise<Uint8Array | undefined> {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity' || body.length === 0) return body
  const codec = unpackers.get(name)
  if (!codec) throw new Error(`unknown encoding ${name}`)
  try {
    return await codec.unpack(body, { maxOutputLength: maxBytes, ...(cut ? { finishFlush: codec.flush } : {}) })
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}
