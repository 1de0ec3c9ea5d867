import { Client, DatabaseError, escapeLiteral } from 'pg'
import type { Passwords } from './cluster.ts'
import { clientConfig, type ConnectionSettings, type DatabaseSettings } from './pools.ts'

/** The roles that migrations grant to, the same in every installation. */
const OWNER = 'rookery_owner'
const APP = 'rookery_app'
export const SYSTEM = 'rookery_system'
/** Deletes a deleted organization's audit log, and nothing else: the system role assumes it for that alone. */
const PURGE = 'rookery_purge'

export const EMBEDDED_DATABASE = 'rookery'

/**
 * Creates the three roles and the database in our own cluster, or updates their passwords to match DATA_DIR. Each role
 * has its own password, so that a connection of the app can never become another role.
 */
export async function prepareEmbedded(superuser: ConnectionSettings, passwords: Passwords): Promise<DatabaseSettings> {
  await asClient(superuser, async (client) => {
    // the passwords are random, so stretching them would only slow down every new connection
    await client.query('set scram_iterations = 1; set synchronous_commit = on')
    for (const [role, password] of [
      [OWNER, passwords.owner],
      [APP, passwords.app],
      [SYSTEM, passwords.system],
    ] as const) {
      await makeRole(client, role)
      await client.query(
        `alter role ${role} login nosuperuser nobypassrls nocreaterole password ${escapeLiteral(password)}`,
      )
    }
    await makeRole(client, PURGE)
    await client.query(`grant ${PURGE} to ${SYSTEM} with inherit false, set true`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [EMBEDDED_DATABASE])
    if (rowCount === 0) await client.query(`create database ${EMBEDDED_DATABASE} owner ${OWNER}`)
  })
  const database = EMBEDDED_DATABASE
  await asClient({ ...superuser, database }, (client) => prepareSchema(client))
  return embeddedSettings(superuser, passwords, database)
}

/** How to connect to one database of our own cluster in each of the three roles. */
export function embeddedSettings(
  superuser: ConnectionSettings,
  passwords: Passwords,
  database: string,
): DatabaseSettings {
  const { host, port } = superuser
  return {
    owner: { host, port, database, user: OWNER, password: passwords.owner },
    app: { host, port, database, user: APP, password: passwords.app },
    system: { host, port, database, user: SYSTEM, password: passwords.system },
  }
}

/**
 * Prepares a database that someone else runs. Everything connects as the URL's user and takes a role on by the
 * connection's `role` option: nodes that share nothing but the URL need no further password, and a managed service that
 * allows only one login works too. The user makes the roles when it may (CREATEROLE); otherwise an administrator made
 * them before (docs/operations.md). Statements can't leave the role without writing `set role` themselves.
 */
export async function prepareOutside(databaseUrl: string): Promise<DatabaseSettings> {
  const login = parseDatabaseUrl(databaseUrl)
  await asClient(login, async (client) => {
    for (const role of [OWNER, APP, SYSTEM, PURGE]) {
      await makeRole(client, role)
      await allowSetRole(client, role)
    }
    await prepareSchema(client)
  })
  return rolesOf(login)
}

/** How to connect to a database that someone else runs in each of the three roles. */
export const rolesOf = (login: ConnectionSettings): DatabaseSettings => ({
  owner: { ...login, role: OWNER },
  app: { ...login, role: APP },
  system: { ...login, role: SYSTEM },
})

async function makeRole(client: Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  if (rowCount) return
  try {
    await client.query(`create role ${role} nologin`)
  } catch (error) {
    // another node created it at the same moment
    if (isCode(error, '42710', '23505')) return
    throw explain(error, `The role ${role} is missing and this user isn't allowed to create it`)
  }
}

async function allowSetRole(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>("select pg_has_role(current_user, $1, 'set') as may", [role])
  if (rows[0]?.may) return
  try {
    await client.query(`grant ${role} to current_user with inherit false, set true`)
  } catch (error) {
    throw explain(error, `This user isn't allowed to use the role ${role}`)
  }
}

/** Where tables go: the owner can create them there; graphile-worker creates its own schema. */
async function prepareSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ ready: boolean }>(
    `select has_schema_privilege($1, 'public', 'create') and has_database_privilege($1, current_database(), 'create') as ready`,
    [OWNER],
  )
  if (rows[0]?.ready) return
  const { rows: names } = await client.query<{ name: string }>('select quote_ident(current_database()) as name')
  try {
    await client.query(`grant create on database ${names[0]?.name ?? ''} to ${OWNER}`)
    await client.query(`grant usage, create on schema public to ${OWNER}`)
    await client.query(`grant usage on schema public to ${APP}, ${SYSTEM}, ${PURGE}`)
  } catch (error) {
    throw explain(error, `This user isn't allowed to let ${OWNER} create tables in this database`)
  }
}

/**
 * Refuses an app role that the tenant policies don't bind: a superuser, one that can bypass them, one that owns a table
 * or belongs to a role that does, or that belongs to the system role.
 */
export async function assertAppRoleIsBound(settings: DatabaseSettings): Promise<void> {
  await asClient(settings.app, async (client) => {
    const { rows } = await client.query<{ name: string; faults: string[] }>(BOUND)
    const [found] = rows
    if (!found || found.faults.length === 0) return
    throw new Error(
      `The app's database role ${found.name} ${found.faults.join(', and ')}: tenants would not be isolated`,
    )
  })
}

const BOUND = `
  select current_user::text as name, array_remove(array[
    case when r.rolsuper then 'is a superuser' end,
    case when r.rolbypassrls then 'may bypass row-level security' end,
    case when not r.rolsuper and pg_has_role(r.oid, '${SYSTEM}', 'usage') then 'belongs to ${SYSTEM}' end,
    case when not r.rolsuper and exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and pg_has_role(r.oid, c.relowner, 'usage')
    ) then 'owns tables' end
  ], null) as faults
  from pg_roles r where r.rolname = current_user`

/** Reads postgres://user:password@host:port/database?sslmode=…&host=/socket. Throws a sentence for people. */
export function parseDatabaseUrl(text: string): ConnectionSettings {
  if (!URL.canParse(text)) throw new Error('DATABASE_URL must look like postgres://user:password@host:5432/name')
  const url = new URL(text)
  const database = decodeURIComponent(url.pathname.slice(1))
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (!/^postgres(ql)?:$/.test(url.protocol) || !database || !host || !url.username) {
    throw new Error('DATABASE_URL must look like postgres://user:password@host:5432/name')
  }
  return {
    host,
    port: Number(url.port || url.searchParams.get('port') || 5432),
    database,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    ssl: sslOf(url.searchParams.get('sslmode') ?? 'disable'),
  }
}

function sslOf(mode: string): ConnectionSettings['ssl'] {
  if (mode === 'disable' || mode === 'allow') return false
  // like libpq: only the verify modes check the certificate
  return { rejectUnauthorized: mode === 'verify-ca' || mode === 'verify-full' }
}

function explain(error: unknown, sentence: string): Error {
  return new Error(`${sentence}: see "An external database" in docs/operations.md`, { cause: error })
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof DatabaseError && error.code !== undefined && codes.includes(error.code)
}

/** One connection for a few statements. */
export async function asClient<T>(to: ConnectionSettings, fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(clientConfig(to, 'rookery start'))
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}
