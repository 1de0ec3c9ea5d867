import { join } from 'node:path'
import type { AdditionalDetails } from '#contract/content.ts'
import { shownOnBluesky } from '#contract/platforms/blueskySpans.ts'
import { createApp } from '../app.ts'
import { composeApps } from '../apps/apps.ts'
import { composePayments } from '../billing/payments.ts'
import { createClicks } from '../clicks/clicks.ts'
import { systemClock } from '../clock.ts'
import { composeRoutes } from '../compose.ts'
import { readEnv } from '../env.ts'
import { createHumanCheck } from '../identity/humanCheck.ts'
import { createLiveHub } from '../live/hub.ts'
import { keepingMailer } from '../mail/mailer.ts'
import { exportFiles } from '../dataRights/files.ts'
import { diskStore } from '../media/diskStore.ts'
import { diskStaging } from '../media/staging.ts'
import { openUploads, scratchFolder } from '../media/uploads.ts'
import type { Dependencies } from '../dependencies.ts'
import { composePlatforms } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { createSecurityLog } from '../security.ts'
import type { PublishingOptions } from '../delivery/options.ts'
import { clientOf } from './client.ts'
import { buildersOn } from './people.ts'
import { prepareWork, TIMES_OF_A_SERIES, workOnce, type Expected } from './peopleRun.ts'
import {
  countStates,
  makeChannels,
  makePublishingFixture,
  makePosts,
  quietLog,
  simulatedSecret,
  testKeys,
} from './publishing.ts'
import { startBlueskySimulator } from '../simulators/bluesky/start.ts'
import { seeded, type Faults } from '../simulators/bluesky/faults.ts'
import { openHarness, type Harness } from './harness.ts'
import { until } from './until.ts'
import { spawnWorker, type WorkerProcess } from './workers.ts'

/*
 * Publishes many posts through failing responses, while workers and the database are killed at random moments; then
 * compares the simulator's ledger with our database. Used by `npm test` (short) and `npm run bench -- faults` (long).
 */

export type FaultRun = {
  posts: number
  kills: number
  channels: number
  workers: number
  seed: number
  faults: Partial<Faults>
  deadline: number
  tell?: (line: string) => void
}

export type FaultReport = {
  states: Record<string, number>
  /** Creates of records that already existed on the platform, by text. */
  twice: string[]
  /** PUBLISHED here but not there. */
  missing: string[]
  /** There, but neither PUBLISHED nor explained here. */
  unexplained: string[]
  kills: { workers: number; databases: number }
  seconds: number
  requests: number
}

/** Shortened so that a dead worker is noticed after a second; leases stay unchanged. */
export const hurried: Partial<PublishingOptions> = {
  heartbeat: 350,
  rescueAfter: 1000,
  rescueEvery: 100,
  backoff: 250,
  reconcileMargin: 500,
  watchdog: 0,
  absenceGap: 2000,
  lookAgain: 1000,
}

const commonFaults: Partial<Faults> = {
  dropBefore: 0.02,
  dropAfter: 0.02,
  late: 0.02,
  lateMs: 700,
  limited: 0.01,
  limitedSeconds: 1,
  broken: 0.02,
  garbled: 0.02,
}

const shortened: AdditionalDetails = {
  linkTags: null,
  shorten: true,
  linkFacts: { channel: '', campaign: '', shortUrl: 'https://go.example', ownHosts: [] },
}

/** Posts that are on their lanes from the start; every third has a link, which is shortened. */
export async function runFaults(run: FaultRun): Promise<FaultReport> {
  return await amidKills(run, async ({ stage, simulator, random }) => {
    const now = systemClock.now()
    const house = await makePublishingFixture(stage.owner, now)
    const channels = await makeChannels(stage.owner, house, run.channels, {
      now,
      secret: ({ did }) => simulatedSecret(simulator.origin, did),
    })
    const spread = run.posts * 5
    const posts = Array.from({ length: run.posts }, (_, i) => ({
      channelId: channels[i % channels.length]?.channelId ?? '',
      dueAt: new Date(now.getTime() + 1000 + Math.floor(random() * spread)),
      ...(i % 3 === 0 ? { text: `post ${i} https://acme.example/${i}`, details: shortened } : { text: `post ${i}` }),
    }))
    await makePosts({ owner: stage.owner, databases: stage.databases, clock: systemClock }, house, posts)
    return async () => {}
  })
}

/** People who meanwhile submit series, queues, approvals and batches through the API; `posts` is what results. */
export async function runPeople({
  rounds,
  ...run
}: Omit<FaultRun, 'posts'> & { rounds: number }): Promise<FaultReport & { unexpected: string[]; unapproved: number }> {
  const expected: Expected[] = []
  const some = Math.max(2, Math.floor(run.channels / 2))
  const posts = rounds * (some * (TIMES_OF_A_SERIES + 2) + run.channels)
  const never = { posts: 0 }
  const report = await amidKills({ ...run, posts }, async ({ stage, simulator }) => {
    const now = () => systemClock.now()
    const deps = partsOn(stage)
    const home = await buildersOn(deps).signedInOwner()
    await stage.owner.query(
      "update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
      [home.orgId],
    )
    const house = { orgId: home.orgId, projectId: home.projectId, personId: home.person.personId }
    const channels = await makeChannels(stage.owner, house, run.channels, {
      now: now(),
      secret: ({ did }) => simulatedSecret(simulator.origin, did),
    })
    const app = await createApp(deps, { routes: composeRoutes(deps), onSeen: () => {} })
    const client = clientOf(app)
    const at = { stage, client, home, channels, workflowId: await prepareWork(client, home, channels), now }
    return async () => {
      try {
        for (let round = 0; round < rounds; round++) expected.push(...(await workOnce(at, round)))
      } finally {
        never.posts = (await stage.owner.query("select from post where state = 'NEEDS_APPROVAL'")).rowCount ?? 0
        await deps.live.close()
        await app.close()
      }
    }
  })
  const unexpected = expected.flatMap(({ text, channelIds, times }) =>
    channelIds
      .filter((id) => (report.live.get(`${id} ${text}`) ?? 0) !== times)
      .map((id) => `${text} on ${id}: ${report.live.get(`${id} ${text}`) ?? 0} instead of ${times}`),
  )
  return { ...report, unexpected, unapproved: never.posts }
}

function partsOn(stage: Harness): Dependencies {
  const env = readEnv({ DATA_DIR: stage.dataDir, LOG_LEVEL: 'silent', PORT: '0' })
  const { databases } = stage
  const media = diskStore(join(stage.dataDir, 'media'))
  return {
    env,
    clock: systemClock,
    databases,
    apps: composeApps({ env, pool: databases.background, keys: testKeys }),
    secrets: testKeys,
    media,
    uploads: openUploads({ env, clock: systemClock, databases, media, log: quietLog }, diskStaging(scratchFolder(env))),
    exports: exportFiles(stage.dataDir),
    mailer: keepingMailer(),
    fetch: createSafeFetch({ allow: [] }),
    platforms: composePlatforms({ plcDirectory: env.plcDirectory }),
    human: createHumanCheck(databases, 'a secret'),
    payments: composePayments({ env, clock: systemClock }),
    live: createLiveHub(databases, systemClock, quietLog),
    clicks: createClicks({ databases, clock: systemClock, log: quietLog }),
    security: createSecurityLog({ databases, clock: systemClock, log: quietLog }),
    log: quietLog,
  }
}

type Amid = { stage: Harness; simulator: Awaited<ReturnType<typeof startBlueskySimulator>>; random: () => number }

/** Kills while the work of `prepare` runs, until all of it has ended; then compares both sides. */
async function amidKills(
  run: FaultRun,
  prepare: (amid: Amid) => Promise<() => Promise<void>>,
): Promise<FaultReport & { live: ReadonlyMap<string, number> }> {
  const stage = await openHarness()
  const simulator = await startBlueskySimulator({ faults: { ...commonFaults, seed: run.seed, ...run.faults } })
  const random = seeded(run.seed + 1)
  const order = { settings: stage.settings, allow: simulator.allow, options: hurried }
  const workers: WorkerProcess[] = Array.from({ length: run.workers }, () => spawnWorker(order))
  const counted = { workers: 0, databases: 0 }
  const began = performance.now()
  try {
    const work = await prepare({ stage, simulator, random })
    // moments are measured in sent posts, so that a slow machine gets the same run
    const moments = Array.from({ length: run.kills }, () => Math.floor(random() * run.posts * 0.95)).toSorted(
      (a, b) => a - b,
    )
    const working = work()
    // a failure of the work ends waits for what will never happen
    const broken = working.then(() => new Promise<never>(() => {}))
    broken.catch(() => {})
    for (const [i, moment] of moments.entries()) {
      await Promise.race([
        until(() => simulator.ledger.length >= moment, {
          deadline: run.deadline,
          what: `post ${moment} of ${run.posts}`,
        }),
        broken,
      ])
      if (i % 5 === 4) {
        await killDatabase(stage)
        counted.databases += 1
      } else {
        const at = Math.floor(random() * workers.length)
        await workers[at]?.kill()
        workers[at] = spawnWorker(order)
        counted.workers += 1
      }
      if (i % 20 === 19)
        run.tell?.(
          `  ${i + 1} kills, ${simulator.ledger.length} of ${run.posts} posts out, ${Math.round((performance.now() - began) / 1000)} s`,
        )
    }
    await working
    await until(async () => (await openPosts(stage)) === 0, {
      deadline: run.deadline,
      what: 'every post to come to an end',
    })
    return {
      ...(await compare(stage, simulator.ledger, simulator.duplicates)),
      kills: counted,
      seconds: (performance.now() - began) / 1000,
      requests: [...simulator.calls.values()].reduce((sum, n) => sum + n, 0),
    }
  } catch (error) {
    run.tell?.(JSON.stringify(await countStates(stage.owner)))
    for (const worker of workers)
      run.tell?.(
        worker.lines
          .slice(-12)
          .map(({ line }) => line)
          .join('\n'),
      )
    throw error
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()))
    await simulator.stop()
    await stage.close()
  }
}

/** kill -9 of PostgreSQL's main process; the supervisor restarts it. */
async function killDatabase({ supervisor }: Harness): Promise<void> {
  const pid = await until(() => (supervisor.state === 'ready' ? supervisor.pid() : undefined), {
    deadline: 60_000,
    what: 'the database to run',
  })
  process.kill(pid, 'SIGKILL')
  await until(() => supervisor.state !== 'ready', { what: 'the death of the database to be noticed' })
}

async function openPosts(stage: Harness): Promise<number> {
  const { rows } = await stage.owner.query<{ n: number }>(
    "select count(*) as n from post where state in ('SCHEDULED', 'QUEUED', 'PROCESSING') or (state = 'UNCONFIRMED' and exists (select from delivery d where d.subject_id = post.id and d.step is not null))",
  )
  return rows[0]?.n ?? -1
}

type Entry = { did: string; text: string }
type Row = { channel_id: string; did: string; text: string; state: string; explained: boolean }

/** By account and text as it's sent, because a series' posts have the same text. */
async function compare(
  stage: Harness,
  ledger: readonly Entry[],
  duplicates: readonly Entry[],
): Promise<Pick<FaultReport, 'states' | 'twice' | 'missing' | 'unexplained'> & { live: ReadonlyMap<string, number> }> {
  const { rows: sent } = await stage.owner.query<Row>(
    `select p.channel_id, c.remote_id as did, p.state, p.failure is not null as explained,
       case when not p.details ? 'shorten' then p.contents->0->>'text'
         when s.code is null then 'no code'
         else replace(p.contents->0->>'text', s.url, (p.details->'linkFacts'->>'shortUrl') || '/s/' || s.code) end as text
     from post p join channel c on c.org_id = p.org_id and c.id = p.channel_id left join short_link s on s.org_id = p.org_id and s.post_id = p.id`,
  )
  // Bluesky has links shortened, as its records show them
  const rows = sent.map((row) => ({ ...row, text: shownOnBluesky(row.text).text }))
  const there = counts(ledger.map(({ did, text }) => `${did} ${text}`))
  const ours = counts(rows.map(({ did, text }) => `${did} ${text}`))
  const published = counts(rows.filter(({ state }) => state === 'PUBLISHED').map(({ did, text }) => `${did} ${text}`))
  return {
    states: await countStates(stage.owner),
    twice: [
      ...duplicates.map(({ text }) => text),
      ...[...there].filter(([key, times]) => times > (ours.get(key) ?? 0)).map(([key]) => key),
    ],
    missing: [...published].filter(([key, times]) => times > (there.get(key) ?? 0)).map(([key]) => key),
    unexplained: rows
      .filter(
        ({ did, text, state, explained }) =>
          (!['PUBLISHED', 'NEEDS_APPROVAL'].includes(state) && !explained) ||
          (state === 'FAILED' && there.has(`${did} ${text}`)),
      )
      .map(({ text }) => text),
    live: counts(
      ledger.flatMap(({ did, text }) => {
        const row = rows.find((one) => one.did === did)
        return row ? [`${row.channel_id} ${text}`] : []
      }),
    ),
  }
}

function counts(keys: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>()
  for (const key of keys) counted.set(key, (counted.get(key) ?? 0) + 1)
  return counted
}
