import { systemClock } from '../server/clock.ts'
import { createNotification } from '../server/notifications/create.ts'
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
import { measureBursts } from './_bursts.ts'
import { startJobs } from './_jobs.ts'
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
 * commits. Before that, the bursts of _bursts.ts. `--short` is a tenth of it (the bursts excepted); `--burst` is the bursts
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

/** The same posts as one job each. */
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
  const fetch = createSafeFetch({ allow: [simulator.allow] })
  const began = performance.now()
  const jobs = await startJobs(stage, house, { ids, platform: bluesky, fetch })
  const done = await published(stage, name)
  const seconds = (performance.now() - began) / 1000
  await jobs.stop()
  console.log(`  ${name}: ${Math.round(done / seconds)} a second`)
  return done / seconds
}

for (const { ok, line } of await measureBursts()) {
  console.log(line)
  if (!ok) process.exitCode = 1
}
if (process.argv.includes('--burst')) process.exit()

const stage = await openHarness()
const simulator = await startSimulatorProcess()
try {
  await bench(stage, simulator)
} finally {
  simulator.stop()
  await stage.close()
}
