/*
 * MP4 and QuickTime files written box by box (ISO/IEC 14496-12), with what no encoder here writes: codecs that nobody
 * can decode, telemetry, fragments, more bits than eight. Samples are noise, because nobody decodes them.
 */

export type MovieTrack = {
  /** What its samples are: `vide`, `soun`, `meta`. */
  handler: string
  /** Its sample entry: `avc1`, `apch`, `gpmd`. */
  entry: string
  /** Boxes inside of the entry, such as `avcC`. */
  config?: Buffer
  samples: readonly Buffer[]
  /** How long each sample is shown, in seconds. */
  each?: number
  width?: number
  height?: number
  /** Degrees clockwise. */
  rotation?: 0 | 90 | 180 | 270
  /** Further boxes of the track. */
  more?: Buffer
}

const TIMESCALE = 30_000
const u16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
const zeros = (length: number) => Buffer.alloc(length)

/** A box of this type. */
export const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

const matrices = {
  0: [1, 0, 0, 1],
  90: [0, 1, -1, 0],
  180: [-1, 0, 0, -1],
  270: [0, -1, 1, 0],
} as const
const matrixOf = (rotation: keyof typeof matrices) => {
  const [a, b, c, d] = matrices[rotation].map((one) => u32((one * 0x10000) >>> 0)) as [Buffer, Buffer, Buffer, Buffer]
  return Buffer.concat([a, b, zeros(4), c, d, zeros(4), zeros(8), u32(0x40000000)])
}

const hasPicture = ({ handler }: MovieTrack) => handler === 'vide'

function entryOf({ handler, entry, config = zeros(0), width = 640, height = 360 }: MovieTrack): Buffer {
  const head = Buffer.concat([zeros(6), u16(1)])
  if (handler === 'vide')
    return box(
      entry,
      head,
      zeros(16),
      u16(width),
      u16(height),
      u32(0x480000),
      u32(0x480000),
      zeros(4),
      u16(1),
      zeros(32),
      u16(24),
      u16(0xffff),
      config,
    )
  if (handler === 'soun') return box(entry, head, zeros(8), u16(2), u16(16), zeros(4), u32(48_000 * 0x10000), config)
  return box(entry, head, config)
}

const mediaHeads: Record<string, Buffer> = {
  vide: box('vmhd', u32(1), zeros(8)),
  soun: box('smhd', zeros(8)),
}

function trackBox(track: MovieTrack, id: number, offset: number, ticks: number): Buffer {
  const { samples, width = 640, height = 360, rotation = 0, more = zeros(0) } = track
  const duration = samples.length * ticks
  const [across, down] = hasPicture(track) ? [width, height] : [0, 0]
  const sampleTable = box(
    'stbl',
    box('stsd', zeros(4), u32(1), entryOf(track)),
    box('stts', zeros(4), u32(1), u32(samples.length), u32(ticks)),
    box('stsc', zeros(4), u32(1), u32(1), u32(samples.length), u32(1)),
    box('stsz', zeros(8), u32(samples.length), ...samples.map(({ length }) => u32(length))),
    box('stco', zeros(4), u32(1), u32(offset)),
  )
  return box(
    'trak',
    box(
      'tkhd',
      u32(3),
      zeros(8),
      u32(id),
      zeros(4),
      u32(duration),
      zeros(16),
      matrixOf(rotation),
      u32(across * 0x10000),
      u32(down * 0x10000),
    ),
    box(
      'mdia',
      box('mdhd', zeros(12), u32(TIMESCALE), u32(duration), u16(0x55c4), zeros(2)),
      box('hdlr', zeros(8), Buffer.from(track.handler, 'latin1'), zeros(13)),
      box(
        'minf',
        mediaHeads[track.handler] ?? box('nmhd', zeros(4)),
        box('dinf', box('dref', zeros(4), u32(1), box('url ', u32(1)))),
        sampleTable,
      ),
    ),
    more,
  )
}

/**
 * A file with these tracks, each in one chunk, in this order. `more` are further boxes of its index, such as `udta`;
 * `brand` is `qt  ` for QuickTime.
 */
export function makeMovie(
  tracks: readonly MovieTrack[],
  { brand = 'isom', more = zeros(0) }: { brand?: string; more?: Buffer } = {},
): Buffer {
  const start = box('ftyp', Buffer.from(brand, 'latin1'), u32(512), Buffer.from(brand, 'latin1'))
  const media = box('mdat', ...tracks.flatMap(({ samples }) => samples))
  let offset = start.length + 8
  const boxes = tracks.map((track, i) => {
    const at = offset
    offset += track.samples.reduce((sum, { length }) => sum + length, 0)
    return trackBox(track, i + 1, at, ticksOf(track))
  })
  const longest = Math.max(...tracks.map((track) => track.samples.length * ticksOf(track)))
  const head = box(
    'mvhd',
    zeros(12),
    u32(TIMESCALE),
    u32(longest),
    u32(0x10000),
    u16(0x100),
    zeros(10),
    matrixOf(0),
    zeros(24),
    u32(tracks.length + 1),
  )
  return Buffer.concat([start, media, box('moov', head, ...boxes, more)])
}

const ticksOf = ({ each = 1 }: MovieTrack) => Math.round(each * TIMESCALE)

/** The same as fragments: the index has no samples, each fragment has one of each track (8.8). */
export function makeFragments(tracks: readonly MovieTrack[]): Buffer {
  const empty = tracks.map((track) => ({ ...track, samples: [] }))
  const extended = box(
    'mvex',
    ...tracks.map((track, i) => box('trex', zeros(4), u32(i + 1), u32(1), u32(ticksOf(track)), zeros(8))),
  )
  const index = makeMovie(empty, { more: extended })
  const rounds = Math.max(...tracks.map(({ samples }) => samples.length))
  const fragments = Array.from({ length: rounds }, (_, round) => {
    const given = tracks.flatMap((track, i) => {
      const sample = track.samples[round]
      return sample ? [{ sample, track: i + 1, time: round * ticksOf(track) }] : []
    })
    const build = (size: number) => {
      let at = size + 8
      return box(
        'moof',
        box('mfhd', zeros(4), u32(round + 1)),
        ...given.map(({ sample, track, time }) => {
          const from = at
          at += sample.length
          return box(
            'traf',
            box('tfhd', u32(0x020000), u32(track)),
            box('tfdt', u32(0x01000000), u64(time)),
            box('trun', u32(0x201), u32(1), u32(from), u32(sample.length)),
          )
        }),
      )
    }
    const moof = build(build(0).length)
    return Buffer.concat([moof, box('mdat', ...given.map(({ sample }) => sample))])
  })
  return Buffer.concat([index, ...fragments])
}

/**
 * H.264's configuration: high profiles say their chroma format and depth, unless the writer is `terse` (ISO/IEC
 * 14496-15, 5.3.3).
 */
export const avcConfig = ({ profile = 0x64, chroma = 1, depth = 8, terse = false } = {}): Buffer =>
  box(
    'avcC',
    Buffer.from([1, profile, 0, 40, 0xff, 0xe1, 0, 4, 0x67, profile, 0, 40, 1, 0, 2, 0x68, 0xce]),
    Buffer.from(terse ? [] : [0xfc | chroma, 0xf8 | (depth - 8), 0xf8 | (depth - 8), 0]),
  )

/** H.265's configuration (8.3.3): chroma and depth are in its 17th to 19th byte. */
export function hevcConfig({ profile = 1, chroma = 1, depth = 8 } = {}): Buffer {
  const body = Buffer.alloc(23)
  body[0] = 1
  body[1] = profile
  body[12] = 93
  body.set([0xf0, 0, 0xfc, 0xfc | chroma, 0xf8 | (depth - 8), 0xf8 | (depth - 8)], 13)
  body[21] = 0x0f
  return box('hvcC', body)
}

/** AV1's (AV1 in ISO Base Media, 2.3): profile 0, 4:2:0. */
export const av1Config = ({ isHighDepth = false } = {}): Buffer =>
  box('av1C', Buffer.from([0x81, 0x08, isHighDepth ? 0x4c : 0x0c, 0]))

/** VP9's (VP Codec ISO Media Binding): 8 bits, 4:2:0. */
export const vp9Config = (): Buffer => box('vpcC', u32(0x01000000), Buffer.from([0, 31, 0x82, 1, 1, 1, 0, 0]))

/** AAC's: an elementary stream descriptor with a configuration of 48 kHz, stereo (ISO/IEC 14496-1). */
export const aacConfig = (): Buffer =>
  box(
    'esds',
    zeros(4),
    Buffer.from([3, 25, 0, 0, 0, 4, 17, 0x40, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2, 0x11, 0x90, 6, 1, 2]),
  )

/** This many samples of this length, each filled with its number and a beginning. */
export const noise = (count: number, length = 40, first = 1): Buffer[] =>
  Array.from({ length: count }, (_, i) => Buffer.alloc(length, (first + i) & 255))
