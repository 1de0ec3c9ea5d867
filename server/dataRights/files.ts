import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Bucket } from '../objectStore/bucket.ts'

/** Where exports are stored, one file each by id. An export is complete or doesn't exist. */
export type ExportFiles = {
  /** An empty folder for making an export, without leftovers of an earlier attempt. */
  workplace(exportId: string): Promise<string>
  /** Makes the workspace's finished file the export, and clears the workspace. Returns its size in bytes. */
  finish(exportId: string, path: string): Promise<number>
  abandon(exportId: string): Promise<void>
  /** The export, or undefined if there is none. */
  open(exportId: string): Promise<{ bytes: Readable; length: number } | undefined>
  removeAll(exportIds: readonly string[]): Promise<void>
  /** The ids of what is stored, finished or not. */
  list(): Promise<string[]>
}

/** Exports on the local disk, in `exports/` of the data folder. */
export function exportFiles(dataDir: string): ExportFiles {
  const folder = join(dataDir, 'exports')
  const whole = (id: string) => join(folder, `${id}.zip`)
  const work = (id: string) => join(folder, `${id}.making`)
  const abandon = (id: string) => rm(work(id), { recursive: true, force: true })
  return {
    async workplace(id) {
      await abandon(id)
      await mkdir(work(id), { recursive: true, mode: 0o700 })
      return work(id)
    },
    async finish(id, path) {
      await rename(path, whole(id))
      await abandon(id)
      return (await stat(whole(id))).size
    },
    abandon,
    async open(id) {
      const found = await stat(whole(id)).catch(() => undefined)
      return found && { bytes: createReadStream(whole(id)), length: found.size }
    },
    async removeAll(ids) {
      for (const id of ids) {
        await rm(whole(id), { force: true })
        await abandon(id)
      }
    },
    async list() {
      // without a folder there was never an export
      const names = existsSync(folder) ? await readdir(folder) : []
      return [...new Set(names.map((name) => name.replace(/\.(zip|making)$/, '')))]
    },
  }
}

/** Exports in the object store, as `exports/<id>.zip`. They're made in `exports/` of the local data folder. */
export function objectExports(bucket: Bucket, dataDir: string): ExportFiles {
  const local = exportFiles(dataDir)
  const key = (id: string) => `exports/${id}.zip`
  return {
    workplace: (id) => local.workplace(id),
    abandon: (id) => local.abandon(id),
    async finish(id, path) {
      const { size } = await stat(path)
      await bucket.upload(key(id), path)
      await local.abandon(id)
      return size
    },
    async open(id) {
      return (await bucket.find(key(id))) && (await bucket.open(key(id)))
    },
    async removeAll(ids) {
      await local.removeAll(ids)
      for (const id of ids) await bucket.delete(key(id))
    },
    async list() {
      const ids = await local.list()
      for await (const object of bucket.list('exports/')) ids.push(object.key.slice(8, -4))
      return [...new Set(ids)]
    },
  }
}
