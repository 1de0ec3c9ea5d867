import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyKeysOf, mustBeKey, type MediaStore } from './store.ts'

/** Files in a local folder. A file appears under its name only once it's complete and synced. */
export function diskStore(folder: string): MediaStore {
  const place = (key: string): string => join(folder, mustBeKey(key))
  return {
    async put(key, bytes) {
      const path = place(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const beside = `${path}.new`
      try {
        await writeDurably(beside, bytes)
        await rename(beside, path)
      } catch (error) {
        await rm(beside, { force: true })
        throw error
      }
    },
    async take(key, from) {
      const path = place(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await closeAndSync(from)
      await rename(from, path)
    },
    read: (key) => readFile(place(key)),
    async stream(key, range) {
      // opening fails here, not after the response has begun
      await stat(place(key))
      return createReadStream(place(key), range && { start: range.start, end: range.end - 1 })
    },
    async delete(key) {
      for (const copy of copyKeysOf(key)) await rm(place(copy), { force: true })
      await rm(place(key), { force: true })
    },
  }
}

async function closeAndSync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
