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
export function boxIn(bytes: Buffer, offset: number, base: number, end: number): Box | undefined {
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
