// copies the files of DATA_DIR into the object store that S3_BUCKET names, and compares each: move-files [--remove-local]
import { parseArgs } from 'node:util'
import { command } from '../../db/command.ts'
import { openBucket } from '../../objectStore/bucket.ts'
import { moveFiles } from '../moveFiles.ts'

const USAGE = 'Usage: npm run rookery -- move-files [--remove-local]'
/** How many files are moved between two progress lines. */
const LINE_EVERY = 500

await command(async ({ env }) => {
  const { 'remove-local': removeLocal = false } = readCall()
  if (!env.objectStore) throw new Error('S3_BUCKET: set the bucket to move the files to')
  const bucket = await openBucket(env.objectStore)
  try {
    const { copied, already, bytes } = await moveFiles(env.DATA_DIR, bucket, {
      removeLocal,
      onFile: ({ copied: now, already: before }) => {
        if ((now + before) % LINE_EVERY === 0) process.stdout.write(`${now + before} files…\n`)
      },
    })
    return `${copied} files (${Math.ceil(bytes / 1_000_000)} MB) were copied and verified; ${already} were already there.`
  } finally {
    bucket.close()
  }
})

function readCall() {
  try {
    return parseArgs({ options: { 'remove-local': { type: 'boolean' } } }).values
  } catch {
    throw new Error(USAGE)
  }
}
