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
 * The name that a file is kept under: its own when it is made of letters, digits, dot, underscore and dash and its
 * extension says what it is, otherwise one built from the content type.
 */
export function fileName(given: string, contentType: string): string {
  const [extension, ...others] = extensions[contentType] ?? ['bin']
  if (!fileNamePattern.test(given)) return `${nouns[contentType.split('/')[0] ?? ''] ?? 'file'}.${extension}`
  const own = given.slice(given.lastIndexOf('.') + 1).toLowerCase()
  return own === extension || others.includes(own) ? given : `${given.slice(0, given.lastIndexOf('.'))}.${extension}`
}

/**
 * What people call a file whose own name can't be its file name: one line, without a path, controls and marks that turn
 * the direction of what follows. Null where the file name says it already, or nothing is left.
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
