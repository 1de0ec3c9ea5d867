import { readFile, writeFile } from 'node:fs/promises'
import type { ImageFacts } from './image.ts'
import { uprightCopy } from './image.ts'

/*
 * Photos tell where and when they were taken, and platforms hand the file out as it was sent. What people upload is
 * kept without that: losslessly, unless the camera held the picture sideways.
 */

/** A file without its metadata, beside the given one, or the file itself when there is nothing to take off. */
export async function withoutMetadata(path: string, contentType: ImageFacts['contentType']): Promise<{ path: string; bytes: number }> {
  const bytes = await readFile(path)
  const clean = await cleanPicture(bytes, contentType)
  if (clean.equals(bytes)) return { path, bytes: bytes.length }
  const beside = `${path}.clean`
  await writeFile(beside, clean)
  return { path: beside, bytes: clean.length }
}

/** The same of a picture in memory. */
async function cleanPicture(bytes: Buffer, contentType: ImageFacts['contentType']): Promise<Buffer> {
  if (contentType === 'image/jpeg') return (await uprightCopy(bytes)) ?? cleanJpeg(bytes)
  return contentType === 'image/png' ? cleanPng(bytes) : bytes
}

const [SOI, EOI, SOS] = [0xd8, 0xd9, 0xda]
/** Segments that only describe: Exif and XMP, IPTC, comments, and applications' own. */
const describes = (marker: number, body: Buffer): boolean => {
  if (marker === 0xfe) return true
  if (marker < 0xe1 || marker > 0xef) return false
  const isProfile = marker === 0xe2 && body.subarray(0, 11).toString('latin1') === 'ICC_PROFILE'
  // 0xee says how Adobe coded the colours: without it they are wrong
  return !isProfile && marker !== 0xee
}

/** A JPEG without the segments that describe it, and without whatever follows its end. Its pixels are the same bytes. */
function cleanJpeg(bytes: Buffer): Buffer {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return bytes
  const parts = [bytes.subarray(0, 2)]
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === EOI) return Buffer.concat([...parts, bytes.subarray(at, at + 2)])
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const stop = marker === SOS ? endOfScan(bytes, end) : end
    if (!describes(marker, bytes.subarray(at + 4, end))) parts.push(bytes.subarray(at, stop))
    at = stop
  }
  const isEnd = bytes[at] === 0xff && bytes[at + 1] === EOI
  return isEnd ? Buffer.concat([...parts, bytes.subarray(at, at + 2)]) : bytes
}

/** Where the coded pixels end: at the first marker that is neither an escaped byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

const PNG_HEAD = 8
const described = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])

/** A PNG without the chunks that describe it, and without whatever follows its end. */
function cleanPng(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, PNG_HEAD)]
  let at = PNG_HEAD
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const kind = bytes.subarray(at + 4, at + 8).toString('latin1')
    if (end > bytes.length) return bytes
    if (!described.has(kind)) parts.push(bytes.subarray(at, end))
    if (kind === 'IEND') return Buffer.concat(parts)
    at = end
  }
  return bytes
}
