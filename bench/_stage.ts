import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { createApp } from '#server/app.ts'
import { composeApps } from '#server/apps/apps.ts'
import { readSecretKeys } from '#server/channels/secrets.ts'
import { composePayments } from '#server/billing/payments.ts'
import { systemClock } from '#server/clock.ts'
import { startDatabase, type RunningDatabase } from '#server/db/database.ts'
import { openDatabases, openOwnerPool } from '#server/db/pools.ts'
import { readEnv } from '#server/env.ts'
import { openFiles } from '#server/files.ts'
import type { Route } from '#server/http/route.ts'
import { createHumanCheck } from '#server/identity/humanCheck.ts'
import { createLiveHub } from '#server/live/hub.ts'
import { keepingMailer } from '#server/mail/mailer.ts'
import { openUploadDesk } from '#server/media/uploads.ts'
import type { Parts } from '#server/parts.ts'
import { composePlatforms } from '#server/platforms/registry.ts'
import { createSafeFetch } from '#server/platforms/safeFetch.ts'
import { createSecurityLog } from '#server/security.ts'
import { contentOn } from '#server/testing/content.ts'
import { buildersOn, type Builders } from '#server/testing/people.ts'

/* The product in the bench's own process, over a database of its own that is thrown away afterwards. */

export type Stage = {
  /** Where it is served on loopback. */
  origin: string
  parts: Parts
  database: RunningDatabase
  /** The database's owner: for filling it and for looking. */
  owner: Pool
  builders: Builders
  content: ReturnType<typeof contentOn>
  close(): Promise<void>
}

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** Starts it with the routes that the bench asks for. */
export async function openStage(routes: (parts: Parts) => Route[]): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
  const database = await startDatabase({ dataDir })
  const databases = openDatabases(database.settings)
  const owner = openOwnerPool(database.settings, 'bench')
  const env = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0' })
  const { media, staging, exports } = await openFiles(env, log)
  const live = createLiveHub(databases, systemClock, log)
  const secrets = readSecretKeys({ dataDir })
  const parts: Parts = {
    env,
    clock: systemClock,
    databases,
    apps: composeApps({ env, pool: databases.background, keys: secrets }),
    secrets,
    media,
    uploads: openUploadDesk({ env, clock: systemClock, databases, media, log }, staging),
    exports,
    mailer: keepingMailer(),
    fetch: createSafeFetch({ allow: [] }),
    platforms: composePlatforms({ plcDirectory: env.plcDirectory }),
    human: createHumanCheck(databases, 'a secret'),
    payments: composePayments({ env, clock: systemClock }),
    live,
    security: createSecurityLog({ databases, clock: systemClock, log }),
    log,
  }
  const app = await createApp(parts, { routes: routes(parts), onSeen: () => {} })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    origin,
    parts,
    database,
    owner,
    builders: buildersOn(parts),
    content: contentOn(parts),
    async close() {
      await app.close()
      await live.close()
      await Promise.all([databases.close(), owner.end()])
      await database.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (i: number) => sorted[i] ?? 0
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2
}
