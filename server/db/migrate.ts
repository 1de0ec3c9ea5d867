import { runMigrations as migrateWorker } from 'graphile-worker'
import type pg from 'pg'
import { MIGRATIONS_LOCK } from './advisoryLocks.ts'
import { openOwnerPool, type DatabaseSettings } from './pools.ts'
import { SYSTEM } from './roles.ts'
import { functionFiles, migrationFiles, readLanded, type SqlFile } from './sqlFiles.ts'

/** The comment on the schema `migration` while a load fills the database (load.ts). */
export const LOADING = 'load unfinished'

// what was applied: migrations once, functions whenever their file changed
const RECORD = `
  create schema if not exists migration;
  create table if not exists migration.applied (name text primary key, applied_at timestamptz not null default now());
  create table if not exists migration.function_file (name text primary key, hash text not null);
  create table if not exists migration.functions (is_only boolean primary key default true check (is_only), version int not null)`

/**
 * Brings the schema to the newest migration and applies the functions, views and triggers whose files changed, as the
 * owner, under a lock and in one transaction; then installs graphile-worker's own schema. With `target`, a migration's
 * name, it stops there and leaves the functions out, which fit the newest schema only: for loading a dump. Returns the
 * names of the migrations applied. Throws when the database is newer than this program.
 */
export async function migrate(settings: DatabaseSettings, target?: string): Promise<string[]> {
  const pool = openOwnerPool(settings, 'rookery migrations')
  try {
    const client = await pool.connect()
    try {
      await client.query('select pg_advisory_lock($1)', [MIGRATIONS_LOCK])
      await client.query('begin')
      const applied = await apply(client, target)
      await client.query('commit')
      await migrateWorker({ pgPool: pool })
      await pool.query(WORKER_GRANTS)
      return applied
    } finally {
      // closing the connection releases the lock and rolls back what wasn't committed
      client.release(true)
    }
  } finally {
    await pool.end()
  }
}

async function apply(client: pg.ClientBase, target?: string): Promise<string[]> {
  await client.query(RECORD)
  const files = migrationFiles()
  const last = target === undefined ? files.length : files.findIndex(({ name }) => name === target) + 1
  if (last === 0) throw new Error(`There is no migration ${target}`)
  const before = await appliedMigrations(client)
  if (before.length === 0) await assertEmpty(client)
  if (target === undefined && (await isLoadUnfinished(client)))
    throw new Error('A dump was being loaded into this database and is incomplete. Load it again: that starts over')
  await assertNotNewer(client, before, files)
  const pending = files.slice(0, last).filter(({ name }) => !before.includes(name))
  for (const file of pending) {
    await run(client, file)
    await client.query('insert into migration.applied (name) values ($1)', [file.name])
  }
  if (target === undefined) await applyFunctions(client)
  return pending.map(({ name }) => name)
}

async function applyFunctions(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migration.function_file')
  const known = new Map(rows.map(({ name, hash }) => [name, hash]))
  for (const file of functionFiles().filter(({ name, hash }) => known.get(name) !== hash)) {
    await run(client, file)
    await client.query(
      'insert into migration.function_file (name, hash) values ($1, $2) on conflict (name) do update set hash = excluded.hash',
      [file.name, file.hash],
    )
  }
  await client.query(
    'insert into migration.functions (version) values ($1) on conflict (is_only) do update set version = excluded.version where functions.version <> excluded.version',
    [readLanded().functionsVersion],
  )
}

async function run(client: pg.ClientBase, { name, text }: SqlFile): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    throw new Error(`${name} could not be applied: ${error instanceof Error ? error.message : JSON.stringify(error)}`, {
      cause: error,
    })
  }
}

/** The names of a database's applied migrations, in order; none before the first start. */
export async function appliedMigrations(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows: exists } = await client.query<{ table: string | null }>(
    "select to_regclass('migration.applied')::text as table",
  )
  if (!exists[0]?.table) return []
  const { rows } = await client.query<{ name: string }>('select name from migration.applied order by name')
  return rows.map((row) => row.name)
}

/** Whether a load of a dump has begun to fill this database, and hasn't ended. */
export async function isLoadUnfinished(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ comment: string | null }>(
    "select obj_description(to_regnamespace('migration'), 'pg_namespace') as comment",
  )
  return rows[0]?.comment === LOADING
}

/** Versions before the first recorded migration made the same tables in another way; what they hold can't be upgraded. */
async function assertEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ ours: boolean }>(
    "select exists (select from pg_class where relnamespace = 'public'::regnamespace and relname in ('organization', 'person', 'post')) as ours",
  )
  if (rows[0]?.ours)
    throw new Error(
      "This database holds tables that this version of Rookery didn't make: they're of a version that can't be upgraded, or of another program. Set a new DATA_DIR, or an empty database in DATABASE_URL",
    )
}

async function assertNotNewer(client: pg.ClientBase, applied: string[], files: SqlFile[]): Promise<void> {
  const { rows } = await client.query<{ version: number }>('select version from migration.functions')
  const unknown = applied.filter((name) => !files.some((file) => file.name === name))
  const version = rows[0]?.version ?? 0
  if (version > readLanded().functionsVersion) unknown.push(`version ${version} of the functions`)
  if (unknown.length > 0)
    throw new Error(`The database is from a newer version of Rookery: it has ${unknown.join(', ')}. Start that version`)
}

/**
 * Lets the system role run jobs. graphile-worker turns row-level security on without a policy, which means "the owner
 * only"; the app's role gets nothing and enqueues through a definer function. Safe to repeat at every start.
 */
const WORKER_GRANTS = `
grant usage on schema graphile_worker to ${SYSTEM};
grant select, insert, update, delete on all tables in schema graphile_worker to ${SYSTEM};
grant usage on all sequences in schema graphile_worker to ${SYSTEM};
revoke execute on all functions in schema graphile_worker from public;
grant execute on all functions in schema graphile_worker to ${SYSTEM};
do $$
declare
  target regclass;
begin
  for target in
    select c.oid::regclass from pg_class c
    where c.relnamespace = 'graphile_worker'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'worker')
  loop
    execute format('create policy worker on %s to ${SYSTEM} using (true) with check (true)', target);
  end loop;
end $$;
`
