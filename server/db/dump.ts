import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { isArchive, unpackInto, writeCopy } from './archive.ts'
import { NOT_DATA } from './backup.ts'
import { copyIn, copyOut } from './copy.ts'
import { copyFolder } from './copyFiles.ts'
import { appliedMigrations, migrate } from './migrate.ts'
import { clientConfig, openOwnerPool, type ConnectionSettings, type DatabaseSettings } from './pools.ts'
import { readJson, writePrivately } from './privateFiles.ts'
import { advanceSequences, partitions, tablesInOrder } from './tables.ts'

const MANIFEST = 'rookery-dump.json'

const manifest = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  /** The newest migration: the load creates this schema first, fills it, and migrates from there. */
  migration: z.string(),
  /** graphile-worker's own schema, which can't be created in an older version: jobs only move between equal ones. */
  worker: z.number(),
  tables: z.array(z.object({ name: z.string(), file: z.string(), columns: z.array(z.string()), rows: z.number() })),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() })),
})

export type DumpManifest = z.infer<typeof manifest>

/** DATA_DIR's other content moves along, except what belongs to one cluster. */
const STAYS = new Set([...NOT_DATA, 'database-passwords.json'])

/**
 * Writes all data as text into `target` (a new folder, or .tar, .tar.gz, .tgz), in one consistent view and while people
 * keep working, with the media and keys of `dataDir`. For moving between an embedded and an external database, and
 * between major versions of PostgreSQL.
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
  const tables: DumpManifest['tables'] = []
  for (const { name, columns } of await tablesInOrder(client)) {
    const file = `tables/${name.replaceAll('"', '')}.copy`
    const stream = createWriteStream(join(folder, file), { mode: 0o600 })
    // a partitioned table is only copied as a query
    const rows = await copyOut(client, `copy (select ${columns.join(', ')} from ${name}) to stdout`, stream)
    stream.end()
    await finished(stream)
    tables.push({ name, file, columns, rows })
  }
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

async function versions(client: Client): Promise<{ migration: string; worker: number }> {
  const { rows } = await client.query<{ migration: string | null; worker: number }>(
    'select (select max(name) from migration.applied) as migration, (select max(id) from graphile_worker.migrations) as worker',
  )
  const [row] = rows
  if (!row?.migration) throw new Error("This database is empty, so there's nothing to dump")
  return { migration: row.migration, worker: row.worker }
}

/**
 * Fills a database without a schema from a dump, and migrates it to the newest version. `dataDir` receives media and
 * keys. Publishing detects another database by `instance` and holds what was due since.
 */
export async function load(settings: DatabaseSettings, dataDir: string, source: string): Promise<DumpManifest> {
  if (!existsSync(source)) throw new Error(`${source} does not exist`)
  const archive = isArchive(source)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const folder = archive ? await mkdtemp(join(resolve(dataDir), '.rookery-load-')) : resolve(source)
  try {
    if (archive) await unpackInto(folder, resolve(source))
    const found = readJson(join(folder, MANIFEST), manifest)
    if (!found) throw new Error(`${source} doesn't contain a complete dump: ${MANIFEST} is missing`)
    await assertFresh(settings)
    await migrate(settings, found.migration)
    await asOwner(settings.owner, (client) => loadTables(client, folder, found))
    await migrate(settings)
    if (existsSync(join(folder, 'files'))) await copyFolder(join(folder, 'files'), resolve(dataDir), { onlyNew: true })
    return found
  } finally {
    if (archive) await rm(folder, { recursive: true, force: true })
  }
}

async function assertFresh(settings: DatabaseSettings): Promise<void> {
  const pool = openOwnerPool(settings)
  try {
    if ((await appliedMigrations(pool)).length > 0)
      throw new Error('A dump can only be loaded into a new database, and this one has been used')
  } finally {
    await pool.end()
  }
}

async function loadTables(client: Client, folder: string, { tables, partitions, worker }: DumpManifest): Promise<void> {
  await client.query('begin')
  const here = await versions(client)
  for (const { name, parent, bound } of partitions)
    await client.query(`create table if not exists ${name} partition of ${parent} ${bound}`)
  for (const { name, file, columns, rows } of tables) {
    // its subjects restart their jobs, which may have been about to be retried anyway
    if (name.startsWith('graphile_worker.') && worker !== here.worker) continue
    await client.query(`delete from ${name}`)
    const loaded = await asUnbound(client, name, () =>
      copyIn(client, `copy ${name} (${columns.join(', ')}) from stdin`, createReadStream(join(folder, file))),
    )
    if (loaded !== rows) throw new Error(`${name}: ${loaded} of ${rows} rows were loaded`)
  }
  await advanceSequences(client)
  // the processes that held them aren't here
  await client.query(
    'update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null',
  )
  await client.query('commit')
}

/** COPY refuses to fill a table whose policies bind its owner: for this transaction, they don't. */
async function asUnbound<T>(client: Client, name: string, fn: () => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ forced: boolean }>(
    'select relforcerowsecurity as forced from pg_class where oid = $1::regclass',
    [name],
  )
  if (!rows[0]?.forced) return await fn()
  await client.query(`alter table ${name} no force row level security`)
  const result = await fn()
  await client.query(`alter table ${name} force row level security`)
  return result
}

async function asOwner<T>(owner: ConnectionSettings, fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...clientConfig(owner, 'rookery dump'), pipeline: false })
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}
