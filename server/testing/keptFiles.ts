import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Bucket } from '../objectStore/bucket.ts'

/** Whether this run stores files in an object store. */
export const inObjectStore = inject('objectStore') !== undefined

/** An app's stored files, on the disk or in its object store, for tests to look behind the API. */
export function keptFilesOf(dataDir: string, bucket: Bucket | undefined) {
  const uploads = join(dataDir, 'media', 'uploads')
  const inFolder = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
  const inBucket = async (prefix: string) => {
    const names: string[] = []
    if (bucket) for await (const { key } of bucket.list(prefix)) names.push(key.slice(prefix.length))
    return names
  }
  return {
    /** Everything of an upload that isn't yet a file of the library. */
    ofUpload: async (assetId: string) => [
      ...inFolder(uploads).filter((name) => name.startsWith(assetId)),
      ...(await inBucket(`uploads/${assetId}`)),
    ],
    /** File names in this machine's scratch folder. */
    scratch: () => inFolder(uploads),
    /** How many bytes of an upload are stored, including those of an unfinished piece. */
    arrived: (assetId: string) =>
      Math.max(
        0,
        ...inFolder(uploads)
          .filter((name) => name === assetId || name.startsWith('piece-'))
          .map((name) => statSync(join(uploads, name)).size),
      ),
    /** Adds bytes to an upload like a process that dies right after its last byte. */
    async addBytes(assetId: string, bytes: Uint8Array, offset = 0) {
      if (bucket) await bucket.put(`uploads/${assetId}/${String(offset).padStart(15, '0')}`, bytes)
      else appendFileSync(join(uploads, assetId), bytes)
    },
    /** The files of an organization in the media store. */
    ofOrganization: async (orgId: string) =>
      bucket ? await inBucket(`media/${orgId}/`) : inFolder(join(dataDir, 'media', orgId)),
    /** Data exports of organizations. */
    exports: async () => [...inFolder(join(dataDir, 'exports')), ...(await inBucket('exports/'))],
  }
}
