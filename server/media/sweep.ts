import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { asSystem } from '../db/system.ts'
import type { UploadDesk } from './uploads.ts'

const ABANDONED_MS = 24 * 3_600_000

/** Forgets uploads that were begun more than a day ago and never finished: rows of all tenants and what lies on the disk. Answers how many rows. */
export async function sweepUploads(desk: UploadDesk): Promise<number> {
  const before = new Date(desk.clock.now().getTime() - ABANDONED_MS)
  const rows = await asSystem(desk.databases.system, (tx) => tx.deleteFrom('asset').where('state', '=', 'uploading').where('created_at', '<', before).returning('store_key').execute())
  // a finished file whose row was never committed
  for (const { store_key: key } of rows) await desk.media.delete(key)
  for (const name of await readdir(desk.folder)) {
    const path = join(desk.folder, name)
    if ((await stat(path)).mtime < before) await rm(path, { force: true })
  }
  return rows.length
}
