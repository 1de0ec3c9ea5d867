import { open, rm, type FileHandle } from 'node:fs/promises'
import type { ImageFacts } from './decode.ts'
import { redrawToFile, isTurned } from './image.ts'
import { amendWebp, keptParts, PIECE, type Cleaned, type Source } from './keptParts.ts'

/*
 * Photos contain where and when they were taken, and platforms publish files as they were sent. Uploads are stored
 * without that: losslessly, unless the camera was held sideways. A file is read in pieces, however large it is.
 */

/**
 * A file without its metadata, next to the given one, or the file itself if there's nothing to remove. `redrawn`: it isn't
 * the same picture bit by bit, so that what was known of it may be different.
 */
export async function withoutMetadata(
  path: string,
  contentType: ImageFacts['contentType'],
): Promise<{ path: string; bytes: number; redrawn: boolean }> {
  const beside = `${path}.clean`
  const file = await open(path)
  try {
    const source = await sourceOf(file)
    const untouched = { path, bytes: source.size, redrawn: false }
    if (!isCleaned(contentType)) return untouched
    const redrawn = async () => ({
      path: beside,
      bytes: await redrawToFile(path, beside, contentType),
      redrawn: true,
    })
    if (await isTurned(path)) return await redrawn()
    let kept = 0
    const isWhole = await keptParts(source, contentType, (start, end) => void (kept += end - start))
    // unusually structured: nobody knows what it contains, but its pixels can be read
    if (!isWhole) return await redrawn()
    if (kept === source.size) return untouched
    await copyKept(source, contentType, beside)
    return { path: beside, bytes: kept, redrawn: false }
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

const isCleaned = (type: ImageFacts['contentType']): type is Cleaned => type !== 'image/avif' && type !== 'image/tiff'

async function copyKept(source: Source, contentType: Cleaned, to: string): Promise<void> {
  const target = await open(to, 'w+')
  try {
    await keptParts(source, contentType, async (start, end) => {
      for (let at = start; at < end; at += PIECE)
        await target.writeFile(await source.read(at, Math.min(PIECE, end - at)))
    })
    if (contentType !== 'image/webp') return
    const head = Buffer.alloc(21)
    await target.read(head, 0, head.length, 0)
    amendWebp(head, (await target.stat()).size)
    await target.write(head, 0, head.length, 0)
  } finally {
    await target.close()
  }
}

/** Reads ahead, so that small consecutive parts don't cause a disk read each. */
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
