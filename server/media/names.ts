import { fileNamePattern } from '#contract/media.ts'

const extensions: Record<string, readonly [string, ...string[]]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/tiff': ['tiff', 'tif'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov', 'qt'],
  'video/webm': ['webm'],
  'video/x-msvideo': ['avi'],
  'video/mpeg': ['mpg', 'mpeg'],
  'video/x-ms-wmv': ['wmv'],
  'video/3gpp': ['3gp', '3g2'],
  'application/pdf': ['pdf'],
}

const nouns: Record<string, string> = { image: 'image', video: 'video', application: 'document' }

/**
 * The name that a file is stored under: its own if it consists of letters, digits, dots, underscores and dashes and its
 * extension is right, otherwise one built from the content type.
 */
export function fileName(given: string, contentType: string): string {
  const [extension, ...others] = extensions[contentType] ?? ['bin']
  if (!fileNamePattern.test(given)) return `${nouns[contentType.split('/')[0] ?? ''] ?? 'file'}.${extension}`
  const own = given.slice(given.lastIndexOf('.') + 1).toLowerCase()
  return own === extension || others.includes(own) ? given : `${given.slice(0, given.lastIndexOf('.'))}.${extension}`
}

/**
 * The display name of a file whose own name can't be its file name: one line, without a path, control characters and
 * direction marks. Null if the file name is the same, or nothing is left.
 */
export function displayName(given: string): string | null {
  if (fileNamePattern.test(given)) return null
  const bare = given
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .toWellFormed()
  return bare || null
}
