import { readdir, rm, stat } from 'node:fs/promises'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import type { DataStore } from '@tus/server'

/** Where an upload's bytes are stored from the first one until the file is inspected and moves into the media store. */
export type UploadStaging = {
  /** What the tus server reads and writes; an upload's id is its asset's. */
  files: DataStore
  /** When the upload last received a byte; undefined if nothing of it is stored. */
  lastByteAt(id: string): Promise<Date | undefined>
  /** The complete upload as a local file, which may be changed in place. */
  localFile(id: string): Promise<string>
  /** Removes everything stored of an upload, here and elsewhere. Succeeds even if there's nothing. */
  forget(id: string): Promise<void>
  /** Removes uploads whose last byte arrived before `before`. */
  sweep(before: Date): Promise<void>
}

/** Uploads as files in a local folder, which is created here. */
export function diskStaging(folder: string): UploadStaging {
  // here, because the file store would do it later and crash the process if it can't
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

/** Removes a folder's files that nobody has written to since `before`. */
export async function sweepFolder(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // another sweep, or the end of an upload, may have removed it at this moment
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtime < before) await rm(path, { force: true })
  }
}
