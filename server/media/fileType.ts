import { open } from 'node:fs/promises'

/** What can be attached; what a platform does not take is converted when the person agrees. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'] as const
export type ImageType = (typeof imageTypes)[number]
/** What some platform takes (contract/platforms). */
export const videoTypes = [
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'video/x-msvideo',
  'video/mpeg',
  'video/x-ms-wmv',
  'video/3gpp',
] as const
export type VideoType = (typeof videoTypes)[number]
export type FileType = ImageType | VideoType | 'application/pdf'

const WMV = '\x30\x26\xb2\x75\x8e\x66\xcf\x11'
const HEAD = 64

/** The type that the first bytes are the signature of; never by a name. Undefined for what cannot be attached. */
export function typeOf(bytes: Uint8Array): FileType | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1')
  return imageTypeOf(head) ?? videoTypeOf(head) ?? (head.startsWith('%PDF-') ? 'application/pdf' : undefined)
}

/** The same for pictures only. */
export function pictureTypeOf(bytes: Uint8Array): ImageType | undefined {
  return imageTypeOf(Buffer.from(bytes.subarray(0, HEAD)).toString('latin1'))
}

function imageTypeOf(head: string): ImageType | undefined {
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  if (head.slice(4, 8) === 'ftyp' && /^avi[fs]/.test(head.slice(8, 12))) return 'image/avif'
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'image/tiff'
  return undefined
}

function videoTypeOf(head: string): VideoType | undefined {
  const [box, brand] = [head.slice(4, 8), head.slice(8, 12)]
  if (box === 'ftyp') {
    if (brand === 'qt  ') return 'video/quicktime'
    if (/^3g[p2]/.test(brand)) return 'video/3gpp'
    // pictures and sounds in the same container
    return /^(?:hei[cxms]|hev[cxms]|mif1|msf1|M4A |M4B )$/.test(brand) ? undefined : 'video/mp4'
  }
  if (head.startsWith('\x1a\x45\xdf\xa3') && head.includes('webm')) return 'video/webm'
  if (head.startsWith('RIFF') && brand === 'AVI ') return 'video/x-msvideo'
  if (head.startsWith('\0\0\x01\xba') || head.startsWith('\0\0\x01\xb3')) return 'video/mpeg'
  return head.startsWith(WMV) ? 'video/x-ms-wmv' : undefined
}

/** The first bytes of a file on this machine. */
export async function beginningOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export type FileKind = 'image' | 'video' | 'document'
/** The kind of a content type, also of an announced one. */
export const kindOf = (type: string): FileKind =>
  type.startsWith('image/') ? 'image' : type.startsWith('video/') ? 'video' : 'document'
