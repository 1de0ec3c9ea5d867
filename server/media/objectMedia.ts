import { rm } from 'node:fs/promises'
import type { Bucket } from '../objectStore/bucket.ts'
import { copyKeysOf, mustBeKey, type MediaStore } from './store.ts'

/** The key of a file of the media store in the bucket. */
export const objectKeyOf = (key: string): string => `media/${mustBeKey(key)}`

/** Files in the object store, as `media/<organization>/<asset>`. */
export function objectMedia(bucket: Bucket): MediaStore {
  return {
    put: (key, bytes) => bucket.put(objectKeyOf(key), bytes),
    async take(key, path) {
      await bucket.upload(objectKeyOf(key), path)
      await rm(path, { force: true })
    },
    read: (key) => bucket.read(objectKeyOf(key)),
    stream: async (key, range) => (await bucket.open(objectKeyOf(key), range)).bytes,
    async delete(key) {
      await Promise.all(copyKeysOf(key).map((copy) => bucket.delete(objectKeyOf(copy))))
      await bucket.delete(objectKeyOf(key))
    },
  }
}
