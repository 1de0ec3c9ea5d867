import { join } from 'node:path'
import { exportFiles, objectExports, type ExportFiles } from './dataRights/files.ts'
import type { Env } from './env.ts'
import type { Log } from './log.ts'
import { diskStore } from './media/diskStore.ts'
import { objectMedia } from './media/objectMedia.ts'
import { objectStaging } from './media/objectStaging.ts'
import { diskStaging, type UploadStaging } from './media/staging.ts'
import type { MediaStore } from './media/store.ts'
import { scratchFolder } from './media/uploads.ts'
import { openBucket, type Bucket } from './objectStore/bucket.ts'

export type Files = {
  media: MediaStore
  staging: UploadStaging
  exports: ExportFiles
  bucket: Bucket | undefined
  close(): void
}

/**
 * Everything that keeps files: on this machine's disk, or in the object store that S3_BUCKET names, and then DATA_DIR
 * is scratch space only. Throws a sentence for people when the object store can't be used.
 */
export async function openFiles(env: Pick<Env, 'DATA_DIR' | 'objectStore'>, log: Pick<Log, 'error'>): Promise<Files> {
  const { DATA_DIR: dataDir, objectStore } = env
  if (!objectStore)
    return {
      media: diskStore(join(dataDir, 'media')),
      staging: diskStaging(scratchFolder(env)),
      exports: exportFiles(dataDir),
      bucket: undefined,
      close: () => {},
    }
  const bucket = await openBucket(objectStore, (error) => log.error({ err: error }, 'the object store failed'))
  return {
    media: objectMedia(bucket),
    staging: objectStaging(bucket, scratchFolder(env)),
    exports: objectExports(bucket, dataDir),
    bucket,
    close: () => bucket.close(),
  }
}
