/** What the file system's codes mean. */
const meanings: Record<string, (path: string) => string> = {
  ENOENT: (path) => `${path} does not exist`,
  ENOTDIR: (path) => `${path} is not a folder`,
  EACCES: (path) => `This user can't read or write ${path}`,
  EPERM: (path) => `This user can't change ${path}`,
  EROFS: (path) => `${path} is on a read-only file system`,
  ENOSPC: (path) => `The disk is full: couldn't write ${path}`,
  EDQUOT: (path) => `The disk quota is exceeded: couldn't write ${path}`,
}

/** An error as a sentence for people: the file system's codes in plain words, any other message as it is. */
export function plainMessage(error: Error): string {
  if (!('code' in error) || typeof error.code !== 'string') return error.message
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'a file'
  return meanings[error.code]?.(path) ?? error.message
}
