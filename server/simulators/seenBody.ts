import { createHash, type Hash } from 'node:crypto'

/*
 * A request's body, read as a stream: text is stored; files are counted and hashed but not stored, so that gigabytes
 * can pass.
 */

type SeenFile = { bytes: number; sha256: string; contentType: string; fileName: string }

export type SeenBody = {
  kind: 'none' | 'json' | 'form' | 'multipart' | 'bytes'
  /** Parsed JSON, form fields, or the text parts of a multipart body; undefined for binary data and invalid JSON. */
  value: unknown
  files: Record<string, SeenFile>
  bytes: number
  /** For binary data, by which platforms identify an upload; empty for everything else. */
  sha256: string
  contentType: string
}

type Source = string | Uint8Array | AsyncIterable<Uint8Array> | undefined

/** We never send more text than this. Base64 pictures fit. */
const MOST_TEXT = 64 * 1024 * 1024
const MULTIPART = 'multipart/form-data'
const FORM = 'application/x-www-form-urlencoded'

export async function seeBody(contentType: string | undefined, source: Source): Promise<SeenBody> {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const whole = isText(type) ? undefined : createHash('sha256')
  let bytes = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of pieces(source)) {
      whole?.update(chunk)
      bytes += chunk.length
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    }
  }
  const read = await readAs(type, contentType ?? '', counted())
  const kind = bytes === 0 && read.kind !== 'multipart' ? 'none' : read.kind
  return { ...read, kind, bytes, sha256: whole?.digest('hex') ?? '', contentType: type }
}

const isText = (type: string): boolean => type === MULTIPART || type === FORM || type.endsWith('json')

type Read = Pick<SeenBody, 'kind' | 'value' | 'files'>

async function readAs(type: string, header: string, chunks: AsyncGenerator<Buffer>): Promise<Read> {
  if (type === MULTIPART) return readMultipart(chunks, /boundary="?([^";]+)"?/.exec(header)?.[1] ?? '')
  if (type === FORM)
    return { kind: 'form', value: Object.fromEntries(new URLSearchParams(await textOf(chunks))), files: {} }
  if (type.endsWith('json')) return { kind: 'json', value: parsed(await textOf(chunks)), files: {} }
  for await (const _ of chunks);
  return { kind: 'bytes', value: undefined, files: {} }
}

async function* pieces(source: Source): AsyncGenerator<Uint8Array> {
  if (source === undefined) return
  if (typeof source === 'string') yield Buffer.from(source)
  else if (source instanceof Uint8Array) yield source
  else yield* source
}

async function textOf(chunks: AsyncGenerator<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size <= MOST_TEXT) kept.push(chunk)
  }
  return Buffer.concat(kept).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Part = {
  name: string
  fileName: string | undefined
  contentType: string
  bytes: number
  hash: Hash
  text: Buffer[]
}

/** RFC 7578, with a window of at most one chunk and a boundary. */
async function readMultipart(chunks: AsyncGenerator<Buffer>, boundary: string): Promise<Read> {
  const mark = Buffer.from(`\r\n--${boundary}`)
  const fields: Record<string, unknown> = {}
  const files: Record<string, SeenFile> = {}
  // the first boundary has no line before it
  let window = Buffer.from('\r\n')
  let part: Part | undefined
  let ended = false
  const take = (data: Buffer): void => {
    if (!part) return
    part.bytes += data.length
    part.hash.update(data)
    if (part.fileName === undefined) part.text.push(data)
  }
  const close = (): void => {
    if (!part) return
    if (part.fileName === undefined) fields[part.name] = Buffer.concat(part.text).toString('utf8')
    else
      files[part.name] = {
        bytes: part.bytes,
        sha256: part.hash.digest('hex'),
        contentType: part.contentType,
        fileName: part.fileName,
      }
    part = undefined
  }
  /** Takes what is complete from the window; false if more is needed. */
  const step = (): boolean => {
    const found = window.indexOf(mark)
    if (found < 0) {
      const certain = Math.max(0, window.length - mark.length)
      take(window.subarray(0, certain))
      window = window.subarray(certain)
      return false
    }
    const after = found + mark.length
    if (window.length < after + 2) return false
    const last = window.subarray(after, after + 2).toString() === '--'
    const head = window.indexOf('\r\n\r\n', after)
    if (!last && head < 0) return false
    take(window.subarray(0, found))
    close()
    ended = last
    part = last ? undefined : partOf(window.subarray(after, head).toString('utf8'))
    window = window.subarray(last ? after + 2 : head + 4)
    return !last
  }
  for await (const chunk of chunks) {
    if (ended) continue
    window = Buffer.concat([window, chunk])
    while (step());
  }
  return { kind: 'multipart', value: ended ? fields : undefined, files }
}

function partOf(head: string): Part {
  return {
    name: /[ ;]name="([^"]*)"/i.exec(head)?.[1] ?? '',
    fileName: /filename="([^"]*)"/i.exec(head)?.[1],
    contentType: /content-type: *([^\r\n;]+)/i.exec(head)?.[1] ?? 'text/plain',
    bytes: 0,
    hash: createHash('sha256'),
    text: [],
  }
}

/** A request to a platform, with its body if that was already read. */
export type Asked = {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array | SeenBody
}
