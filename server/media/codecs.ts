/** How a video's pixels are stored, where its codec says so. */
export type Pixels = { bitDepth: number | null; chroma: string | null }
const UNKNOWN: Pixels = { bitDepth: null, chroma: null }
const subsampling = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'] as const

/** The bits per color and the chroma subsampling, from what a container says about its codec. */
export function pixelsOf(codec: string | null, parameters: string | null, description: Uint8Array | undefined): Pixels {
  if (codec === 'avc') return avcPixels(description)
  if (codec === 'hevc') return hevcPixels(description)
  if (codec === 'vp8') return { bitDepth: 8, chroma: '4:2:0' }
  if (codec === 'vp9') return vp9Pixels(parameters)
  if (codec === 'av1') return av1Pixels(parameters)
  return codec === 'prores' ? proresPixels(parameters) : UNKNOWN
}

/** Profiles that may have other pixels, and then say which; all others are 8 bits, 4:2:0 (ITU-T H.264, A.2). */
const SAYING = [110, 122, 144, 244]

/** ISO/IEC 14496-15, 5.3.3: both follow the parameter sets. */
function avcPixels(config: Uint8Array | undefined): Pixels {
  if (!config || config.length < 7) return UNKNOWN
  if (!SAYING.includes(config[1] ?? 0)) return { bitDepth: 8, chroma: '4:2:0' }
  let at = 6
  const skip = (sets: number) => {
    for (let i = 0; i < sets; i += 1) at += 2 + ((config[at] ?? 0) << 8) + (config[at + 1] ?? 0)
  }
  skip((config[5] ?? 0) & 0x1f)
  const others = config[at]
  at += 1
  skip(others ?? 0)
  const [chroma, depth] = [config[at], config[at + 1]]
  // some writers leave this out
  return chroma === undefined || depth === undefined
    ? UNKNOWN
    : { bitDepth: (depth & 7) + 8, chroma: subsampling[chroma & 3] ?? null }
}

/** ISO/IEC 14496-15, 8.3.3. */
function hevcPixels(config: Uint8Array | undefined): Pixels {
  const [chroma, depth] = [config?.[16], config?.[17]]
  return chroma === undefined || depth === undefined
    ? UNKNOWN
    : { bitDepth: (depth & 7) + 8, chroma: subsampling[chroma & 3] ?? null }
}

/** `vp09.profile.level.depth` (VP Codec ISO Media Binding): even profiles are 4:2:0. */
function vp9Pixels(parameters: string | null): Pixels {
  const [, profile, , depth] = parameters?.split('.') ?? []
  const isSubsampled = profile !== undefined && Number(profile) % 2 === 0
  return { bitDepth: Number(depth) || null, chroma: isSubsampled ? '4:2:0' : null }
}

/** `av01.profile.level.depth` (AV1 in ISO Base Media, 5): the main profile is 4:2:0, or gray. */
function av1Pixels(parameters: string | null): Pixels {
  const [, profile, , depth] = parameters?.split('.') ?? []
  const chroma = { 0: '4:2:0', 1: '4:4:4' }[Number(profile)]
  return { bitDepth: Number(depth) || null, chroma: chroma ?? null }
}

/** The kinds are named by their sample entries: those with 4444 have `4h` or `4x`. */
const proresPixels = (parameters: string | null): Pixels =>
  /^ap4[hx]$/.test(parameters ?? '') ? { bitDepth: 12, chroma: '4:4:4' } : { bitDepth: 10, chroma: '4:2:2' }

/** A codec by the container's own name for it, as far as it can be shown and compared. */
export function codecNamed(id: string | number | Uint8Array | null): string | null {
  const name = typeof id === 'string' ? id.trim().toLowerCase() : typeof id === 'number' ? String(id) : ''
  return /^[a-z0-9/_.-]{1,32}$/.test(name) ? name : null
}
