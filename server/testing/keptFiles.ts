import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Bucket } from '../objectStore/bucket.ts'

/** Whether this run keeps files in an object store. */
export const inObjectStore = inject('objectStore') !== undefined

/** What an app keeps of files, on the disk or in its object store, as tests look behind it. */
export function keptFilesOf(dataDir: string, bucket: Bucket | undefined) {
  const uploads = join(dataDir, 'media', 'uploads')
  const inFolder = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
  const inBucket = async (prefix: string) => {
    const names: string[] = []
    if (bucket) for await (const { key } of bucket.list(prefix)) names.push(key.slice(prefix.length))
    return names
  }
  return {
    /** Everything of an upload that isn't a file of the library yet. */
    ofUpload: async (assetId: string) => [
      ...inFolder(uploads).filter((name) => name.startsWith(assetId)),
      ...(await inBucket(`uploads/${assetId}`)),
    ],
    /** Names in the scratch folder of this machine. */
    scratch: () => inFolder(uploads),
    /** How many bytes of an upload have been written down, also of a piece that is still growing. */
    arrived: (assetId: string) =>
      Math.max(
        0,
        ...inFolder(uploads)
          .filter((name) => name === assetId || name.startsWith('piece-'))
          .map((name) => statSync(join(uploads, name)).size),
      ),
    /** Adds bytes to an upload as a program does that ends right after its last byte. */
    async addBytes(assetId: string, bytes: Uint8Array, offset = 0) {
      if (bucket) await bucket.put(`uploads/${assetId}/${String(offset).padStart(15, '0')}`, bytes)
      else appendFileSync(join(uploads, assetId), bytes)
    },
    /** The files of an organization in the media store. */
    ofOrganization: async (orgId: string) =>
      bucket ? await inBucket(`media/${orgId}/`) : inFolder(join(dataDir, 'media', orgId)),
    /** The copies of organizations' data. */
    exports: async () => [...inFolder(join(dataDir, 'exports')), ...(await inBucket('exports/'))],
  }
}
