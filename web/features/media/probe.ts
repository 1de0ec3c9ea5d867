/**
 * What the browser can find out about a file before a byte is sent. Types are read from the bytes, never from the name.
 */
export type Probed = {
  contentType: string
  bytes: number
  width: number | null
  height: number | null
  seconds: number | null
  videoCodec: string | null
  audioCodec: string | null
  frameRate: number | null
}

const signatures: readonly { type: string; test: (bytes: Uint8Array) => boolean }[] = [
  { type: 'image/jpeg', test: (b) => b[0] === 0xff && b[1] === 0xd8 && b[2] === 0xff },
  { type: 'image/png', test: (b) => text(b, 1, 4) === 'PNG' },
  { type: 'image/gif', test: (b) => text(b, 0, 4) === 'GIF8' },
  { type: 'image/webp', test: (b) => text(b, 0, 4) === 'RIFF' && text(b, 8, 12) === 'WEBP' },
  { type: 'image/avif', test: (b) => text(b, 4, 12) === 'ftypavif' },
  { type: 'image/heic', test: (b) => /^ftyp(heic|heix|mif1|msf1)$/.test(text(b, 4, 12)) },
  { type: 'image/tiff', test: (b) => ['II*\0', 'MM\0*'].includes(text(b, 0, 4)) },
  { type: 'video/quicktime', test: (b) => text(b, 4, 12) === 'ftypqt  ' },
  { type: 'video/3gpp', test: (b) => /^ftyp3g[p2]/.test(text(b, 4, 12)) },
  { type: 'video/mp4', test: (b) => text(b, 4, 8) === 'ftyp' && !/^M4[AB] $/.test(text(b, 8, 12)) },
  { type: 'video/webm', test: (b) => b[0] === 0x1a && b[1] === 0x45 && b[2] === 0xdf && b[3] === 0xa3 },
  { type: 'video/x-msvideo', test: (b) => text(b, 0, 4) === 'RIFF' && text(b, 8, 12) === 'AVI ' },
  { type: 'video/mpeg', test: (b) => b[0] === 0 && b[1] === 0 && b[2] === 1 && (b[3] === 0xba || b[3] === 0xb3) },
  { type: 'video/x-ms-wmv', test: (b) => b[0] === 0x30 && text(b, 1, 4) === '&²u' },
  { type: 'application/pdf', test: (b) => text(b, 0, 5) === '%PDF-' },
]

/** The content type by the first bytes; otherwise the browser's claim. */
export function sniff(bytes: Uint8Array, claimed: string): string {
  const known = signatures.find((signature) => signature.test(bytes))?.type
  if (known) return known
  // a name doesn't make an image: what claims to be one and isn't counts as a document
  return claimed && !/^(image|video)\//.test(claimed)
    ? claimed
    : claimed === 'image/svg+xml'
      ? claimed
      : 'application/octet-stream'
}

/**
 * Reads type, size and dimensions, and a video's length. What the browser can't read stays null: the server will say.
 */
export async function probe(file: Blob): Promise<Probed> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer())
  const contentType = sniff(head, file.type)
  const known = { contentType, bytes: file.size }
  if (contentType.startsWith('video/')) return { ...known, ...(await filmOf(file)) }
  const sides = contentType.startsWith('image/') ? await sidesOf(file) : undefined
  return { ...known, ...NOTHING, ...sides }
}

const NOTHING: Omit<Probed, 'contentType' | 'bytes'> = {
  width: null,
  height: null,
  seconds: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
}

/** The video reader loads with the first one. It reads the beginning and the index, not the whole video. */
async function filmOf(file: Blob): Promise<typeof NOTHING> {
  try {
    const { probeFilm } = await import('./probeFilm.ts')
    return (await probeFilm(file)) ?? NOTHING
  } catch {
    // a container that isn't supported here, or a reader that didn't load
    return NOTHING
  }
}

async function sidesOf(file: Blob): Promise<{ width: number; height: number } | undefined> {
  try {
    const bitmap = await createImageBitmap(file)
    const { width, height } = bitmap
    bitmap.close()
    return { width, height }
  } catch {
    // the browser can't read this format; the server will say what it is
    return undefined
  }
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}
