import { Logger, run } from 'graphile-worker'
import { Pool } from 'pg'
import { systemClock } from '../server/clock.ts'
import { clientConfig } from '../server/db/pools.ts'
import { createNotification } from '../server/notifications/create.ts'
import { openSecret } from '../server/delivery/secrets.ts'
import type { Platform } from '../server/platforms/platform.ts'
import { composePlatforms } from '../server/platforms/registry.ts'
import { createSafeFetch } from '../server/platforms/safeFetch.ts'
import { startPublishing } from '../server/publishing/start.ts'
import { isAsApproved } from '../server/approvals/guard.ts'
import {
  makeChannels,
  makePublishingFixture,
  makePosts,
  quietLog,
  simulatedSecret,
  testKeys,
  type PublishingFixture,
  type TestChannel,
} from '../server/testing/publishing.ts'
import { until } from '../server/testing/until.ts'
import { burst } from './_burst.ts'
import {
  openHarness,
  quantile,
  startSimulatorProcess,
  type SimulatorProcess,
  type Harness,
} from '../server/testing/harness.ts'

/*
 * How late posts leave while 200,000 others are scheduled, and how many a second leave when 5,000 over 500 channels are
 * due in one moment, as a ratio to one tuned graphile-worker job per post that makes the same calls and as many durable
 * commits. Before that, the bursts of _burst.ts. `--short` is a tenth of it (the bursts excepted); `--burst` is the bursts
 * alone.
 */

const size = process.argv.includes('--short')
  ? { future: 20_000, probes: 100, due: 1000, channels: 100, rounds: 3 }
  : { future: 200_000, probes: 400, due: 5000, channels: 500, rounds: 5 }

const adapter = composePlatforms({ plcDirectory: 'https://plc.test' })('bluesky')
if (!adapter) throw new Error('no adapter')
const bluesky: Platform = adapter

type Ground = { stage: Harness; simulator: SimulatorProcess; house: PublishingFixture; channels: TestChannel[] }

async function bench(stage: Harness, simulator: SimulatorProcess): Promise<void> {
  const now = systemClock.now()
  const house = await makePublishingFixture(stage.owner, now)
  const channels = await makeChannels(stage.owner, house, size.channels, {
    now,
    secret: ({ did }) => simulatedSecret(simulator.origin, did),
  })
  const ground = { stage, simulator, house, channels }
  await burst(stage, simulator, house)
  if (process.argv.includes('--burst')) return
  await lagAmongMany(ground)
  const rounds: { lanes: number; jobs: number }[] = []
  for (let round = 0; round < size.rounds; round++) {
    // each goes first in turn, so that neither always meets the warmer machine
    const lanesFirst = round % 2 === 0
    const first = lanesFirst ? await rush(ground, `lanes ${round}`) : await rushAsJobs(ground, `jobs ${round}`)
    const second = lanesFirst ? await rushAsJobs(ground, `jobs ${round}`) : await rush(ground, `lanes ${round}`)
    rounds.push(lanesFirst ? { lanes: first, jobs: second } : { lanes: second, jobs: first })
  }
  const ratios = rounds.map(({ lanes, jobs }) => lanes / jobs)
  const ratio = median(ratios)
  console.log(
    `${size.due} due at once over ${size.channels} channels: ${Math.round(median(rounds.map(({ lanes }) => lanes)))} posts a second by lanes, ${Math.round(median(rounds.map(({ jobs }) => jobs)))} by jobs`,
  )
  console.log(
    `ratio of each round ${ratios.map((one) => one.toFixed(2)).join(', ')}; median ${ratio.toFixed(2)} (at least 2)`,
  )
  if (ratio < 2) process.exitCode = 1
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((x, y) => x - y)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

async function startEngine({ stage, simulator }: Ground) {
  return await startPublishing({
    isAsApproved,
    databases: stage.databases,
    clock: systemClock,
    platforms: [bluesky],
    secrets: testKeys,
    media: async () => new Map(),
    fetch: createSafeFetch({ allow: [simulator.allow] }),
    notify: createNotification,
    log: { ...quietLog, warn: console.warn, error: console.error },
  })
}

function pick<T>(from: readonly T[], i: number): T {
  const item = from[i % from.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

async function lagAmongMany(ground: Ground): Promise<void> {
  const { stage, house, channels, simulator } = ground
  const parts = { owner: stage.owner, databases: stage.databases, clock: systemClock }
  const month = 30 * 86_400_000
  const start = systemClock.now().getTime()
  await makePosts(
    parts,
    house,
    Array.from({ length: size.future }, (_, i) => ({
      channelId: pick(channels, i * 7).channelId,
      dueAt: new Date(start + 3_600_000 + ((i * 7919) % 100_000) * (month / 100_000)),
      text: `future ${i}`,
    })),
  )
  await stage.owner.query('vacuum analyze post, delivery, lane')
  const engine = await startEngine(ground)
  const soon = systemClock.now().getTime() + 3000
  const due = new Map<string, number>()
  const probes = Array.from({ length: size.probes }, (_, i) => ({
    channelId: pick(channels, i).channelId,
    dueAt: new Date(soon + i * 37),
    text: `probe ${i}`,
  }))
  for (const probe of probes) due.set(probe.text, probe.dueAt.getTime())
  await makePosts(parts, house, probes)
  await until(async () => (await simulator.read()).ledger.length >= size.probes, {
    deadline: 20_000,
    what: 'the probes',
  })
  await engine.stop({ drain: 10_000 })
  const lags = (await simulator.read()).ledger.map((entry) => entry.at - (due.get(entry.text) ?? Number.NaN))
  const [p50, p99] = [quantile(lags, 0.5), quantile(lags, 0.99)]
  console.log(
    `with ${size.future} posts scheduled, due to the platform's commit: p50 ${p50.toFixed(0)} ms (under 150), p99 ${p99.toFixed(0)} ms (under 1000)`,
  )
  if (p50 >= 150 || p99 >= 1000) process.exitCode = 1
}

/** Everything due at one moment, through the engine; posts a second from the first call to the last post published. */
async function rush(ground: Ground, name: string): Promise<number> {
  const { stage, house, channels } = ground
  await makePosts(
    { owner: stage.owner, databases: stage.databases, clock: systemClock },
    house,
    Array.from({ length: size.due }, (_, i) => ({
      channelId: pick(channels, i).channelId,
      dueAt: systemClock.now(),
      text: `${name} ${i}`,
    })),
  )
  await stage.owner.query('vacuum analyze post, delivery')
  const began = performance.now()
  const engine = await startEngine(ground)
  const ids = await published(stage, name)
  const seconds = (performance.now() - began) / 1000
  const { claims, claimed } = engine.stats()
  await engine.stop({ drain: 10_000 })
  console.log(`  ${name}: ${Math.round(ids / seconds)} a second, ${(claimed / claims).toFixed(1)} posts a claim`)
  return ids / seconds
}

async function published({ owner }: Harness, name: string): Promise<number> {
  await until(
    async () =>
      (
        await owner.query(
          `select 1 from post where contents->0->>'text' like $1 and state <> 'PUBLISHED' and due_at < now() + interval '10 minutes' limit 1`,
          [`${name}%`],
        )
      ).rowCount === 0,
    { deadline: 300_000, what: name },
  )
  return size.due
}

const BEGIN = `
  with p as (update post set state = 'PROCESSING', updated_at = $4 where org_id = $1 and id = $2 returning *),
  d as (update delivery set step = 'reconcile', fence = fence + 1, send_key = $3 where org_id = $1 and subject_id = $2 and subject = 'post' returning fence),
  e as (insert into post_event (org_id, post_id, id, kind, at) select org_id, id, uuidv7(), 'due', $4 from p),
  v as (insert into event (at, org_id, project_id, kind, ref) select $4, org_id, project_id, 'post', id::text from p),
  a as (insert into attempt (org_id, id, subject, subject_id, channel_id, fence, step, node_id, send_key, started_at) select p.org_id, $5, 'post', p.id, p.channel_id, d.fence, 'send', $5, $3, $4 from p, d)
  select p.*, d.fence, s.key_id, s.sealed, c.remote_id as account_id, c.handle, c.service from p cross join d
  join channel c on c.org_id = p.org_id and c.id = p.channel_id join channel_secret s on s.org_id = p.org_id and s.channel_id = p.channel_id`
const SENT = `
  with d as (update delivery set step = 'readback', remote_id = $4, sent_at = $5 where org_id = $1 and subject_id = $2 and subject = 'post' and fence = $3 returning org_id, subject_id),
  p as (update post p set remote_id = $4 from d where p.org_id = d.org_id and p.id = d.subject_id returning p.org_id, p.id)
  insert into post_event (org_id, post_id, id, kind, at) select org_id, id, uuidv7(), 'sent', $5 from p`
const DONE = `
  with d as (update delivery set state = 'sent', step = null, step_at = null where org_id = $1 and subject_id = $2 and subject = 'post' and fence = $3 returning org_id, subject_id),
  p as (update post p set state = 'PUBLISHED', permalink = $4, published_at = $5, shown_at = $5, updated_at = $5 from d where p.org_id = d.org_id and p.id = d.subject_id returning p.*),
  e as (insert into post_event (org_id, post_id, id, kind, at) select org_id, id, uuidv7(), 'confirmed', $5 from p),
  v as (insert into event (at, org_id, project_id, kind, ref) select $5, org_id, project_id, 'post', id::text from p)
  update attempt a set finished_at = $5, outcome = 'published' from p where a.org_id = p.org_id and a.id = $6 and a.started_at = $7`

const JOBS = { concurrency: 24, queue: 500, batchDelay: 50, connections: 24 }

type JobPost = {
  org_id: string
  id: string
  channel_id: string
  fence: number
  created_at: Date
  contents: { text: string }[]
  key_id: string
  sealed: Buffer
  account_id: string
  handle: string
  service: string | null
}

/**
 * The same posts as one job each: localQueue, no queue names, bookkeeping without fsync, as many durable commits of ours.
 * Its numbers are the best of a sweep over concurrency 8 to 48, queue 8 to 500, batching of completions off, 0 and 50 ms,
 * and 6 to 40 connections; the connections matter most, so it has more of them than the product's pool.
 */
async function rushAsJobs({ stage, simulator, house, channels }: Ground, name: string): Promise<number> {
  const ids = await makePosts(
    { owner: stage.owner, databases: stage.databases, clock: systemClock },
    house,
    Array.from({ length: size.due }, (_, i) => ({
      channelId: pick(channels, i).channelId,
      dueAt: new Date(systemClock.now().getTime() + 300_000),
      text: `${name} ${i}`,
    })),
  )
  await stage.owner.query('vacuum analyze post, delivery')
  await stage.owner.query(
    "select graphile_worker.add_jobs(array(select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'publish', 'payload', json_build_object('id', id))) from unnest($1::uuid[]) as p(id)))",
    [ids],
  )
  const fetch = createSafeFetch({ allow: [simulator.allow] })
  const pool = new Pool({ ...clientConfig(stage.settings.system, 'rookery bench jobs'), max: JOBS.connections })
  pool.on('error', (error) => console.error(error))
  const began = performance.now()
  const runner = await run({
    pgPool: stage.databases.jobs,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    preset: {
      worker: {
        concurrentJobs: JOBS.concurrency,
        localQueue: { size: JOBS.queue, ttl: 5000 },
        completeJobBatchDelay: JOBS.batchDelay,
        pollInterval: 100,
      },
    },
    taskList: {
      publish: async (payload) => {
        const { id } = payload as { id: string } // enqueued above
        const started = systemClock.now()
        const attempt = crypto.randomUUID()
        const { rows } = await pool.query<JobPost>({
          name: 'job begin',
          text: BEGIN,
          values: [house.orgId, id, bluesky.publish.chooseSendKey(started), started, attempt],
        })
        const [post] = rows
        if (!post) throw new Error('no post')
        const secret = openSecret(
          testKeys,
          { orgId: post.org_id, channelId: post.channel_id },
          { keyId: post.key_id, sealed: post.sealed },
        )
        const account = { remoteId: post.account_id, handle: post.handle, service: post.service }
        const reach = { fetch, signal: AbortSignal.timeout(60_000) }
        const outgoing = {
          postId: id,
          postType: 'post' as const,
          contents: post.contents.map(({ text }) => ({ text, media: [] })),
          details: {},
          firstComment: null,
          extraMedia: new Map(),
          createdAt: started,
          sendKey: bluesky.publish.chooseSendKey(started),
          progress: {},
        }
        const sent = await bluesky.publish.send(reach, secret, account, outgoing)
        if (sent.kind !== 'sent') throw new Error(sent.kind)
        await pool.query({
          name: 'job sent',
          text: SENT,
          values: [post.org_id, id, post.fence, sent.remoteId, systemClock.now()],
        })
        const read = await bluesky.publish.readBack(reach, secret, account, outgoing, sent.remoteId)
        if (read.kind !== 'live') throw new Error(read.kind)
        await pool.query({
          name: 'job done',
          text: DONE,
          values: [post.org_id, id, post.fence, read.permalink, systemClock.now(), attempt, started],
        })
      },
    },
  })
  const done = await published(stage, name)
  const seconds = (performance.now() - began) / 1000
  await runner.stop()
  await pool.end()
  console.log(`  ${name}: ${Math.round(done / seconds)} a second`)
  return done / seconds
}

const stage = await openHarness()
const simulator = await startSimulatorProcess()
try {
  await bench(stage, simulator)
} finally {
  simulator.stop()
  await stage.close()
}
