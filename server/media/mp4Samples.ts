import { boxIn, type Box } from './mp4Boxes.ts'

/** A stretch of the file: `start` to `end`, exclusive. */
export type Stretch = { start: number; end: number }

/** How much of its tables a file may still make us read: of all its tracks together, since it may have any number. */
export type Left = { samples: number; chunks: number }

/** A day of telemetry at 30 per second has fewer. */
export const mostOfAFile = (): Left => ({ samples: 4_000_000, chunks: 500_000 })

/** Takes from what is left. Throws where there isn't enough: the file was crafted. */
function spend(left: Left, what: keyof Left, n: number): number {
  left[what] -= n
  if (left[what] < 0) throw new Error(`The video announces too many ${what}`)
  return n
}

/** The boxes directly inside of these bytes, up to one that is damaged. */
export function* boxesIn(bytes: Buffer, most = 100_000): Generator<Box> {
  let left = most
  for (let at = 0; at < bytes.length && left > 0; left -= 1) {
    const box = boxIn(bytes, at, 0, bytes.length)
    if (!box || box.end > bytes.length) return
    yield box
    at = box.end
  }
}

/** The content of the first box of this type, following a path from box to box. */
export function find(bytes: Buffer, ...path: string[]): Buffer | undefined {
  let inside: Buffer | undefined = bytes
  for (const type of path) {
    const holder: Buffer = inside
    const box = boxesIn(holder).find((one) => one.type === type)
    if (!box) return undefined
    inside = holder.subarray(box.body, box.end)
  }
  return inside
}

/** What a track's samples are (8.4.3): `vide`, `soun`, `meta`; empty if it doesn't say. */
export const handlerOf = (track: Buffer): string => find(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12) ?? ''

/** The track's number, which fragments name (8.3.2). */
export function trackId(track: Buffer): number | undefined {
  const head = find(track, 'tkhd')
  const at = head?.[0] === 1 ? 20 : 12
  return head && head.length >= at + 4 ? head.readUInt32BE(at) : undefined
}

/** How many numbers of this many bytes a table has from `at` on, if it announces `count`. */
const countIn = (table: Buffer, at: number, count: number, bytes: number): number =>
  Math.max(0, Math.min(count, Math.floor((table.length - at) / bytes)))

/** Where a track's samples are: chunk by chunk (8.7.3 to 8.7.5). Throws for a table that is longer than what is left. */
export function samplesOf(track: Buffer, left: Left): Stretch[] {
  const table = find(track, 'mdia', 'minf', 'stbl')
  if (!table) return []
  const sizes = sizesOf(find(table, 'stsz'), find(table, 'stz2'), left)
  const chunks = chunksOf(find(table, 'stco'), find(table, 'co64'), left)
  const map = find(table, 'stsc')
  if (!sizes || !map || map.length < 8) return []
  const entries = Math.min(map.readUInt32BE(4), Math.floor((map.length - 8) / 12))
  const found: Stretch[] = []
  let [entry, sample] = [0, 0]
  for (const [i, start] of chunks.entries()) {
    while (entry + 1 < entries && map.readUInt32BE(8 + 12 * (entry + 1)) <= i + 1) entry += 1
    const inChunk = Math.min(entries > 0 ? map.readUInt32BE(12 + 12 * entry) : 0, sizes.count - sample)
    const end = start + sizes.sum(sample, inChunk)
    sample += inChunk
    if (end > start) found.push({ start, end })
  }
  return found
}

/** How many samples there are, and the bytes of `n` of them from one on. */
type Sizes = { count: number; sum: (from: number, n: number) => number }

function sizesOf(even: Buffer | undefined, compact: Buffer | undefined, left: Left): Sizes | undefined {
  const table = (count: number, at: (i: number) => number): Sizes => ({
    count: spend(left, 'samples', count),
    sum: (from, n) => {
      let bytes = 0
      for (let i = from; i < from + n; i += 1) bytes += at(i)
      return bytes
    },
  })
  if (even && even.length >= 12) {
    const [all, announced] = [even.readUInt32BE(4), even.readUInt32BE(8)]
    if (all > 0) return { count: announced, sum: (_from, n) => n * all }
    return table(countIn(even, 12, announced, 4), (i) => even.readUInt32BE(12 + 4 * i))
  }
  if (!compact || compact.length < 12) return undefined
  const bits = compact[7] ?? 0
  if (![4, 8, 16].includes(bits)) return undefined
  const count = Math.min(compact.readUInt32BE(8), Math.floor(((compact.length - 12) * 8) / bits))
  return table(count, (i) => {
    if (bits === 16) return compact.readUInt16BE(12 + 2 * i)
    const byte = compact[12 + (bits === 8 ? i : i >> 1)] ?? 0
    return bits === 8 ? byte : i % 2 === 0 ? byte >> 4 : byte & 15
  })
}

function chunksOf(short: Buffer | undefined, long: Buffer | undefined, left: Left): number[] {
  if (short && short.length >= 8)
    return Array.from({ length: spend(left, 'chunks', countIn(short, 8, short.readUInt32BE(4), 4)) }, (_, i) =>
      short.readUInt32BE(8 + 4 * i),
    )
  if (!long || long.length < 8) return []
  const count = spend(left, 'chunks', countIn(long, 8, long.readUInt32BE(4), 8))
  return Array.from({ length: count }, (_, i) => Number(long.readBigUInt64BE(8 + 8 * i)))
}

/**
 * Where the samples of one track fragment are (8.8.7, 8.8.8). `moof`: where its fragment begins in the file. Throws for a
 * table that is longer than what is left.
 */
export function samplesOfFragment(traf: Buffer, moof: number, defaultSize: number, left: Left): Stretch[] {
  const head = find(traf, 'tfhd')
  if (!head || head.length < 8) return []
  const flags = head.readUInt32BE(0) & 0xffffff
  let at = 8
  const base = flags & 1 && head.length >= 16 ? Number(head.readBigUInt64BE(8)) : moof
  if (flags & 1) at += 8
  if (flags & 2) at += 4
  if (flags & 8) at += 4
  const size = flags & 0x10 && head.length >= at + 4 ? head.readUInt32BE(at) : defaultSize
  const found: Stretch[] = []
  let next = base
  for (const { type, body, end } of boxesIn(traf)) {
    const run = traf.subarray(body, end)
    if (type !== 'trun' || run.length < 8) continue
    const stretch = runOf(run, base, next, size, left)
    next = stretch.end
    if (stretch.end > stretch.start) found.push(stretch)
  }
  return found
}

function runOf(run: Buffer, base: number, next: number, defaultSize: number, left: Left): Stretch {
  const flags = run.readUInt32BE(0) & 0xffffff
  const each = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length
  let at = 8
  const start = flags & 1 && run.length >= 12 ? base + run.readInt32BE(8) : next
  if (flags & 1) at += 4
  if (flags & 4) at += 4
  const announced = run.readUInt32BE(4)
  spend(left, 'chunks', 1)
  if (!(flags & 0x200)) return { start, end: start + announced * defaultSize }
  const count = spend(left, 'samples', countIn(run, at, announced, each))
  const own = flags & 0x100 ? 4 : 0
  let end = start
  for (let i = 0; i < count; i += 1) end += run.readUInt32BE(at + each * i + own)
  return { start, end }
}

/** Stretches without overlaps, in order, as far as they're inside of `within`: a crafted file names others. */
export function joined(stretches: readonly Stretch[], within: readonly Stretch[]): Stretch[] {
  const all = union(stretches)
  const boxes = union(within)
  const found: Stretch[] = []
  for (let [i, j] = [0, 0]; ;) {
    const [one, box] = [all[i], boxes[j]]
    if (!one || !box) return found
    const [start, end] = [Math.max(one.start, box.start), Math.min(one.end, box.end)]
    if (end > start) found.push({ start, end })
    if (one.end < box.end) i += 1
    else j += 1
  }
}

function union(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = []
  for (const one of stretches.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last && one.start <= last.end) last.end = Math.max(last.end, one.end)
    else all.push({ ...one })
  }
  return all
}
