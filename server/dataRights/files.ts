import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Where copies lie: DATA_DIR/exports, one file each by its id. A copy is there whole or not at all. */
export type ExportFiles = {
  /** An empty folder for the making of a copy; what an attempt before left in it is gone. */
  workplace(exportId: string): Promise<string>
  /** Makes the finished file of the workplace the copy, and clears the workplace. Answers its bytes. */
  finish(exportId: string, path: string): Promise<number>
  abandon(exportId: string): Promise<void>
  /** The copy, or undefined where this machine has none. */
  open(exportId: string): Promise<{ bytes: Readable; length: number } | undefined>
  removeAll(exportIds: readonly string[]): Promise<void>
  /** The ids of what lies here, finished or not. */
  list(): Promise<string[]>
}

/** Copies on the disk of this machine, under `exports/` of its data folder. */
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
      // without a folder there was never a copy
      const names = existsSync(folder) ? await readdir(folder) : []
      return [...new Set(names.map((name) => name.replace(/\.(zip|making)$/, '')))]
    },
  }
}
