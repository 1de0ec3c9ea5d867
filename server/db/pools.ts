import { setTimeout as pause } from 'node:timers/promises'
import { Pool, type Client, type ClientConfig } from 'pg'
import { columnTypes } from './columns.ts'
import { DiskWatch, WRITE_A_FILE } from './diskWatch.ts'
import { openNotifications, type Notifications } from './notifications.ts'

/** Where and as whom to connect. `role` is assumed with `SET ROLE` when connecting, see roles.ts. */
export type ConnectionSettings = {
  host: string
  port: number
  database: string
  user: string
  password?: string
  ssl?: boolean | { rejectUnauthorized: boolean }
  role?: string
}

/** The three ways into one database. `owner` is for migrations and commands, never for requests. */
export type DatabaseSettings = {
  owner: ConnectionSettings
  app: ConnectionSettings
  system: ConnectionSettings
}

/**
 * Pools by purpose, so that no kind of work starves another. `web` (requests), `background` (tenant transactions of
 * jobs) and `exports` are bound by the tenant policies; `system`, `publishing` and `jobs` (graphile-worker's own
 * bookkeeping, which doesn't wait for the disk) aren't.
 */
export type Databases = {
  web: Pool
  background: Pool
  exports: Pool
  system: Pool
  publishing: Pool
  jobs: Pool
  /** Whether there's space for what these pools write. */
  disk: DiskWatch
  /** What transactions of all nodes announce, on a connection of its own. */
  notifications: Notifications
  /** Waits `patience` milliseconds (5 s) for running work; then connections are closed. Never hangs a stop. */
  close(patience?: number): Promise<void>
}

type Purpose = {
  as: 'app' | 'system'
  max: number
  /** Milliseconds, as all of these. 0 means none. */
  statement: number
  lock: number
  idleInTransaction: number
  durable: boolean
}

const SECOND = 1000

/** The web pool's connections; http/limits.ts says how requests share them. */
export const webConnections = 12

const purposes = {
  web: {
    as: 'app',
    max: webConnections,
    // a request that waits longer has been given up, and the connection is needed
    statement: 10 * SECOND,
    lock: 5 * SECOND,
    idleInTransaction: 10 * SECOND,
    durable: true,
  },
  background: {
    as: 'app',
    max: 6,
    statement: 60 * SECOND,
    lock: 10 * SECOND,
    idleInTransaction: 60 * SECOND,
    durable: true,
  },
  exports: {
    as: 'app',
    max: 2,
    statement: 600 * SECOND,
    lock: 5 * SECOND,
    idleInTransaction: 60 * SECOND,
    durable: true,
  },
  system: {
    as: 'system',
    max: 6,
    statement: 15 * SECOND,
    lock: 5 * SECOND,
    idleInTransaction: 15 * SECOND,
    durable: true,
  },
  publishing: {
    as: 'system',
    max: 6,
    statement: 15 * SECOND,
    lock: 5 * SECOND,
    idleInTransaction: 10 * SECOND,
    durable: true,
  },
  jobs: {
    as: 'system',
    max: 10,
    statement: 60 * SECOND,
    lock: 10 * SECOND,
    idleInTransaction: 60 * SECOND,
    durable: false,
  },
} satisfies Record<string, Purpose>

/** The connections of the pool that migrates and runs commands. */
const OWNER_CONNECTIONS = 2
/** The most that one node has at a time, with the one that hears notifications. */
export const connectionsOfNode = Object.values(purposes).reduce((sum, { max }) => sum + max, 0) + OWNER_CONNECTIONS + 1

const CLOSE_PATIENCE = 5 * SECOND

const appPools = new WeakSet<Pool>()
const clientsOf = new WeakMap<Pool, Set<Client>>()

/** Whether the pool's role is bound by the tenant policies. */
export function isAppPool(pool: Pool): boolean {
  return appPools.has(pool)
}

/** Opens no connection yet: each pool connects on first use and closes idle connections after 10 s. */
export function openDatabases(settings: DatabaseSettings): Databases {
  const open = (name: keyof typeof purposes): Pool => {
    const purpose: Purpose = purposes[name]
    const pool = openPool(settings[purpose.as], `rookery ${name}`, purpose)
    if (purpose.as === 'app') appPools.add(pool)
    return pool
  }
  const pools = {
    web: open('web'),
    background: open('background'),
    exports: open('exports'),
    system: open('system'),
    publishing: open('publishing'),
    jobs: open('jobs'),
  }
  const disk = new DiskWatch(() => pools.system.query(WRITE_A_FILE))
  for (const pool of Object.values(pools))
    pool.on('connect', (client) =>
      // our pools only create Clients, which its type doesn't say
      (client as Client).connection.on('errorMessage', ({ code }: { code?: string }) => disk.note(code)),
    )
  const notifications = openNotifications(clientConfig(settings.app, 'rookery notifications'))
  return {
    ...pools,
    disk,
    notifications,
    close: async (patience = CLOSE_PATIENCE) => {
      disk.stop()
      await Promise.all([notifications.close(), ...Object.values(pools).map((pool) => endPool(pool, patience))])
    },
  }
}

/**
 * A connection that isn't returned in time, because of a bug or a failed start, must not keep a stop waiting forever.
 */
async function endPool(pool: Pool, patience: number): Promise<void> {
  const ended = pool.end()
  const waiting = new AbortController()
  const tooLong = pause(patience, true, { signal: waiting.signal }).catch(() => false)
  const cut = await Promise.race([ended.then(() => false), tooLong])
  waiting.abort()
  if (cut) for (const client of clientsOf.get(pool) ?? []) client.connection.stream.destroy()
}

/** A small pool of the owner: for migrations, commands and tests that look behind the policies. */
export function openOwnerPool(settings: DatabaseSettings, name = 'rookery owner'): Pool {
  return openPool(settings.owner, name, {
    max: OWNER_CONNECTIONS,
    statement: 0,
    lock: 0,
    idleInTransaction: 0,
    durable: true,
  })
}

function openPool(to: ConnectionSettings, name: string, purpose: Omit<Purpose, 'as'>): Pool {
  const pool = new Pool({
    ...clientConfig(to, name),
    max: purpose.max,
    idleTimeoutMillis: 10 * SECOND,
    // a connection's prepared plans and caches grow, so it's replaced now and then
    maxLifetimeSeconds: 1800,
    statement_timeout: purpose.statement,
    lock_timeout: purpose.lock,
    idle_in_transaction_session_timeout: purpose.idleInTransaction,
    options: serverOptions(to, purpose.durable),
  })
  // When the database goes away, idle and busy connections end alike. The running query learns it from its own promise,
  // the supervisor from the process' end; without these listeners the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const clients = new Set<Client>()
  clientsOf.set(pool, clients)
  // our pools only create Clients, which its type doesn't say
  pool.on('connect', (client) => clients.add(client as Client))
  pool.on('remove', (client) => clients.delete(client as Client))
  return pool
}

/** What every connection of ours is opened with. */
export function clientConfig(to: ConnectionSettings, name: string): ClientConfig {
  return {
    host: to.host,
    port: to.port,
    database: to.database,
    user: to.user,
    password: to.password,
    ssl: to.ssl ?? false,
    application_name: name,
    connectionTimeoutMillis: 5 * SECOND,
    keepAlive: true,
    pipeline: true,
    types: columnTypes,
    options: serverOptions(to, true),
  }
}

function serverOptions(to: ConnectionSettings, durable: boolean): string {
  return [
    '-c jit=off',
    '-c timezone=UTC',
    ...(to.role ? [`-c role=${to.role}`] : []),
    ...(durable ? [] : ['-c synchronous_commit=off']),
  ].join(' ')
}
