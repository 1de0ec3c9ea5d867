import { readFileSync } from 'node:fs'
import { platformRules } from '../contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '../contract/platforms/rules.ts'
import { systemClock } from '../server/clock.ts'
import type { Platform } from '../server/platforms/platform.ts'
import { composePlatforms } from '../server/platforms/registry.ts'
import {
  makeChannels,
  makePublishingFixture,
  makePosts,
  simulatedSecret,
  type PublishingFixture,
} from '../server/testing/publishing.ts'
import {
  openHarness,
  quantile,
  startSimulatorProcess,
  type SimulatorProcess,
  type Harness,
} from '../server/testing/harness.ts'
import { until } from '../server/testing/until.ts'
import { publishedAt, signInTo, startSimulators, tell } from './_simulators.ts'
import { spawnWorker, type WorkerProcess } from '../server/testing/workers.ts'

/*
 * 5,000 posts due at once over 500 channels of every platform that takes a text, when platforms answer at once and in
 * 200 ms; then what a second worker adds when each sends 10 at a time. Workers and platforms are processes of their
 * own. What has to be prepared is prepared before its time, as in the product. `--short` is a tenth of it.
 */

const short = process.argv.includes('--short')
const size = short ? { due: 500, channels: 50, turns: [1, 2] } : { due: 5000, channels: 500, turns: [1, 2, 2, 1] }
const LATENCY = 200
const SLOTS = 10
/** Enough that the last ones, when channels run out of posts, don't matter. */
const SHARED = 500
const TARGET = 1.8
/** How long before their time posts are created: for workers to start and to prepare them. */
const aheadOf = (posts: number): number => 8000 + 5 * posts
const DEADLINE = 600_000

const adapterOf = composePlatforms({ plcDirectory: 'https://plc.test' })
const texts = platformKeys
  .flatMap((key) => adapterOf(key) ?? [])
  .filter(({ key }) =>
    platformRules[key].posts.some(
      ({ mediaRequired, details, title }) =>
        !mediaRequired &&
        !title?.required &&
        details.every(({ required, preset }) => !required || preset !== undefined),
    ),
  )
/** If all channels together have a smaller rate limit than what is due, the limit would be measured. */
const isFree = ({ budgets }: Platform): boolean =>
  budgets.every(({ per, tokens }) => per === 'channel' || tokens >= 2 * size.due)
const played = texts.filter(isFree)

type Bound = { channelId: string; needsPrepare: boolean }
type Ground = {
  stage: Harness
  bluesky: SimulatorProcess
  simulators: string
  house: PublishingFixture
  channels: readonly Bound[]
}
type Round = { name: string; posts: number; latency: number; workers: number; slots?: number }

async function bench(stage: Harness, bluesky: SimulatorProcess, simulators: string): Promise<void> {
  const house = await makePublishingFixture(stage.owner, systemClock.now())
  const channels = await connectAll(stage, bluesky, simulators, house)
  console.log(
    `${channels.length} channels of ${played.map(({ key }) => key).join(', ')}; skipped for their budgets: ${
      texts
        .filter((one) => !isFree(one))
        .map(({ key }) => key)
        .join(', ') || 'none'
    }`,
  )
  const ground = { stage, bluesky, simulators, house, channels }
  await rush(ground, { name: 'at once', posts: size.due, latency: 0, workers: 1 })
  await rush(ground, { name: 'slow', posts: size.due, latency: LATENCY, workers: 1 })
  const rates: Record<number, number[]> = { 1: [], 2: [] }
  // in an order in which neither always meets the busier machine
  for (const [turn, workers] of size.turns.entries())
    rates[workers]?.push(
      await rush(ground, { name: `turn${turn}`, posts: SHARED, latency: LATENCY, workers, slots: SLOTS }),
    )
  const ratio = mean(rates[2]) / mean(rates[1])
  console.log(
    `a second worker of ${SLOTS} at ${LATENCY} ms raises the rate ${ratio.toFixed(2)} times (at least ${TARGET})`,
  )
  if (!(ratio >= TARGET)) process.exitCode = 1
}

/** Channels of every platform in turn, each with its own account that was signed in on the platform's page. */
async function connectAll(
  stage: Harness,
  bluesky: SimulatorProcess,
  simulators: string,
  house: PublishingFixture,
): Promise<Bound[]> {
  const now = systemClock.now()
  const each = await Promise.all(
    played.map(async (platform, i) => {
      const count = Math.floor((size.channels - i + played.length - 1) / played.length)
      const accounts = platform.key === 'bluesky' ? undefined : await signInTo(platform, simulators, count)
      const made = await makeChannels(stage.owner, house, count, {
        now,
        platform: platform.key,
        secret: ({ did }, index) => accounts?.[index]?.secret ?? simulatedSecret(bluesky.origin, did),
        ...(accounts && { accounts: accounts.map(({ account }) => account) }),
      })
      const needsPrepare = platform.publish.needsPrepare({ contents: [{ text: 'a', media: [] }], details: {} })
      return made.map(({ channelId }) => ({ channelId, needsPrepare }))
    }),
  )
  return Array.from(
    { length: size.channels },
    (_, i) => each[i % each.length]?.[Math.floor(i / each.length)] ?? never('no channel'),
  )
}

/** Everything due at one moment; posts per second from then until the last one was published. */
async function rush(ground: Ground, round: Round): Promise<number> {
  const { stage, bluesky, simulators, house, channels } = ground
  await setLatency(ground, 0)
  const dueAt = new Date(systemClock.now().getTime() + aheadOf(round.posts))
  const posts = Array.from({ length: round.posts }, (_, i) => ({
    ...(channels[i % channels.length] ?? never('no channel')),
    dueAt,
    text: `${round.name} ${i}`,
  }))
  await makePosts({ owner: stage.owner, databases: stage.databases, clock: systemClock }, house, posts)
  await stage.owner.query('vacuum analyze post, delivery, lane')
  const order = {
    settings: stage.settings,
    allow: bluesky.allow,
    simulators,
    options: round.slots === undefined ? {} : { slots: round.slots },
  }
  const workers = Array.from({ length: round.workers }, () => spawnWorker(order))
  try {
    await Promise.all(workers.map((worker) => worker.ready()))
    await until(
      async () =>
        (await waiting(
          stage,
          round.name,
          "and exists (select from delivery d where d.subject_id = post.id and d.step = 'prepare')",
        )) === 0,
      {
        deadline: aheadOf(round.posts),
        what: 'everything to be prepared',
      },
    )
    if (systemClock.now() >= dueAt) throw new Error('it was due before the workers were ready')
    await setLatency(ground, round.latency)
    await until(async () => (await waiting(stage, round.name, "and state not in ('PUBLISHED', 'FAILED')")) === 0, {
      deadline: DEADLINE,
      what: round.name,
    })
    return await tellOf(ground, round, dueAt, workers)
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()))
  }
}

async function tellOf(
  { stage, bluesky, simulators }: Ground,
  round: Round,
  dueAt: Date,
  workers: readonly WorkerProcess[],
): Promise<number> {
  const { rows } = await stage.owner.query<{ last: Date; failed: string; why: string | null }>(
    `select max(published_at) as last, count(*) filter (where state <> 'PUBLISHED') as failed, max(failure::text) as why from post where contents->0->>'text' like $1`,
    [`${round.name} %`],
  )
  const [told = never('no posts')] = rows
  const committed = await commits(bluesky, simulators, round.name)
  const lags = committed.map(({ at }) => at - dueAt.getTime())
  const rate = round.posts / ((told.last.getTime() - dueAt.getTime()) / 1000)
  const memory = workers.map(({ child }) => peakOf(child.pid)).join(' and ')
  console.log(
    `${round.posts} due at once, ${round.latency} ms, ${round.workers} worker${round.workers > 1 ? 's' : ''} of ${round.slots ?? 'the usual'} slots: ${rate.toFixed(1)} posts a second; due to the platform's commit p50 ${quantile(lags, 0.5).toFixed(0)} ms, p99 ${quantile(lags, 0.99).toFixed(0)} ms; memory at most ${memory}`,
  )
  const different = new Set(committed.map(({ text }) => text)).size
  if (committed.length !== round.posts || different !== round.posts || Number(told.failed) > 0) {
    console.log(
      `not each exactly once: ${committed.length} stand there, ${different} different ones, ${told.failed} failed ${told.why ?? ''}`,
    )
    process.exitCode = 1
  }
  return rate
}

/** When each post of a round was committed, according to the platforms. */
async function commits(
  bluesky: SimulatorProcess,
  simulators: string,
  name: string,
): Promise<{ text: string; at: number }[]> {
  const read = async (key: PlatformKey) => {
    if (key === 'bluesky') return (await bluesky.read()).ledger
    return await publishedAt(simulators, key)
  }
  const all = await Promise.all(played.map(({ key }) => read(key)))
  return all.flat().filter(({ text }) => text.startsWith(`${name} `))
}

/** Posts of the round to which this applies; `also` is one of our own conditions. */
async function waiting({ owner }: Harness, name: string, also: string): Promise<number> {
  const { rows } = await owner.query<{ n: string }>(
    `select count(*) as n from post where contents->0->>'text' like $1 ${also}`,
    [`${name} %`],
  )
  return Number(rows[0]?.n)
}

async function setLatency({ bluesky, simulators }: Ground, ms: number): Promise<void> {
  await Promise.all([bluesky.setFaults({ latencyMs: ms }), tell(simulators, 'latency', { ms })])
}

/** A process's peak memory, from the Linux kernel. */
function peakOf(pid: number | undefined): string {
  if (process.platform !== 'linux') return 'not told here'
  const [, kilobytes = 0] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return `${Math.round(Number(kilobytes) / 1000)} MB`
}

const mean = (numbers: readonly number[] = []): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

function never(what: string): never {
  throw new Error(what)
}

const stage = await openHarness()
const bluesky = await startSimulatorProcess()
const simulators = await startSimulators()
try {
  await bench(stage, bluesky, simulators.base)
} finally {
  simulators.stop()
  bluesky.stop()
  await stage.close()
}
