import type { FastifyInstance } from 'fastify'
import { platformKeys } from '#contract/platforms/rules.ts'
import { createApp } from './app.ts'
import { composeApps } from './apps/apps.ts'
import { instanceAppsOf } from './apps/instanceApps.ts'
import { clientKeyOf } from './channels/clientKey.ts'
import { composePayments } from './billing/payments.ts'
import { boostSubject } from './boosts/boostSubject.ts'
import { mountConnectPages } from './channels/pages.ts'
import { createClicks } from './clicks/clicks.ts'
import { readSecretKeys } from './delivery/secrets.ts'
import { systemClock } from './clock.ts'
import { composeRoutes } from './compose.ts'
import { composeJobs } from './composeJobs.ts'
import { closeDataDir } from './dataDir.ts'
import { startDatabase, type RunningDatabase } from './db/database.ts'
import { openDatabases, type Databases } from './db/pools.ts'
import type { Env } from './env.ts'
import { openFiles, type Files } from './files.ts'
import { serveReference } from './http/reference.ts'
import { serveWeb } from './http/webFiles.ts'
import { earlyDataOf } from './earlyData.ts'
import { humanCheckOf } from './identity/turnstile.ts'
import { keepSession } from './people/sessions.ts'
import { itemChangeSubject, replyChangeSubject } from './inbox/replies/changeSubjects.ts'
import { replySubject } from './inbox/replies/subject.ts'
import { startJobs } from './jobs/worker.ts'
import { shortCodes } from './links/codes.ts'
import { mountReportReaders } from './reports/schedules/pages.ts'
import { mountSharedReports } from './reports/shared/mount.ts'
import { mountShortLinks } from './links/mount.ts'
import { createLiveHub } from './live/hub.ts'
import { createLog, type Log } from './log.ts'
import { outboxOf, outboxSender } from './mail/outbox.ts'
import { queuedMailer } from './mail/queue.ts'
import { mailServerProblem } from './mail/check.ts'
import { smtpSender } from './mail/smtp.ts'
import { mountPublicPages } from './linkInBio/mount.ts'
import { mediaLinks, mountMediaLinks } from './media/links.ts'
import { mountUploads } from './media/receive.ts'
import { openUploads } from './media/uploads.ts'
import { openMedia } from './media/open.ts'
import { createMetrics, poolStats, type Metrics } from './metrics.ts'
import { createNotification } from './notifications/create.ts'
import type { Dependencies } from './dependencies.ts'
import { redirectAddress } from './platforms/redirect.ts'
import { composePlatforms, hostsOf } from './platforms/registry.ts'
import { createSafeFetch } from './platforms/safeFetch.ts'
import { simulated } from './platforms/simulated.ts'
import { deletionSubject, editSubject } from './posts/liveSubjects.ts'
import { startPublishing, type Publishing } from './publishing/start.ts'
import { isAsApproved } from './approvals/guard.ts'
import { watchReadiness } from './readiness.ts'
import { createSecurityLog } from './security.ts'
import { simulatePlatforms } from './simulators/development.ts'
import { keepPartitions } from './upkeep/partitions.ts'

/** How long sends that are under way may take to finish at a stop, in milliseconds. */
const DRAIN = 20_000

/** How long requests may take to finish at a stop, in milliseconds. */
const REQUEST_PATIENCE = 10_000

export type Product = {
  /** Where people find it. */
  address: string
  /** Takes no new work, finishes what runs, then stops the database. Resolves when everything is closed. */
  stop(): Promise<void>
}

/** Starts everything that the role asks for, from the database up. Errors are sentences for people. */
export async function startProduct(env: Env, webRoot: string): Promise<Product> {
  const clock = systemClock
  const log = createLog(env.LOG_LEVEL, clock)
  // it holds keys, also when the database is outside
  closeDataDir(env.DATA_DIR, log)
  const database = await startDatabase({
    dataDir: env.DATA_DIR,
    ...(env.DATABASE_URL !== undefined && { databaseUrl: env.DATABASE_URL }),
    onState: (state, why) => state === 'down' && log.error({ why }, 'the database stopped and is being restarted'),
  })
  // what accepts work stops first and at once, so that a slow request doesn't delay draining; what it depends on
  // follows in order
  const working: (() => Promise<void>)[] = []
  const closing: (() => Promise<void>)[] = [() => database.stop()]
  const stop = async () => {
    database.supervisor?.announceStop()
    await Promise.all(working.map((job) => inTurn([job])))
    await inTurn(closing)
  }
  try {
    const databases = openDatabases(database.settings)
    closing.unshift(() => databases.close())
    const files = await openFiles(env, log)
    closing.unshift(async () => files.close())
    const deps = makeParts(env, databases, files, log)
    closing.unshift(() => deps.mailer.close())
    closing.unshift(() => deps.security.close())
    closing.unshift(() => deps.clicks.close())
    const metrics = createMetrics()
    if (env.SMTP_URL === undefined)
      log.info({ folder: outboxOf(env) }, "SMTP_URL isn't set, so emails are written to this folder")
    else void sayIfMailWorks(env.SMTP_URL, log)
    if (env.SIMULATED_CHANNELS) closing.unshift(await simulatePlatforms(env, log))
    // before anything writes to them
    await keepPartitions(databases.system, deps.clock.now())
    if (env.ROLE !== 'web') {
      const jobs = await startJobs({
        databases,
        clock: deps.clock,
        log,
        jobs: composeJobs(deps),
        heartbeat: env.HEARTBEAT_MS,
        alone: database.supervisor !== null,
      })
      working.push(() => jobs.stop())
      const publishing = await startSending(deps, database.supervisor !== null)
      metrics.show('publishing', 'Publishing on this node', () => ({ ...publishing.stats() }))
      working.push(() => publishing.stop({ drain: DRAIN }))
    }
    const app = await startServing(deps, database, webRoot, metrics)
    working.push(() => endServing(app, deps))
    return { address: addressOf(app, env), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Once, and nothing waits for it: a mistake in the settings would otherwise show with the first email. */
async function sayIfMailWorks(url: string, log: Log): Promise<void> {
  const why = await mailServerProblem(url)
  if (why === null) log.info({}, 'the mail server accepts our login')
  else log.warn({ why }, "emails can't be sent")
}

function makeParts(env: Env, databases: Databases, { media, staging, exports }: Files, log: Log): Dependencies {
  const secrets = readSecretKeys({ dataDir: env.DATA_DIR, encryptionKey: env.ENCRYPTION_KEY })
  const send = env.SMTP_URL
    ? smtpSender(env.SMTP_URL, env.MAIL_FROM)
    : outboxSender(env.DATA_DIR, env.MAIL_FROM, systemClock, log)
  const installation = { pool: databases.system, keys: secrets, clock: systemClock }
  const platforms = composePlatforms({
    plcDirectory: env.plcDirectory,
    videoService: env.BLUESKY_VIDEO_SERVICE,
    ...(env.SIMULATED_CHANNELS && { simulatedBluesky: `http://127.0.0.1:${env.SIMULATOR_PORT}` }),
    publicUrl: env.publicUrl,
    clientKey: (key) => clientKeyOf(installation, key),
    instanceApps: (key) => instanceAppsOf(installation, key, redirectAddress(env.publicUrl, key)),
  })
  const real = createSafeFetch({
    allow: env.OUTGOING_ALLOW,
    onRefused: (host) => log.info({ event: 'address.refused', host }, 'security: address.refused'),
  })
  const fetch =
    env.SIMULATED_PLATFORMS === undefined ? real : simulated(real, hostsOf(platforms), env.SIMULATED_PLATFORMS)
  return {
    env,
    clock: systemClock,
    databases,
    apps: composeApps({ env, pool: databases.background, keys: secrets }),
    secrets,
    media,
    uploads: openUploads({ env, clock: systemClock, databases, media, log }, staging),
    exports,
    mailer: queuedMailer(send, log),
    fetch,
    platforms,
    human: humanCheckOf({ env, databases, fetch, log }),
    payments: composePayments({ env, clock: systemClock }),
    live: createLiveHub(databases, systemClock, log),
    clicks: createClicks({ databases, clock: systemClock, log }),
    security: createSecurityLog({ databases, clock: systemClock, log }),
    log,
  }
}

function startSending(
  { env, databases, clock, apps, secrets, media, fetch, log, platforms }: Dependencies,
  alone: boolean,
): Promise<Publishing> {
  const all = platformKeys.flatMap((key) => platforms(key) ?? [])
  return startPublishing({
    isAsApproved,
    subjects: [
      editSubject({ shortCodes: shortCodes(databases.background, clock) }),
      deletionSubject(),
      boostSubject,
      replySubject(),
      replyChangeSubject,
      itemChangeSubject,
    ],
    databases,
    clock,
    platforms: all,
    apps,
    secrets,
    media: openMedia(databases.background, media, mediaLinks({ env, clock })),
    fetch,
    notify: createNotification,
    log,
    alone,
    options: { heartbeat: env.HEARTBEAT_MS },
  })
}

async function startServing(
  deps: Dependencies,
  database: RunningDatabase,
  webRoot: string,
  metrics: Metrics,
): Promise<FastifyInstance> {
  const { env, log } = deps
  deps.databases.disk.onChange((isFull) =>
    isFull
      ? log.error(
          {},
          "the database's disk is full: nothing can be saved or published until you free space. Waiting posts are published after that",
        )
      : log.info({}, "the database's disk has space again: saving and publishing continue"),
  )
  const readiness = watchReadiness(database, deps.databases)
  const app = await createApp(deps, {
    // a worker answers only for its health
    routes: env.ROLE === 'worker' ? [] : composeRoutes(deps),
    onSeen: (sessionId) =>
      void keepSession(deps, sessionId).catch((error: unknown) =>
        log.warn({ err: error }, "a session couldn't be extended"),
      ),
    ready: readiness,
    metrics: () => metrics.text(),
  })
  metrics.watch(app)
  metrics.show('live', 'Event streams of this node', () => ({ streams: deps.live.size() }))
  metrics.show('pool', 'Database connections of this node', () => poolStats(deps.databases))
  if (env.ROLE !== 'worker') {
    mountUploads(app, deps.uploads)
    mountMediaLinks(app, deps)
    const pages = mountPublicPages(app, deps)
    metrics.show('link_in_bio', 'Public pages in memory of this node', () => ({ ...pages.stats() }))
    mountShortLinks(app, deps)
    mountSharedReports(app, deps)
    mountReportReaders(app, deps)
    mountConnectPages(app, deps)
    await serveReference(app)
    await serveWeb(app, webRoot, {
      turnstile: env.TURNSTILE_SITE_KEY !== undefined,
      paddle: env.PADDLE_CLIENT_TOKEN !== undefined,
      serviceWorker: env.SERVICE_WORKER === 'on',
      earlyData: earlyDataOf(app, deps),
    })
  }
  // the address that people should use is said once, as the last line of the start, by main.ts
  const { level } = app.log
  if (level === 'info') app.log.level = 'warn'
  await app.listen({ port: env.PORT, host: env.HOST })
  app.log.level = level
  return app
}

/** Requests that run may end; one that doesn't within its time is cut. Open streams would hold the server's end up. */
async function endServing(app: FastifyInstance, deps: Dependencies): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), REQUEST_PATIENCE)
  await deps.live.close()
  await app.close()
  clearTimeout(cut)
}

/** The URL to open: the public one if it's set, otherwise the actual port. */
function addressOf(app: FastifyInstance, env: Env): string {
  if (env.PUBLIC_URL !== undefined) return env.publicUrl
  const taken = app.server.address()
  return `http://localhost:${typeof taken === 'object' && taken ? taken.port : env.PORT}`
}

async function inTurn(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  for (const job of jobs) await job().catch((error: unknown) => console.error(error))
}
