// copies the embedded database, media and keys; with S3_BUCKET, s3:<name> puts it there: backup <new folder, .tar.gz or s3:name>
import { resolve } from 'node:path'
import { openBucket } from '../../objectStore/bucket.ts'
import { backup } from '../backup.ts'
import { backupToBucket, bucketBackupName } from '../bucketBackup.ts'
import { argument, command } from '../command.ts'
import { rememberBackup } from '../lastBackup.ts'
import { withDatabase } from '../withDatabase.ts'

await command(async ({ env, clock }) => {
  const target = argument('backup <new folder, .tar.gz or s3:name>')
  const name = bucketBackupName(target)
  if (name !== undefined && !env.objectStore) throw new Error(`S3_BUCKET: set the bucket to write ${target} to`)
  // files in the object store aren't part of a copy of DATA_DIR
  const missing = env.objectStore
    ? `. It doesn't include files and exports, which are in the bucket "${env.objectStore.bucket}". Turn on versioning for that bucket`
    : ''
  const bucket = name !== undefined && env.objectStore ? await openBucket(env.objectStore) : undefined
  try {
    const made = await withDatabase(env, (reached) =>
      bucket && name !== undefined
        ? backupToBucket(reached, bucket, name, clock.now())
        : backup(reached, target, clock.now()),
    )
    rememberBackup(env.DATA_DIR, { takenAt: made.takenAt, target: name === undefined ? resolve(target) : target })
    return `The backup of ${made.takenAt} is in ${target}${missing}`
  } finally {
    bucket?.close()
  }
})
