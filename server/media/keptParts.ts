import type { ImageType } from './fileType.ts'

/** How much of a file is in memory at once. */
export const PIECE = 64 * 1024

/** A file's bytes: `read` returns at most as many as there are, and is never asked for more than PIECE. */
export type Source = { size: number; read: (at: number, length: number) => Promise<Uint8Array> }

/** No image has this many parts; one that does isn't read to its end, which would block everything else. */
const MOST_READINGS = 200_000
class TooManyParts extends Error {}

/** Types whose metadata is removed; the others always reach a platform as a redrawn copy. */
export type Cleaned = Extract<ImageType, 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'>

type Keep = (start: number, end: number) => void | Promise<void>

/**
 * Lists the parts of an image that are its pixels and how to show them, in order; metadata, and anything after its end,
 * is left out. Returns whether it's structured as its type should be, up to its end.
 */
export async function keptParts(source: Source, contentType: Cleaned, keep: Keep): Promise<boolean> {
  let [start, end] = [0, 0]
  // adjacent parts are joined
  const joining: Keep = async (from, to) => {
    if (from !== end && end > start) await keep(start, end)
    start = from === end ? start : from
    end = to
  }
  let asked = 0
  const read: Source['read'] = async (at, length) => {
    asked += 1
    if (asked > MOST_READINGS) throw new TooManyParts()
    return await source.read(at, length)
  }
  const isWhole = await walks[contentType]({ size: source.size, read }, joining).catch((error: unknown) => {
    if (error instanceof TooManyParts) return false
    throw error
  })
  if (end > start) await keep(start, end)
  return isWhole
}

const [SOI, EOI, SOS] = [0xd8, 0xd9, 0xda]
/** Enough of a segment to identify it. */
const NAME = 'ICC_PROFILE'.length
/** Segments with metadata only: Exif and XMP, IPTC, comments, and applications' own. */
function describes(marker: number, name: Uint8Array): boolean {
  if (marker === 0xfe) return true
  if (marker < 0xe1 || marker > 0xef) return false
  const isProfile = marker === 0xe2 && Buffer.from(name).toString('latin1') === 'ICC_PROFILE'
  // 0xee says how Adobe coded the colors: without it they're wrong
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
    // any number of these may precede a marker
    if (marker === 0xff) {
      const piece = await read(at, Math.min(PIECE, size - at))
      const filling = piece.findIndex((byte) => byte !== 0xff)
      at += (filling === -1 ? piece.length : filling) - 1
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
  for (let at = from; at < size;) {
    const piece = await read(at, Math.min(PIECE, size - at))
    if (piece.length < Math.min(2, size - at)) return size
    for (let i = piece.indexOf(0xff); i !== -1 && i + 1 < piece.length; i = piece.indexOf(0xff, i + 1)) {
      const next = piece[i + 1] ?? 0
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at + i
    }
    // the last byte is checked again together with the next one
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

const WEBP_HEAD = 12
/** Pixels, colors, alpha and animation; VP8X says which of the others exist. */
const shown = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

/** WebP Container Specification: chunks of a name, a length and that many bytes, padded to an even number. */
async function keepWebp({ size, read }: Source, keep: Keep): Promise<boolean> {
  const end = 8 + Buffer.from(await read(0, 8)).readUInt32LE(4)
  if (end > size) return false
  await keep(0, WEBP_HEAD)
  let at = WEBP_HEAD
  while (at + 8 <= end) {
    const head = Buffer.from(await read(at, 8))
    const length = head.readUInt32LE(4)
    const next = at + 8 + length + (length % 2)
    if (next > end) return false
    if (shown.has(head.subarray(0, 4).toString('latin1'))) await keep(at, next)
    at = next
  }
  return at === end
}

/**
 * What a WebP's header says about the rest, after removing metadata: how long it is, and that there's no Exif or XMP.
 * Changes the given bytes, the first 21 of the file or more.
 */
export function amendWebp(head: Buffer, size: number): void {
  head.writeUInt32LE(size - 8, 4)
  const flags = WEBP_HEAD + 8
  if (head.subarray(WEBP_HEAD, WEBP_HEAD + 4).toString('latin1') === 'VP8X')
    head.writeUInt8(head.readUInt8(flags) & ~0b1100, flags)
}

const [EXTENSION, PICTURE, TRAILER, COMMENT, APPLICATION] = [0x21, 0x2c, 0x3b, 0xfe, 0xff]
/** How often it loops, and its color profile; any other application's data is metadata. */
const played = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

/** GIF89a, 17 to 26: a header, then images and extensions, each ending with its blocks, then the trailer. */
async function keepGif(source: Source, keep: Keep): Promise<boolean> {
  const { size, read } = source
  let at = 13 + colorsOf((await read(0, 13))[10])
  if (at > size) return false
  await keep(0, at)
  while (at < size) {
    const head = await read(at, 14)
    if (head[0] === TRAILER) {
      await keep(at, at + 1)
      return true
    }
    // an image has its colors and one more byte before its blocks
    const blocks = head[0] === PICTURE ? at + 11 + colorsOf(head[9]) : head[0] === EXTENSION ? at + 2 : undefined
    const end = blocks === undefined ? undefined : await endOfBlocks(source, blocks)
    if (end === undefined) return false
    const isDescription =
      head[0] === EXTENSION &&
      (head[1] === COMMENT || (head[1] === APPLICATION && !played.has(Buffer.from(head).toString('latin1', 3, 14))))
    if (!isDescription) await keep(at, end)
    at = end
  }
  // many end without their trailer, right after a part, and decoders show them
  return at === size
}

/** The length in bytes of the color table that a packed byte announces. */
const colorsOf = (packed = 0): number => (packed & 0x80 ? 3 << ((packed & 7) + 1) : 0)

/** The position after the empty block that ends them; undefined if the file ends before. */
async function endOfBlocks({ size, read }: Source, from: number): Promise<number | undefined> {
  for (let at = from; at < size;) {
    const piece = await read(at, Math.min(PIECE, size - at))
    let next = 0
    for (let length = piece[next]; length !== undefined; length = piece[next]) {
      next += 1 + length
      if (length === 0) return at + next
    }
    // as far as the file was read
    if (piece.length === 0) return undefined
    at += next
  }
  return undefined
}

const walks: Record<Cleaned, (source: Source, keep: Keep) => Promise<boolean>> = {
  'image/jpeg': keepJpeg,
  'image/png': keepPng,
  'image/webp': keepWebp,
  'image/gif': keepGif,
}
