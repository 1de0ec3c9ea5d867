import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { writeCopy } from './archive.ts'
import { NOT_DATA } from './backup.ts'
import { copyFolder } from './copyFiles.ts'
import { clientConfig, type ConnectionSettings, type DatabaseSettings } from './pools.ts'
import { writePrivately } from './privateFiles.ts'
import { writeTable, type TableFile } from './tableFiles.ts'
import { partitions, tablesInOrder } from './tables.ts'

/** The file that a dump is complete with: it's written last. */
export const MANIFEST = 'rookery-dump.json'

export const dumpManifest = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  /** The newest migration: the load creates this schema first, fills it, and migrates from there. */
  migration: z.string(),
  /** graphile-worker's own schema, which can't be created in an older version: jobs only move between equal ones. */
  worker: z.number(),
  tables: z.array(
    z.object({
      name: z.string(),
      file: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      sha256: z.string().optional(),
    }),
  ),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() })),
})

export type DumpManifest = z.infer<typeof dumpManifest>

/** DATA_DIR's other content moves along, except what belongs to one cluster. */
const STAYS = new Set([...NOT_DATA, 'database-passwords.json'])

/**
 * Writes all data as text into `target` (a new folder, or .tar, .tar.gz, .tgz), in one consistent view and while people
 * keep working, with the media and keys of `dataDir`. For moving between an embedded and an external database, and
 * between major versions of PostgreSQL. Each table's file is read back and compared with what the database sent.
 */
export async function dump(
  settings: DatabaseSettings,
  dataDir: string,
  target: string,
  now: Date,
): Promise<DumpManifest> {
  return await writeCopy(target, dataDir, async (folder) => {
    await mkdir(join(folder, 'tables'), { mode: 0o700 })
    const made = await asOwner(settings.owner, (client) => dumpTables(client, folder, now))
    if (existsSync(dataDir)) await copyFolder(dataDir, join(folder, 'files'), { wants: (path) => !STAYS.has(path) })
    writePrivately(join(folder, MANIFEST), JSON.stringify(made, null, 2))
    return made
  })
}

async function dumpTables(client: Client, folder: string, now: Date): Promise<DumpManifest> {
  await client.query('begin isolation level repeatable read read only')
  const { migration, worker } = await versions(client)
  const tables: TableFile[] = []
  for (const table of await tablesInOrder(client)) tables.push(await writeTable(client, folder, table))
  const made: DumpManifest = {
    format: 1,
    takenAt: now.toISOString(),
    migration,
    worker,
    tables,
    partitions: await partitions(client),
  }
  await client.query('commit')
  return made
}

/** The newest migration of a database, and the version of graphile-worker's schema. Throws if there is none. */
export async function versions(client: Client): Promise<{ migration: string; worker: number }> {
  const { rows } = await client.query<{ migration: string | null; worker: number }>(
    'select (select max(name) from migration.applied) as migration, (select max(id) from graphile_worker.migrations) as worker',
  )
  const [row] = rows
  if (!row?.migration) throw new Error("This database is empty, so there's nothing to dump")
  return { migration: row.migration, worker: row.worker }
}

/** Runs `fn` with one connection of the owner, outside pipeline mode. */
export async function asOwner<T>(owner: ConnectionSettings, fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...clientConfig(owner, 'rookery dump'), pipeline: false })
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}
