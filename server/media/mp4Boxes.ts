import { open, type FileHandle } from 'node:fs/promises'

/**
 * A box of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2): `start` is where its header begins, `body` where its
 * content does.
 */
export type Box = { type: string; start: number; body: number; end: number; size: number }

const MOST_BOXES = 100_000

/** The top-level boxes, or undefined if they don't fill the file exactly: it's truncated or damaged. */
export async function readBoxes(path: string): Promise<Box[] | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const boxes: Box[] = []
    for (let at = 0; at < size;) {
      const box = await boxAt(file, at, size)
      if (!box || box.end > size || boxes.length >= MOST_BOXES) return undefined
      boxes.push(box)
      at = box.end
    }
    return boxes
  } finally {
    await file.close()
  }
}

async function boxAt(file: FileHandle, at: number, fileSize: number): Promise<Box | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, at)
  return boxIn(buffer.subarray(0, bytesRead), 0, at, fileSize)
}

/** The box whose header is at `offset` in the bytes, which themselves begin at `base` of the file. */
function boxIn(bytes: Buffer, offset: number, base: number, end: number): Box | undefined {
  if (offset + 8 > bytes.length) return undefined
  const short = bytes.readUInt32BE(offset)
  const isLong = short === 1
  if (isLong && offset + 16 > bytes.length) return undefined
  const start = base + offset
  const size = isLong ? Number(bytes.readBigUInt64BE(offset + 8)) : short === 0 ? end - start : short
  const header = isLong ? 16 : 8
  return size < header
    ? undefined
    : { type: bytes.toString('latin1', offset + 4, offset + 8), start, body: start + header, end: start + size, size }
}

/** Boxes with metadata only: where it was filmed, with what, titles and comments. */
const DESCRIBES = ['udta', 'meta', 'uuid', 'XMP_']
const HOLDS = ['trak', 'mdia']
/** Tracks contain media, which contain no other tracks. */
const DEEPEST = 4
const TIMED = ['mvhd', 'tkhd', 'mdhd']

/**
 * Removes where and when a video was taken, in the file itself: metadata becomes free space of the same size, so that
 * every other byte stays where it is; creation times become zero. Returns whether anything was changed.
 */
export async function blankDescriptions(path: string): Promise<boolean> {
  const boxes = await readBoxes(path)
  const wanted = boxes?.filter(({ type }) => type === 'moov' || DESCRIBES.includes(type)) ?? []
  if (wanted.length === 0) return false
  const file = await open(path, 'r+')
  let changed = false
  try {
    for (const box of wanted) {
      if (box.type !== 'moov') {
        await file.write(Buffer.from('free', 'latin1'), 0, 4, box.start + 4)
        await zero(file, box.body, box.end)
        changed = true
        continue
      }
      const { buffer } = await file.read(Buffer.alloc(box.end - box.body), 0, box.end - box.body, box.body)
      if (!blank(buffer)) continue
      await file.write(buffer, 0, buffer.length, box.body)
      changed = true
    }
    return changed
  } finally {
    await file.close()
  }
}

/** `left`: how many boxes may still be read; a video has some dozens, and only crafted ones have more. */
function blank(bytes: Buffer, left = { boxes: MOST_BOXES }, depth = 0): boolean {
  let changed = false
  for (let at = 0; at < bytes.length;) {
    const box = boxIn(bytes, at, 0, bytes.length)
    left.boxes -= 1
    if (!box || box.end > bytes.length || left.boxes < 0) return changed
    if (DESCRIBES.includes(box.type)) {
      bytes.write('free', at + 4, 'latin1')
      bytes.fill(0, box.body, box.end)
      changed = true
    } else if (TIMED.includes(box.type)) {
      // version and flags, then the creation and modification times (8.2.2, 8.3.2, 8.4.2)
      const times = bytes.subarray(box.body + 4, box.body + 4 + (bytes[box.body] === 1 ? 16 : 8))
      changed ||= times.some((byte) => byte !== 0)
      times.fill(0)
    } else if (HOLDS.includes(box.type) && depth < DEEPEST)
      changed = blank(bytes.subarray(box.body, box.end), left, depth + 1) || changed
    at = box.end
  }
  return changed
}

const ZEROS = Buffer.alloc(64 * 1024)
async function zero(file: FileHandle, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += ZEROS.length) await file.write(ZEROS, 0, Math.min(ZEROS.length, to - at), at)
}
