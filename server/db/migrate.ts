import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runMigrations as migrateWorker } from 'graphile-worker'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type pg from 'pg'
import { openOwnerPool, type DatabaseSettings } from './pools.ts'
import { WORKER_GRANTS } from './workerGrants.ts'

/** Any number of ours: the same one on every node, so that one migrates and the others wait. */
const LOCK = 7_665_425
const FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))
const NAME = /^\d{4}-[a-z0-9-]+\.sql$/

type Migrations = Record<string, Migration>

/**
 * Brings the schema to the newest migration (or to `target`, by name), as the owner and under a lock, with
 * graphile-worker's own schema beside it. Answers the migrations applied. Throws on a schema newer than this program.
 */
export async function migrate(settings: DatabaseSettings, target?: string): Promise<string[]> {
  const pool = openOwnerPool(settings, 'rookery migrations')
  try {
    const holder = await pool.connect()
    try {
      await holder.query('select pg_advisory_lock($1)', [LOCK])
      const applied = await applyOurs(pool, target)
      await installWorker(pool)
      return applied
    } finally {
      // closing the connection gives the lock back, whatever happened
      holder.release(true)
    }
  } finally {
    await pool.end()
  }
}

async function applyOurs(pool: pg.Pool, target?: string): Promise<string[]> {
  const migrations = readMigrations()
  // no dialect of ours: a file of several statements needs the simple protocol, which unnamed statements get
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: 'migration',
  })
  await assertNotNewer(pool, migrations)
  const { error, results } = target ? await migrator.migrateTo(target) : await migrator.migrateToLatest()
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'the migrations'
    throw new Error(`${failed} could not be applied: ${messageOf(error)}`, { cause: error })
  }
  return (results ?? []).map((result) => result.migrationName)
}

function readMigrations(): Migrations {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
  const wrong = files.find((file) => !NAME.test(file))
  if (wrong) throw new Error(`A migration is named NNNN-what-it-does.sql, unlike ${wrong}`)
  return Object.fromEntries(
    files.map((file) => [file.slice(0, -'.sql'.length), { up: (db) => run(db, file) }] satisfies [string, Migration]),
  )
}

async function run(db: Kysely<unknown>, file: string): Promise<void> {
  await sql.raw(readFileSync(`${FOLDER}${file}`, 'utf8')).execute(db)
}

/** The names applied to a database, in order; none before the first start. */
export async function appliedMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows: exists } = await pool.query<{ table: string | null }>(
    "select to_regclass('migration.kysely_migration')::text as table",
  )
  if (!exists[0]?.table) return []
  const { rows } = await pool.query<{ name: string }>('select name from migration.kysely_migration order by name')
  return rows.map((row) => row.name)
}

async function assertNotNewer(pool: pg.Pool, migrations: Migrations): Promise<void> {
  const unknown = (await appliedMigrations(pool)).filter((name) => !(name in migrations))
  if (unknown.length === 0) return
  throw new Error(`The database is newer than this program: it has ${unknown.join(', ')}. Start the newer version`)
}

async function installWorker(pool: pg.Pool): Promise<void> {
  await migrateWorker({ pgPool: pool })
  await pool.query(WORKER_GRANTS)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error)
}
