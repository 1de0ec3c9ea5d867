import { readdir, rm, stat } from 'node:fs/promises'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import type { DataStore } from '@tus/server'

/** Where the bytes of an upload are kept from the first one until the file is inspected and moves into the media store. */
export type UploadStaging = {
  /** What the tus server reads and writes; an upload's id is its asset's. */
  files: DataStore
  /** When the upload last received a byte; undefined when nothing of it is kept. */
  lastByteAt(id: string): Promise<Date | undefined>
  /** The finished upload as a file on this machine, which may be changed in place. */
  localFile(id: string): Promise<string>
  /** Removes everything that is kept of an upload, here and elsewhere. Succeeds as well when there is nothing. */
  forget(id: string): Promise<void>
  /** Removes what received its last byte before `before`. */
  sweep(before: Date): Promise<void>
}

/** Uploads as files in a folder of this machine, which is made here. */
export function diskStaging(folder: string): UploadStaging {
  // here, because the file store would do it later and end the process where it can't
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = new FileStore({ directory: folder })
  return {
    files,
    lastByteAt: async (id) => (await stat(join(folder, id)).catch(() => undefined))?.mtime,
    localFile: async (id) => join(folder, id),
    async forget(id) {
      await rm(join(folder, id), { force: true })
      await files.configstore.delete(id)
    },
    sweep: (before) => sweepFolder(folder, before),
  }
}

/** Removes the files of a folder that nobody has written to since `before`. */
export async function sweepFolder(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // another sweep, or the end of an upload, may have removed it in this moment
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtime < before) await rm(path, { force: true })
  }
}
