import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Pool } from 'pg'
import { createApp } from '#server/app.ts'
import { composeApps } from '#server/apps/apps.ts'
import { readSecretKeys } from '#server/delivery/secrets.ts'
import { composePayments } from '#server/billing/payments.ts'
import { createClicks } from '#server/clicks/clicks.ts'
import { systemClock } from '#server/clock.ts'
import { startDatabase, type RunningDatabase } from '#server/db/database.ts'
import { openDatabases, openOwnerPool } from '#server/db/pools.ts'
import { readEnv } from '#server/env.ts'
import { openFiles } from '#server/files.ts'
import type { Route } from '#server/http/route.ts'
import { createHumanCheck } from '#server/identity/humanCheck.ts'
import { createLiveHub } from '#server/live/hub.ts'
import { keepingMailer } from '#server/mail/mailer.ts'
import { openUploads } from '#server/media/uploads.ts'
import type { Dependencies } from '#server/dependencies.ts'
import { composePlatforms } from '#server/platforms/registry.ts'
import { createSafeFetch } from '#server/platforms/safeFetch.ts'
import { createSecurityLog } from '#server/security.ts'
import { contentOn } from '#server/testing/content.ts'
import { buildersOn, type Builders } from '#server/testing/people.ts'

/* The product in the benchmark's own process, over its own database that is removed afterwards. */

export type Stage = {
  /** Its local URL. */
  origin: string
  parts: Dependencies
  database: RunningDatabase
  /** A connection as the database's owner, to fill it and to check it. */
  owner: Pool
  builders: Builders
  content: ReturnType<typeof contentOn>
  close(): Promise<void>
}

const log = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * Starts it with the benchmark's routes. With `timed`, PostgreSQL keeps each statement's longest time, which
 * `slowestStatement` reads. With `kept`, the folder of its data stays. `mount` adds what isn't a route of the contract. Unless `holds` is set, no response is sent from memory (server/http/heldReplies.ts): a
 * benchmark that repeats one request would measure nothing else.
 */
export async function openStage(
  routes: (deps: Dependencies) => Route[],
  {
    timed = false,
    holds = false,
    kept,
    mount,
  }: {
    timed?: boolean
    holds?: boolean
    kept?: string | undefined
    mount?: (app: FastifyInstance, deps: Dependencies) => void
  } = {},
): Promise<Stage> {
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'rookery-bench-'))
  const database = timed ? await startTimed(dataDir) : await startDatabase({ dataDir })
  const databases = openDatabases(database.settings)
  const owner = openOwnerPool(database.settings, 'bench')
  const env = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0' })
  const { media, staging, exports } = await openFiles(env, log)
  const live = createLiveHub(databases, systemClock, log)
  const secrets = readSecretKeys({ dataDir })
  const deps: Dependencies = {
    env,
    clock: systemClock,
    databases,
    apps: composeApps({ env, pool: databases.background, keys: secrets }),
    secrets,
    media,
    uploads: openUploads({ env, clock: systemClock, databases, media, log }, staging),
    exports,
    mailer: keepingMailer(),
    fetch: createSafeFetch({ allow: [] }),
    platforms: composePlatforms({ plcDirectory: env.plcDirectory }),
    human: createHumanCheck(databases, 'a secret'),
    payments: composePayments({ env, clock: systemClock }),
    live,
    clicks: createClicks({ databases, clock: systemClock, log }),
    security: createSecurityLog({ databases, clock: systemClock, log }),
    log,
  }
  const app = await createApp(deps, { routes: routes(deps), onSeen: () => {}, ...(!holds && { heldReplyBytes: 0 }) })
  mount?.(app, deps)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    origin,
    parts: deps,
    database,
    owner,
    builders: buildersOn(deps),
    content: contentOn(deps),
    async close() {
      await app.close()
      await live.close()
      await deps.clicks.close()
      await Promise.all([databases.close(), owner.end()])
      await database.stop()
      if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function startTimed(dataDir: string): Promise<RunningDatabase> {
  const first = await startDatabase({ dataDir })
  await asSuperuser(first, (superuser) =>
    superuser.query("alter system set shared_preload_libraries = 'pg_stat_statements'"),
  )
  await first.stop()
  const database = await startDatabase({ dataDir })
  await asSuperuser(database, (superuser) => superuser.query('create extension pg_stat_statements'))
  return database
}

async function asSuperuser<T>(database: RunningDatabase, ask: (superuser: Pool) => Promise<T>): Promise<T> {
  if (!database.supervisor) throw new Error('The bench needs the embedded database')
  const { database: name } = database.settings.owner
  const pool = new Pool({ ...database.supervisor.superuser, database: name, max: 1 })
  try {
    return await ask(pool)
  } finally {
    await pool.end()
  }
}

/** The statement that took longest since the last call, with its time in PostgreSQL. */
export async function slowestStatement({ database }: Stage): Promise<{ ms: number; statement: string }> {
  return await asSuperuser(database, async (superuser) => {
    const { rows } = await superuser.query<{ ms: number; statement: string }>(
      'select max_exec_time as ms, query as statement from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database()) order by max_exec_time desc limit 1',
    )
    await superuser.query('select pg_stat_statements_reset()')
    return rows[0] ?? { ms: 0, statement: '' }
  })
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (i: number) => sorted[i] ?? 0
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2
}
