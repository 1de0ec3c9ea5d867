import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseError, type Client } from 'pg'
import { isArchive, unpackInto } from './archive.ts'
import { copyIn } from './copy.ts'
import { copyFolder } from './copyFiles.ts'
import { asOwner, dumpManifest, MANIFEST, versions, type DumpManifest } from './dump.ts'
import { appliedMigrations, isLoadUnfinished, LOADING, migrate } from './migrate.ts'
import type { DatabaseSettings } from './pools.ts'
import { readJson } from './privateFiles.ts'
import { assertTable, type TableFile } from './tableFiles.ts'
import { advanceSequences } from './tables.ts'

/**
 * Fills a database without a schema from a dump, and migrates it to the newest version. `dataDir` receives media and
 * keys. All rows land in one transaction, or none: after a failure, which names the table, the same database can be
 * loaded again. A damaged dump is refused before anything is changed. Publishing detects another database by
 * `instance` and holds what was due since.
 */
export async function load(settings: DatabaseSettings, dataDir: string, source: string): Promise<DumpManifest> {
  if (!existsSync(source)) throw new Error(`${source} does not exist`)
  const archive = isArchive(source)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const folder = archive ? await mkdtemp(join(resolve(dataDir), '.rookery-load-')) : resolve(source)
  try {
    if (archive) await unpackInto(folder, resolve(source))
    const found = readJson(join(folder, MANIFEST), dumpManifest)
    if (!found) throw new Error(`${source} doesn't contain a complete dump: ${MANIFEST} is missing`)
    await asOwner(settings.owner, (client) => assertUnused(client, found.migration))
    for (const table of found.tables) await assertTable(folder, table)
    await asOwner(settings.owner, (client) =>
      client.query(`create schema if not exists migration; comment on schema migration is '${LOADING}'`),
    )
    await migrate(settings, found.migration)
    if (existsSync(join(folder, 'files'))) await copyFolder(join(folder, 'files'), resolve(dataDir), { onlyNew: true })
    await asOwner(settings.owner, (client) => loadTables(client, folder, found))
    await migrate(settings)
    return found
  } finally {
    if (archive) await rm(folder, { recursive: true, force: true })
  }
}

/** Throws a sentence unless the database has no schema, or what an unfinished load of the same version left. */
async function assertUnused(client: Client, migration: string): Promise<void> {
  const applied = await appliedMigrations(client)
  if (applied.length === 0) return
  if (!(await isLoadUnfinished(client)))
    throw new Error('A dump can only be loaded into a new database, and this one has been used')
  if (applied.at(-1) !== migration)
    throw new Error(
      'This database contains an unfinished load of a dump from another version. Load that dump, or use a new database',
    )
}

async function loadTables(client: Client, folder: string, dump: DumpManifest): Promise<void> {
  const { tables, partitions, worker } = dump
  await client.query('begin')
  const here = await versions(client)
  for (const { name, parent, bound } of partitions)
    await client.query(`create table if not exists ${name} partition of ${parent} ${bound}`)
  // a job's subjects restart it, and it may have been about to be retried anyway
  const wanted = tables.filter(({ name }) => !name.startsWith('graphile_worker.') || worker === here.worker)
  for (const table of wanted) await loadTable(client, folder, table)
  await advanceSequences(client)
  // the processes that held them aren't here
  await client.query(
    'update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null',
  )
  await client.query('comment on schema migration is null')
  await client.query('commit')
}

async function loadTable(client: Client, folder: string, { name, file, columns, rows }: TableFile): Promise<void> {
  try {
    await client.query(`delete from ${name}`)
    const loaded = await asUnbound(client, name, () =>
      copyIn(client, `copy ${name} (${columns.join(', ')}) from stdin`, createReadStream(join(folder, file))),
    )
    if (loaded !== rows) throw new Error(`${loaded} of ${rows} rows were loaded`)
  } catch (error) {
    throw new Error(`The table ${name} couldn't be loaded: ${reasonOf(error)}. Nothing was loaded`, { cause: error })
  }
}

/** PostgreSQL's message, with the line and the column if it names them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the reason is unknown'
  const where = error instanceof DatabaseError ? /line \d+(, column [^:]+)?/.exec(error.where ?? '')?.[0] : undefined
  return where === undefined ? error.message : `${error.message} (${where})`
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
