import { open, rm, type FileHandle } from 'node:fs/promises'
import { drawAnew, isTurned, type ImageFacts } from './image.ts'

/*
 * Photos tell where and when they were taken, and platforms hand the file out as it was sent. What people upload is
 * kept without that: losslessly, unless the camera held the picture sideways. A file is read a piece at a time, however large.
 */

/** So much of a file is in memory at once. */
export const PIECE = 64 * 1024

/** A file without its metadata, beside the given one, or the file itself when there is nothing to take off. */
export async function withoutMetadata(path: string, contentType: ImageFacts['contentType']): Promise<{ path: string; bytes: number }> {
  const beside = `${path}.clean`
  const file = await open(path)
  try {
    const source = await sourceOf(file)
    const untouched = { path, bytes: source.size }
    if (contentType !== 'image/jpeg' && contentType !== 'image/png') return untouched
    if (contentType === 'image/jpeg' && (await isTurned(path))) return { path: beside, bytes: await drawAnew(path, beside, contentType) }
    let kept = 0
    const isWhole = await keptParts(source, contentType, (start, end) => void (kept += end - start))
    // built otherwise than its kind is: nobody knows what it tells, while its pixels can be read
    if (!isWhole) return { path: beside, bytes: await drawAnew(path, beside, contentType) }
    if (kept === source.size) return untouched
    await copyKept(source, contentType, beside)
    return { path: beside, bytes: kept }
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function copyKept(source: Source, contentType: 'image/jpeg' | 'image/png', to: string): Promise<void> {
  const target = await open(to, 'w')
  try {
    await keptParts(source, contentType, async (start, end) => {
      for (let at = start; at < end; at += PIECE) await target.writeFile(await source.read(at, Math.min(PIECE, end - at)))
    })
  } finally {
    await target.close()
  }
}

/** A file's bytes: `read` answers at most as many as there are, and is never asked for more than PIECE. */
export type Source = { size: number; read: (at: number, length: number) => Promise<Uint8Array> }

/** Reads ahead, so that following small parts does not ask the disk for each. */
async function sourceOf(file: FileHandle): Promise<Source> {
  const { size } = await file.stat()
  let [from, held] = [0, Buffer.alloc(0)]
  return {
    size,
    async read(at, length) {
      const isHeld = at >= from && at + length <= from + held.length
      if (!isHeld) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE), 0, PIECE, at)
        from = at
        held = buffer.subarray(0, bytesRead)
      }
      return held.subarray(at - from, at - from + length)
    },
  }
}

type Keep = (start: number, end: number) => void | Promise<void>

/**
 * Names the parts of a picture that are its pixels and how to show them, in order; what only describes it, and whatever follows its
 * end, is left out. Answers whether it is built as its kind is, up to its end.
 */
export async function keptParts(source: Source, contentType: 'image/jpeg' | 'image/png', keep: Keep): Promise<boolean> {
  let [start, end] = [0, 0]
  // neighbours are one part
  const joining: Keep = async (from, to) => {
    if (from !== end && end > start) await keep(start, end)
    start = from === end ? start : from
    end = to
  }
  const isWhole = await (contentType === 'image/jpeg' ? keepJpeg : keepPng)(source, joining)
  if (end > start) await keep(start, end)
  return isWhole
}

const [SOI, EOI, SOS] = [0xd8, 0xd9, 0xda]
/** Enough of a segment to know it by. */
const NAME = 'ICC_PROFILE'.length
/** Segments that only describe: Exif and XMP, IPTC, comments, and applications' own. */
function describes(marker: number, name: Uint8Array): boolean {
  if (marker === 0xfe) return true
  if (marker < 0xe1 || marker > 0xef) return false
  const isProfile = marker === 0xe2 && Buffer.from(name).toString('latin1') === 'ICC_PROFILE'
  // 0xee says how Adobe coded the colours: without it they are wrong
  return !isProfile && marker !== 0xee
}

async function keepJpeg({ size, read }: Source, keep: Keep): Promise<boolean> {
  const [first, second] = await read(0, 2)
  if (first !== 0xff || second !== SOI) return false
  await keep(0, 2)
  let at = 2
  while (at + 2 <= size) {
    const [lead, marker = 0, high = 0, low = 0] = await read(at, 4)
    if (lead !== 0xff) return false
    if (marker === EOI) {
      await keep(at, at + 2)
      return true
    }
    // any number of these may stand before a marker
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + high * 256 + low
    const stop = marker === SOS ? await endOfScan({ size, read }, end) : end
    if (stop > size || end < at + 4) return false
    if (!describes(marker, await read(at + 4, Math.min(NAME, end - at - 4)))) await keep(at, stop)
    at = stop
  }
  return false
}

/** Where the coded pixels end: at the first marker that is neither an escaped byte nor a restart. */
async function endOfScan({ size, read }: Source, from: number): Promise<number> {
  for (let at = from; at < size; ) {
    const piece = await read(at, Math.min(PIECE, size - at))
    if (piece.length < Math.min(2, size - at)) return size
    for (let i = piece.indexOf(0xff); i !== -1 && i + 1 < piece.length; i = piece.indexOf(0xff, i + 1)) {
      const next = piece[i + 1] ?? 0
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at + i
    }
    // the last byte is looked at again with the one after it
    at += at + piece.length < size ? piece.length - 1 : piece.length
  }
  return size
}

const PNG_HEAD = 8
const described = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])

async function keepPng({ size, read }: Source, keep: Keep): Promise<boolean> {
  await keep(0, PNG_HEAD)
  let at = PNG_HEAD
  while (at + 12 <= size) {
    const head = Buffer.from(await read(at, 8))
    const end = at + 12 + head.readUInt32BE(0)
    const kind = head.subarray(4).toString('latin1')
    if (end > size) return false
    if (!described.has(kind)) await keep(at, end)
    if (kind === 'IEND') return true
    at = end
  }
  return false
}
