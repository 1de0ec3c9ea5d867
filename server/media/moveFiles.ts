import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Bucket } from '../objectStore/bucket.ts'
import { objectKeyOf } from './objectMedia.ts'
import { isKey } from './store.ts'

export type Moved = { copied: number; already: number; bytes: number }

/**
 * Copies the media store's files and organizations' data exports from DATA_DIR into the object store, under the keys
 * where the product looks for them. Each is read back and compared. An interrupted run continues with the file it was
 * comparing, and a second run only copies what is new. With `removeLocal`, a file is deleted from the disk after it was
 * compared. Throws a sentence that names the file whose bytes came back different.
 */
export async function moveFiles(
  dataDir: string,
  bucket: Bucket,
  { removeLocal = false, onFile = () => {} }: { removeLocal?: boolean; onFile?: (moved: Moved) => void } = {},
): Promise<Moved> {
  const moved: Moved = { copied: 0, already: 0, bytes: 0 }
  for await (const { path, key } of filesOf(dataDir)) {
    const { size } = await stat(path)
    const sha256 = await hashOf(createReadStream(path))
    const kept = await bucket.find(key)
    // exists until the file was compared
    const mark = `moving/${key}`
    if (kept?.bytes === size && kept.metadata['sha256'] === sha256 && !(await bucket.find(mark))) moved.already += 1
    else {
      await bucket.put(mark, new Uint8Array())
      await bucket.upload(key, path, { sha256 })
      if ((await hashOf((await bucket.open(key)).bytes)) !== sha256)
        throw new Error(`${path} doesn't match its copy in the object store. Run the command again.`)
      await bucket.delete(mark)
      moved.copied += 1
      moved.bytes += size
    }
    if (removeLocal) await rm(path)
    onFile(moved)
  }
  return moved
}

async function* filesOf(dataDir: string): AsyncGenerator<{ path: string; key: string }> {
  const media = join(dataDir, 'media')
  for (const folder of await namesIn(media))
    for (const name of await namesIn(join(media, folder)))
      if (isKey(`${folder}/${name}`)) yield { path: join(media, folder, name), key: objectKeyOf(`${folder}/${name}`) }
  const exports = join(dataDir, 'exports')
  for (const name of await namesIn(exports))
    if (name.endsWith('.zip')) yield { path: join(exports, name), key: `exports/${name}` }
}

const namesIn = async (folder: string): Promise<string[]> =>
  existsSync(folder) && (await stat(folder)).isDirectory() ? (await readdir(folder)).toSorted() : []

async function hashOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}
