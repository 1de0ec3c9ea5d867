import { fileNamePattern } from '#contract/media.ts'

const extensions: Record<string, readonly [string, ...string[]]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/tiff': ['tiff', 'tif'],
}

/**
 * The name that a file is kept under: its own when it is made of letters, digits, dot, underscore and dash and its
 * extension says what it is, otherwise one built from the content type.
 */
export function fileName(given: string, contentType: string): string {
  const [extension, ...others] = extensions[contentType] ?? ['bin']
  if (!fileNamePattern.test(given)) return `${contentType.split('/')[0] || 'file'}.${extension}`
  const own = given.slice(given.lastIndexOf('.') + 1).toLowerCase()
  return own === extension || others.includes(own) ? given : `${given.slice(0, given.lastIndexOf('.'))}.${extension}`
}
