import { mkdtempSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inject } from 'vitest'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { createApp, type AppOptions } from '../app.ts'
import { composeApps } from '../apps/apps.ts'
import { mountConnectPages } from '../channels/pages.ts'
import { createClicks } from '../clicks/clicks.ts'
import { readSecretKeys } from '../delivery/secrets.ts'
import { composePayments } from '../billing/payments.ts'
import { testClock } from '../clock.ts'
import { composeRoutes } from '../compose.ts'
import { readEnv } from '../env.ts'
import { serveReference } from '../http/reference.ts'
import { openFiles } from '../files.ts'
import type { Route } from '../http/route.ts'
import { serveWeb } from '../http/webFiles.ts'
import { createHumanCheck } from '../identity/humanCheck.ts'
import { humanCheckOf } from '../identity/turnstile.ts'
import { createSecurityLog, type SecurityLog } from '../security.ts'
import { mountReportReaders } from '../reports/schedules/pages.ts'
import { mountSharedReports } from '../reports/shared/mount.ts'
import { mountShortLinks } from '../links/mount.ts'
import { createLiveHub, type HubOptions } from '../live/hub.ts'
import { keepSession } from '../people/sessions.ts'
import { keepingMailer } from '../mail/mailer.ts'
import { mountPublicPages } from '../linkInBio/mount.ts'
import { mountMediaLinks } from '../media/links.ts'
import { mountUploads } from '../media/receive.ts'
import { openUploads } from '../media/uploads.ts'
import type { Dependencies } from '../dependencies.ts'
import { earlyDataOf } from '../earlyData.ts'
import type { Log } from '../log.ts'
import type { Platform } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { clientOf } from './client.ts'
import { keptFilesOf } from './keptFiles.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { buildersOn } from './people.ts'

export type StartAppOptions = {
  /** The time at which the test begins. */
  at?: Date
  /** Environment variables in addition to the test's own. */
  env?: Record<string, string>
  fetch?: SafeFetch
  platforms?: Partial<Record<PlatformKey, Platform>>
  /** How often the event reader polls, and similar settings. */
  live?: HubOptions
  /** Replaces some dependencies. */
  parts?: (deps: Dependencies) => Dependencies
  /** Replaces some routes: with a weakened copy, or endpoints just for a mechanism. */
  routes?: (routes: Route[], deps: Dependencies) => Route[]
  /** Limits of connections, bodies and held replies, and where the log goes; it's silent unless LOG_LEVEL is set. */
  http?: Pick<AppOptions, 'limits' | 'bodies' | 'logTo' | 'heldReplyBytes'>
  /** Serves the built web app from this folder, like the product. */
  webRoot?: string
  /** A database that the test created and drops itself, such as one that two apps share. */
  database?: TestDatabase
  /**
   * Receives security events, which are then also written to the audit log: after responses, so that they don't disturb
   * other tests' counts.
   */
  log?: Log
}

export type TestApp = Awaited<ReturnType<typeof startApp>>

/** The object store of a run that uses one (vitest project `objects`): a prefix for each app. */
const testBucket = (dataDir: string) => {
  const settings = inject('objectStore')
  return settings && { ...settings, prefix: `${basename(dataDir)}/` }
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

const noSecurityLog: SecurityLog = { record: () => {}, close: async () => {} }

/** The test's morning: a Saturday in winter, 10:00 UTC. */
export const TEST_NOW = new Date('2026-11-21T10:00:00Z')

const unplugged: SafeFetch = async () => ({
  kind: 'unsent',
  why: 'unreachable',
  detail: 'tests have no network unless they bring one',
})

/**
 * The product in this process with its own database, a clock that the test advances, emails in `outbox` and a typed
 * client. The contract parses every reply. Call it in `beforeAll`, `close` in `afterAll`.
 */
export async function startApp(options: StartAppOptions = {}) {
  const database = options.database ?? (await createTestDatabase())
  const clock = testClock(options.at ?? TEST_NOW)
  // deleted after the run, not with the app: the upload store may still be creating its folder in it
  const dataDir = mkdtempSync(join(inject('cluster').folder, 'app-'))
  const env = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PUBLIC_URL: 'http://rookery.test', ...options.env })
  const { databases } = database
  const mailer = keepingMailer()
  const files = await openFiles({ ...env, objectStore: env.objectStore ?? testBucket(dataDir) }, quiet)
  const secrets = readSecretKeys({ dataDir })
  const own: Dependencies = {
    env,
    clock,
    databases,
    apps: composeApps({ env, pool: databases.background, keys: secrets }),
    secrets,
    media: files.media,
    // independent of the free disk space of the machine that runs the tests
    uploads: {
      ...openUploads({ env, clock, databases, media: files.media, log: quiet }, files.staging),
      hasRoom: async () => true,
    },
    exports: files.exports,
    mailer,
    fetch: options.fetch ?? unplugged,
    platforms: (key) => options.platforms?.[key],
    human: humanCheckOf({ env, databases, fetch: options.fetch ?? unplugged, log: quiet }, () =>
      createHumanCheck(databases, 'the secret of the tests', { cost: 1, tries: 2 }),
    ),
    payments: composePayments({ env, clock }),
    live: createLiveHub(databases, clock, quiet, { every: 10, ...options.live }),
    clicks: createClicks({ databases, clock, log: quiet }),
    security: options.log ? createSecurityLog({ databases, clock, log: options.log }) : noSecurityLog,
    log: quiet,
  }
  const deps = options.parts?.(own) ?? own
  const composed = composeRoutes(deps)
  const routes = options.routes?.(composed, deps) ?? composed
  const app = await createApp(deps, {
    routes,
    checkReplies: true,
    ...options.http,
    onSeen: (sessionId) => void keepSession(deps, sessionId),
  })
  mountUploads(app, deps.uploads)
  mountMediaLinks(app, deps)
  const publicPages = mountPublicPages(app, deps)
  mountShortLinks(app, deps)
  mountSharedReports(app, deps)
  mountReportReaders(app, deps)
  mountConnectPages(app, deps)
  if (options.webRoot !== undefined) {
    await serveReference(app)
    await serveWeb(app, options.webRoot, { earlyData: earlyDataOf(app, deps) })
  }
  await app.ready()
  return {
    app,
    parts: deps,
    routes,
    clock,
    database,
    /** How public pages are kept in memory. */
    publicPages,
    dataDir,
    kept: keptFilesOf(dataDir, files.bucket),
    /** Sent emails, newest last. */
    outbox: mailer.sent,
    ...clientOf(app),
    ...buildersOn(deps),
    /** Listens on a real port, for what app.inject can't do: streams and uploads. Returns its URL. */
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    async close() {
      await deps.live.close()
      await app.close()
      await deps.security.close()
      await deps.clicks.close()
      files.close()
      if (!options.database) await database.drop()
    },
  }
}
