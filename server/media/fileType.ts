import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'

/** What can be attached; what a platform doesn't accept is converted if the person agrees. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'] as const
export type ImageType = (typeof imageTypes)[number]
/** What at least one platform accepts (contract/platforms). */
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

/** Other names for the same format. */
const otherNames: Readonly<Record<string, FileType>> = {
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
  'video/3gpp2': 'video/3gpp',
  'video/vnd.avi': 'video/x-msvideo',
  'video/MP1S': 'video/mpeg',
  'video/MP2P': 'video/mpeg',
  'video/x-ms-asf': 'video/x-ms-wmv',
}
const accepted = new Set<string>([...imageTypes, ...videoTypes, 'application/pdf'])
const isAccepted = (mime: string): mime is FileType => accepted.has(mime)

/** The type by a file's first bytes, never by its name. Undefined for what can't be attached. */
export async function typeOf(file: string | Uint8Array): Promise<FileType | undefined> {
  const found = await (typeof file === 'string' ? fileTypeFromFile(file) : fileTypeFromBuffer(file))
  const mime = found && (otherNames[found.mime] ?? found.mime)
  return mime !== undefined && isAccepted(mime) ? mime : undefined
}

/** The same for images only. */
export async function pictureTypeOf(file: string | Uint8Array): Promise<ImageType | undefined> {
  const type = await typeOf(file)
  return imageTypes.find((one) => one === type)
}

export type FileKind = 'image' | 'video' | 'document'
/** The kind of a content type, also of an announced one. */
export const kindOf = (type: string): FileKind =>
  type.startsWith('image/') ? 'image' : type.startsWith('video/') ? 'video' : 'document'
