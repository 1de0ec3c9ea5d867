// puts a backup into an empty DATA_DIR: restore <folder, .tar.gz or s3:name>
import { openBucket } from '../../objectStore/bucket.ts'
import { restore } from '../backup.ts'
import { bucketBackupName, restoreFromBucket } from '../bucketBackup.ts'
import { clusterPaths } from '../cluster.ts'
import { argument, command } from '../command.ts'

await command(async ({ env }) => {
  const source = argument('restore <folder, .tar.gz or s3:name>')
  if (env.DATABASE_URL) throw new Error('A backup can only be restored into DATA_DIR, but DATABASE_URL is set')
  const name = bucketBackupName(source)
  if (name !== undefined && !env.objectStore) throw new Error(`S3_BUCKET: set the bucket to read ${source} from`)
  const bucket = name !== undefined && env.objectStore ? await openBucket(env.objectStore) : undefined
  try {
    const paths = clusterPaths(env.DATA_DIR)
    const found =
      bucket && name !== undefined ? await restoreFromBucket(bucket, name, paths) : await restore(source, paths)
    return `The backup of ${found.takenAt} is in ${env.DATA_DIR}. After the next start, publishing waits for what was due since then`
  } finally {
    bucket?.close()
  }
})
