import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql, type RawBuilder } from 'kysely'
import { asSystem } from '../db/system.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'
import { FACTS_VERSION, inspectFile } from './inspect.ts'
import { readColumns } from './keep.ts'
import type { UploadContext } from './uploads.ts'

/** How many files in a pass, and how many bytes of them are copied to be read. */
const [FILES, BYTES] = [200, 5_000_000_000]

type Context = Pick<UploadContext, 'databases' | 'media' | 'folder' | 'hasRoom'> &
  Partial<Pick<JobContext, 'log' | 'signal'>>

/** A file that couldn't be read is tried again after all others, this often. */
const TRIES = 5

/**
 * Reads files again whose facts are of an earlier version, newest first: of all tenants. Until then, what isn't known
 * about them breaks no rule. Returns how many were read.
 */
export async function inspectAgain(context: Context): Promise<number> {
  const files = await asSystem(context.databases.system, (tx) =>
    tx
      .selectFrom('asset')
      .select(['org_id', 'id', 'store_key', 'content_type', 'bytes'])
      .where('state', '=', 'ready')
      .where('facts_version', '<', FACTS_VERSION)
      .where('facts_version', '>', FACTS_VERSION - 1 - TRIES)
      .orderBy('facts_version', 'desc')
      .orderBy('created_at', 'desc')
      .limit(FILES)
      .execute(),
  )
  let [read, bytes] = [0, 0]
  const failed = "a file couldn't be read again"
  await eachAlone(context, files, { name: ({ id }) => ({ assetId: id }), failed }, async (file) => {
    // the first one is read however large it is
    if ((bytes > 0 && bytes + file.bytes > BYTES) || !(await context.hasRoom(file.bytes))) return
    bytes += file.bytes
    await readOne(context, file)
    read += 1
  })
  return read
}

type Row = { org_id: string; id: string; store_key: string; content_type: string; bytes: number }

async function readOne(context: Context, file: Row): Promise<void> {
  // among unfinished uploads: what a stopped process leaves there is swept with them
  const path = join(context.folder, `again-${randomUUID()}`)
  const keep = (columns: Partial<ReturnType<typeof readColumns>> | { facts_version: RawBuilder<number> }) =>
    asSystem(context.databases.system, (tx) =>
      tx.updateTable('asset').set(columns).where('org_id', '=', file.org_id).where('id', '=', file.id).execute(),
    )
  try {
    await pipeline(await context.media.stream(file.store_key), createWriteStream(path))
    const found = await inspectFile(path, file.content_type, file.org_id)
    // what an earlier version accepted keeps the facts it has
    await keep(found.kind === 'file' ? readColumns(found.facts) : { facts_version: FACTS_VERSION })
  } catch (error) {
    await keep({ facts_version: sql`facts_version - 1` })
    throw error
  } finally {
    await rm(path, { force: true })
  }
}
