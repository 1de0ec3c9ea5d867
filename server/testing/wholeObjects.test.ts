import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBucket, type Bucket } from '../objectStore/bucket.ts'
import { startObjectServer } from './objectStore.ts'

let server: Awaited<ReturnType<typeof startObjectServer>>
let bucket: Bucket
beforeAll(async () => {
  server = await startObjectServer()
  bucket = await openBucket(server.settings)
})
afterAll(async () => {
  bucket.close()
  await server.stop()
})

it('shows each object whole, in one of its versions, while it is written over and over', async () => {
  const versions = Array.from({ length: 12 }, (_, i) => Buffer.alloc(200_000 + i * 150_000, i))
  const isWhole = (bytes: Uint8Array) => versions.some((version) => version.equals(bytes))
  await bucket.put('picture', versions[0] ?? Buffer.of())
  const written = new AbortController()
  const reads: Uint8Array[] = []
  const readAll = async () => {
    while (!written.signal.aborted) reads.push(await bucket.read('picture'))
  }
  const writeAll = async () => {
    for (const version of versions) {
      await bucket.put('picture', version)
      // a stored object can be read immediately
      expect(version.equals(await bucket.read('picture'))).toBe(true)
    }
  }
  await Promise.all([readAll(), readAll(), writeAll().finally(() => written.abort())])
  expect(reads.length).toBeGreaterThan(versions.length)
  expect(reads.filter((bytes) => !isWhole(bytes))).toEqual([])
})
