import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ObjectStore, StoredObject } from 's3rver'

/**
 * Makes s3rver as atomic as real object stores. By default it writes an object's three files in place, one after
 * another, and responds before the last byte is on disk, so a concurrent reader gets half an object. Here content is
 * written to a temporary file and renamed, so nobody sees an incomplete object.
 */
export function makeAtomic(store: ObjectStore): void {
  let last: Promise<unknown> = Promise.resolve()
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  // an open object stays readable when another one replaces it
  for (const name of ['getObject', 'listObjects', 'deleteObject', 'copyObject'] as const) {
    const plain = store[name].bind(store)
    store[name] = (...given) => alone(() => plain(...given))
  }
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const path = store.getResourcePath(bucket, key, 'object')
    const beside = store.getResourcePath(bucket, undefined, randomUUID())
    const written = await writeWhole(beside, content)
    await alone(async () => {
      await mkdir(dirname(path), { recursive: true })
      await rename(beside, path)
      await store.putMetadata(bucket, key, metadata, written.md5)
    })
    return written
  }
  store.putPart = async (bucket, uploadId, partNumber, content) => {
    const path = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, String(partNumber))
    const written = await writeWhole(path, content)
    await writeFile(`${path}.md5`, written.md5)
    return written
  }
}

/** Resolves once the last byte is in the file. */
async function writeWhole(path: string, content: StoredObject['content']): Promise<{ size: number; md5: string }> {
  const md5 = createHash('md5')
  let size = 0
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      md5.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  await mkdir(dirname(path), { recursive: true })
  await pipeline(Buffer.isBuffer(content) ? Readable.from([content]) : content, count, createWriteStream(path))
  return { size, md5: md5.digest('hex') }
}
