import { mkdirSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { randomUUID } from 'node:crypto'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { Bucket } from '../objectStore/bucket.ts'
import { sweepFolder, type UploadStaging } from './staging.ts'

/** Bytes of one piece: the most that a killed node loses, and what an upload takes of its disk in the meantime. */
const PIECE_BYTES = 8 * 1024 * 1024
/** An upload in more pieces than this is refused: each PATCH creates at least one, however small. */
const MOST_PIECES = 5_000
/** Digits of an offset in a key, so that keys sort as offsets do. */
const DIGITS = 15

/**
 * Uploads in the object store, so that any node can receive the next piece. Each piece is an object named by its
 * offset: `uploads/<asset>/000000008388608`. The bytes at an offset are always the same, so nodes that write to one
 * upload at once can't corrupt it, and no lock between nodes is needed. An object next to the pieces has the size of
 * the whole file. `folder` is this machine's scratch space.
 */
export function objectStaging(bucket: Bucket, folder: string, mostPieces = MOST_PIECES): UploadStaging {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const below = (id: string) => `uploads/${id}/`
  return {
    files: new PieceStore(bucket, folder, mostPieces),
    async lastByteAt(id) {
      const dates = (await read(bucket, id)).pieces.map(({ modifiedAt }) => modifiedAt.getTime())
      return dates.length === 0 ? undefined : new Date(Math.max(...dates))
    },
    async localFile(id) {
      const path = join(folder, id)
      const file = await open(path, 'w', 0o600)
      try {
        for (const { key } of chain((await read(bucket, id)).pieces).pieces)
          for await (const chunk of (await bucket.open(key)).bytes) await file.writeFile(chunk)
      } finally {
        await file.close()
      }
      return path
    },
    async forget(id) {
      await rm(join(folder, id), { force: true })
      for await (const { key } of bucket.list(below(id))) await bucket.delete(key)
    },
    async sweep(before) {
      await sweepFolder(folder, before)
      for await (const { key, modifiedAt } of bucket.list('uploads/')) if (modifiedAt < before) await bucket.delete(key)
    },
  }
}

type Piece = { key: string; offset: number; bytes: number; modifiedAt: Date }

/** What is stored of an upload. `size` is undefined if there is no such upload. */
async function read(bucket: Bucket, id: string): Promise<{ size: number | undefined; pieces: Piece[] }> {
  const pieces: Piece[] = []
  let size: number | undefined
  for await (const { key, bytes, modifiedAt } of bucket.list(`uploads/${id}/`)) {
    const name = key.slice(key.lastIndexOf('/') + 1)
    if (name.startsWith('size-')) size = Number(name.slice(5))
    else pieces.push({ key, offset: Number(name), bytes, modifiedAt })
  }
  return { size, pieces }
}

/** The consecutive pieces from the first byte on, and where they end. Leftovers of a slower writer are skipped. */
function chain(pieces: readonly Piece[]): { pieces: Piece[]; end: number } {
  const found: Piece[] = []
  let end = 0
  for (const piece of pieces) {
    if (piece.offset !== end || piece.bytes === 0) continue
    found.push(piece)
    end += piece.bytes
  }
  return { pieces: found, end }
}

class PieceStore extends DataStore {
  readonly #bucket: Bucket
  readonly #folder: string
  readonly #mostPieces: number

  constructor(bucket: Bucket, folder: string, mostPieces: number) {
    super()
    this.#bucket = bucket
    this.#folder = folder
    this.#mostPieces = mostPieces
    this.extensions = ['creation', 'termination']
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#bucket.put(`uploads/${upload.id}/size-${upload.size ?? 0}`, new Uint8Array())
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, pieces } = await read(this.#bucket, id)
    if (size === undefined) throw ERRORS.FILE_NOT_FOUND
    return new Upload({ id, size, offset: chain(pieces).end })
  }

  /** Stores what arrives piece by piece, including what arrived before the connection broke. Returns the new offset. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const { pieces } = await read(this.#bucket, id)
    if (pieces.length >= this.#mostPieces) throw ERRORS.FILE_WRITE_ERROR
    const writer = new PieceWriter(this.#bucket, join(this.#folder, `piece-${randomUUID()}`), id, offset)
    try {
      try {
        for await (const chunk of source) await writer.add(chunk)
      } finally {
        await writer.flush()
      }
    } catch (cause) {
      throw Object.assign(new Error('the bytes of an upload could not be stored', { cause }), ERRORS.FILE_WRITE_ERROR)
    } finally {
      await writer.close()
    }
    return writer.offset
  }

  override async remove(id: string): Promise<void> {
    for await (const { key } of this.#bucket.list(`uploads/${id}/`)) await this.#bucket.delete(key)
  }
}

/** Collects bytes in a scratch file and moves them into the bucket, one piece at a time. */
class PieceWriter {
  offset: number
  #bytes = 0
  readonly #bucket: Bucket
  readonly #path: string
  readonly #id: string
  #file: Awaited<ReturnType<typeof open>> | undefined

  constructor(bucket: Bucket, path: string, id: string, offset: number) {
    this.#bucket = bucket
    this.#path = path
    this.#id = id
    this.offset = offset
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.#file ??= await open(this.#path, 'w', 0o600)
    await this.#file.writeFile(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= PIECE_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#bytes === 0) return
    await this.#file?.close()
    this.#file = undefined
    await this.#bucket.upload(`uploads/${this.#id}/${String(this.offset).padStart(DIGITS, '0')}`, this.#path)
    this.offset += this.#bytes
    this.#bytes = 0
  }

  async close(): Promise<void> {
    await this.#file?.close()
    await rm(this.#path, { force: true })
  }
}
