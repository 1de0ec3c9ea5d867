import { open, type FileHandle } from 'node:fs/promises'
import { boxIn, readBoxes, type Box } from './mp4Boxes.ts'
import {
  boxesIn,
  find,
  handlerOf,
  joined,
  mostOfAFile,
  samplesOf,
  samplesOfFragment,
  trackId,
  type Left,
  type Stretch,
} from './mp4Samples.ts'

/*
 * Cameras and phones write where and when they filmed into boxes that describe the file, into tracks of their own next
 * to the picture, and into space that players skip. All of it is emptied in the file itself, so that every other byte
 * stays where it is.
 */

/** Boxes with metadata only: where it was filmed, with what, titles and comments. */
const DESCRIBES = ['udta', 'meta', 'uuid', 'XMP_']
/** What players need at the top and in the index; dashcams keep their positions in boxes that players skip. */
const NEEDED = ['ftyp', 'styp', 'moov', 'mdat', 'moof', 'mfra', 'sidx', 'ssix']
const NEEDED_IN_INDEX = ['mvhd', 'trak', 'mvex', 'iods', 'clip', 'ctab', 'prfl']
const HOLDS = ['trak', 'mdia']
/** Tracks contain media, which contain no other tracks. */
const DEEPEST = 4
const TIMED = ['mvhd', 'tkhd', 'mdhd']
/** Larger ones are refused (video.ts). */
const MOST_INDEX_BYTES = 64_000_000
/** More boxes are of a crafted file. */
const MOST_BOXES = 100_000

/** Tracks that are seen or heard, or say which frame is which. All others describe: gpmd, camm, mebx, rtmd, djmd. */
const SHOWN = ['vide', 'soun', 'auxv', 'pict', 'tmcd']
const TEXTS = ['text', 'subt', 'sbtl', 'clcp']
/** What drones write into subtitles, in each of them. */
const PLACES = /GPS|latitude|longitude/i
/** Enough of a track's first subtitles. */
const TEXT_BYTES = 64 * 1024

/**
 * Removes where and when a video was taken, in the file itself: boxes and tracks with metadata become free space of the
 * same size, their samples and creation times become zero. Returns whether anything was changed. Throws for a file that was
 * crafted to keep its reader busy. Runs in a thread of its own (inWorker.ts).
 */
export async function blankDescriptions(path: string): Promise<boolean> {
  const boxes = await readBoxes(path)
  if (!boxes) return false
  const file = await open(path, 'r+')
  try {
    let changed = false
    const gone: Gone = { hidden: [], tracks: new Map(), left: mostOfAFile() }
    for (const box of boxes) {
      if (box.type === 'moov' && box.size <= MOST_INDEX_BYTES) changed = (await blankIndex(file, box, gone)) || changed
      else if (!NEEDED.includes(box.type)) changed = (await free(file, box)) || changed
    }
    if (gone.tracks.size > 0)
      for (const box of boxes)
        if (box.type === 'moof' && box.size <= MOST_INDEX_BYTES) await blankFragment(file, box, gone)
    const media = boxes.filter(({ type }) => type === 'mdat').map(({ body, end }) => ({ start: body, end }))
    for (const { start, end } of joined(gone.hidden, media)) await zero(file, start, end)
    return changed || gone.hidden.length > 0
  } finally {
    await file.close()
  }
}

async function content(file: FileHandle, { body, end }: Box): Promise<Buffer> {
  return (await file.read(Buffer.alloc(end - body), 0, end - body, body)).buffer
}

/** What is removed: where samples were, and the numbers of tracks with the usual size of a sample in fragments. */
type Gone = { hidden: Stretch[]; tracks: Map<number, number>; left: Left }

async function blankIndex(file: FileHandle, index: Box, gone: Gone): Promise<boolean> {
  const bytes = await content(file, index)
  let changed = false
  const defaults = defaultSizes(find(bytes, 'mvex'))
  for (const box of boxesIn(bytes)) {
    const inside = bytes.subarray(box.body, box.end)
    const describing = box.type === 'trak' ? await describingSamples(file, inside, gone.left) : undefined
    if (describing) {
      for (const one of describing) gone.hidden.push(one)
      const id = trackId(inside)
      if (id !== undefined) gone.tracks.set(id, defaults.get(id) ?? 0)
    } else if (NEEDED_IN_INDEX.includes(box.type)) continue
    changed = freeIn(bytes, box) || changed
  }
  forgetDefaults(bytes, gone.tracks)
  changed = blank(bytes) || changed
  if (changed) await file.write(bytes, 0, bytes.length, index.body)
  return changed
}

/** Where the samples of a track are that describes; undefined for one that people see or hear, which stays. */
async function describingSamples(file: FileHandle, track: Buffer, left: Left): Promise<Stretch[] | undefined> {
  const handler = handlerOf(track)
  if (SHOWN.includes(handler)) return undefined
  const samples = samplesOf(track, left)
  return TEXTS.includes(handler) && (await saysNoPlaces(file, samples)) ? undefined : samples
}

/** Whether subtitles are for people. Those in fragments aren't read, and no platform shows them. */
async function saysNoPlaces(file: FileHandle, texts: readonly Stretch[]): Promise<boolean> {
  if (texts.length === 0) return false
  let words = ''
  for (const { start, end } of texts.slice(0, 20)) {
    const length = Math.min(end - start, TEXT_BYTES - words.length)
    if (length <= 0) break
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
    words += buffer.toString('latin1', 0, bytesRead)
  }
  return !PLACES.test(words)
}

/** The usual sizes of samples in fragments, by track (8.8.3). */
function defaultSizes(extended: Buffer | undefined): Map<number, number> {
  const sizes = new Map<number, number>()
  for (const { type, body, end } of extended ? boxesIn(extended) : [])
    if (extended && type === 'trex' && end - body >= 24)
      sizes.set(extended.readUInt32BE(body + 4), extended.readUInt32BE(body + 16))
  return sizes
}

/** Fragments can't announce samples of a track that isn't there. */
function forgetDefaults(index: Buffer, removed: ReadonlyMap<number, number>): void {
  const extended = find(index, 'mvex')
  for (const box of extended ? boxesIn(extended) : [])
    if (extended && box.type === 'trex' && removed.has(extended.readUInt32BE(box.body + 4))) freeIn(extended, box)
}

async function blankFragment(file: FileHandle, fragment: Box, { hidden, tracks, left }: Gone): Promise<void> {
  const bytes = await content(file, fragment)
  let changed = false
  for (const box of boxesIn(bytes)) {
    const inside = bytes.subarray(box.body, box.end)
    const head = box.type === 'traf' ? find(inside, 'tfhd') : undefined
    const size = head && head.length >= 8 ? tracks.get(head.readUInt32BE(4)) : undefined
    if (size === undefined) continue
    for (const one of samplesOfFragment(inside, fragment.start, size, left)) hidden.push(one)
    changed = freeIn(bytes, box) || changed
  }
  if (changed) await file.write(bytes, 0, bytes.length, fragment.body)
}

/** A box in the file becomes empty space. Returns whether it wasn't. */
async function free(file: FileHandle, box: Box): Promise<boolean> {
  const changed = (await zero(file, box.body, box.end)) || box.type !== 'free'
  await file.write(Buffer.from('free', 'latin1'), 0, 4, box.start + 4)
  return changed
}

function freeIn(bytes: Buffer, box: Box): boolean {
  const inside = bytes.subarray(box.body, box.end)
  const changed = box.type !== 'free' || inside.some((byte) => byte !== 0)
  bytes.write('free', box.start + 4, 'latin1')
  inside.fill(0)
  return changed
}

/** `left`: how many boxes may still be read; a video has some dozens, and only crafted ones have more. */
function blank(bytes: Buffer, left = { boxes: MOST_BOXES }, depth = 0): boolean {
  let changed = false
  for (let at = 0; at < bytes.length;) {
    const box = boxIn(bytes, at, 0, bytes.length)
    left.boxes -= 1
    if (!box || box.end > bytes.length || left.boxes < 0) return changed
    if (DESCRIBES.includes(box.type)) {
      freeIn(bytes, box)
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

const PIECE = 64 * 1024
const ZEROS = Buffer.alloc(PIECE)
/** Overwrites a stretch of the file with zeros, piece by piece. Returns whether it held anything else. */
async function zero(file: FileHandle, from: number, to: number): Promise<boolean> {
  let changed = false
  for (let at = from; at < to; at += PIECE) {
    const length = Math.min(PIECE, to - at)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, at)
    if (buffer.every((byte) => byte === 0)) continue
    changed = true
    await file.write(ZEROS, 0, length, at)
  }
  return changed
}
