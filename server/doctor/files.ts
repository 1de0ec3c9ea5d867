import { randomUUID } from 'node:crypto'
import { openBucket } from '../objectStore/bucket.ts'
import type { Env } from '../env.ts'
import { about, type Finding } from './finding.ts'

const { ok, problem } = about('Files')

/** Writes a small object into the bucket, reads, lists and deletes it. Files in DATA_DIR are looked at with the folder. */
export async function lookAtFiles({
  objectStore,
  DATA_DIR,
}: Pick<Env, 'objectStore' | 'DATA_DIR'>): Promise<Finding[]> {
  if (!objectStore) return [ok(`Uploads are kept in ${DATA_DIR}.`)]
  const { bucket: name, endpoint = 'Amazon S3' } = objectStore
  let why: unknown
  try {
    const bucket = await openBucket(objectStore, (error) => {
      why = error
    })
    try {
      const key = `doctor/${randomUUID()}`
      const bytes = Buffer.from('written and deleted by rookery doctor')
      await bucket.put(key, bytes)
      const read = Buffer.from(await bucket.read(key))
      const listed: string[] = []
      for await (const one of bucket.list('doctor/')) listed.push(one.key)
      await bucket.delete(key)
      if (!read.equals(bytes) || !listed.includes(key))
        return [problem(`The bucket ${name} at ${endpoint} doesn't return what was written.`, 'Check the service.')]
      return [ok(`The bucket ${name} at ${endpoint} can be written, read, listed and deleted from.`)]
    } finally {
      bucket.close()
    }
  } catch (error) {
    const reason = why ?? error
    return [
      problem(
        reason instanceof Error ? reason.message : `The bucket ${name} can't be used.`,
        'Rookery needs to put, get, list and delete objects: see "An object store" in docs/operations.md.',
      ),
    ]
  }
}
