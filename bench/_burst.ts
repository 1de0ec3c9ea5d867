import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type * as Guard from '#server/approvals/guard.ts'
import type * as Clock from '#server/clock.ts'
import type * as Notifications from '#server/notifications/create.ts'
import type * as Registry from '#server/platforms/registry.ts'
import type * as SafeFetch from '#server/platforms/safeFetch.ts'
import type * as Simulated from '#server/platforms/simulated.ts'
import type * as Start from '#server/publishing/start.ts'
import type * as HarnessModule from '#server/testing/harness.ts'
import type { Harness } from '#server/testing/harness.ts'
import type * as Publishing from '#server/testing/publishing.ts'
import type { PublishingFixture, TestChannel } from '#server/testing/publishing.ts'
import { didOf } from '#server/simulators/bluesky/accounts.ts'
import { startSimulatorProcess } from '#server/testing/harness.ts'
import { until } from '#server/testing/until.ts'
import { startJobs } from './_jobs.ts'
import { publishedAt, signInTo, startSimulators, tell } from './_simulators.ts'

/*
 * 500 posts of a checkout over 10 channels, all due at one moment, on each kind of server, which answers at once or after 200
 * ms, as most that are far away do: `node bench/_burst.ts FOLDER` prints a line of JSON for each (Burst in _bursts.ts). The
 * servers are simulated by this checkout. `--jobs`: by one job per post instead of the engine.
 */
const POSTS = 500
const CHANNELS = 10
const LATENCIES = [0, 200]
/** The posts are made first. Milliseconds. */
const LEAD = 2000

const folder = resolve(process.argv[2] ?? '.')
const asJobs = process.argv.includes('--jobs')
/** A module of that checkout, whose own imports are of that checkout, too. */
const moduleOf = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, 'server', file)).href)
// the same files as here, maybe of an earlier version
const { isAsApproved } = (await moduleOf('approvals/guard.ts')) as typeof Guard
const { systemClock } = (await moduleOf('clock.ts')) as typeof Clock
const { createNotification } = (await moduleOf('notifications/create.ts')) as typeof Notifications
const { composePlatforms } = (await moduleOf('platforms/registry.ts')) as typeof Registry
const { createSafeFetch } = (await moduleOf('platforms/safeFetch.ts')) as typeof SafeFetch
const { simulated } = (await moduleOf('platforms/simulated.ts')) as typeof Simulated
const { startPublishing } = (await moduleOf('publishing/start.ts')) as typeof Start
const { openHarness, quantile } = (await moduleOf('testing/harness.ts')) as typeof HarnessModule
const { makeChannels, makePosts, makePublishingFixture, quietLog, simulatedSecret, testKeys } = (await moduleOf(
  'testing/publishing.ts',
)) as typeof Publishing

const adapterOf = composePlatforms({ plcDirectory: 'https://plc.test' })
function platform(key: PlatformKey) {
  const found = adapterOf(key)
  if (!found) throw new Error(`no adapter of ${key}`)
  return found
}

const stage = await openHarness()
const bluesky = await startSimulatorProcess()
const others = await startSimulators()
const fetch = simulated(createSafeFetch({ allow: [bluesky.allow, others.allow] }), [], others.base)
const log = { ...quietLog, warn: console.warn, error: console.error }

type Committed = { text: string; at: number }
type Kind = { key: PlatformKey; name: string; channels: readonly TestChannel[]; read: () => Promise<Committed[]> }

try {
  const house = await makePublishingFixture(stage.owner, systemClock.now())
  const { databases } = stage
  const deps = { isAsApproved, databases, clock: systemClock, secrets: testKeys, media: async () => new Map(), fetch }
  const engine = asJobs
    ? undefined
    : await startPublishing({
        ...deps,
        platforms: [platform('bluesky'), platform('mastodon')],
        notify: createNotification,
        log,
      })
  for (const kind of await kindsOf(stage, house))
    for (const latencyMs of LATENCIES) {
      await Promise.all([bluesky.setFaults({ latencyMs }), tell(others.base, 'latency', { ms: latencyMs })])
      await rush(house, kind, latencyMs)
    }
  await bluesky.setFaults({ latencyMs: 0 })
  await engine?.stop({ drain: 10_000 })
} finally {
  others.stop()
  bluesky.stop()
  await stage.close()
}

/** The servers whose slots differ: one of the platform's makers, and those that anyone can run. */
async function kindsOf({ owner }: Harness, house: PublishingFixture): Promise<Kind[]> {
  const now = systemClock.now()
  const make = (prefix: string, service: string | null) =>
    makeChannels(owner, house, CHANNELS, {
      now,
      secret: ({ did }) => simulatedSecret(bluesky.origin, did),
      accounts: Array.from({ length: CHANNELS }, (_, i) => {
        const handle = `${prefix}-${i}.sim.test`
        return { remoteId: didOf(handle), handle, service }
      }),
    })
  const people = await signInTo(platform('mastodon'), others.base, CHANNELS)
  const mastodon = await makeChannels(owner, house, CHANNELS, {
    now,
    platform: 'mastodon',
    secret: (_, i) => people[i]?.secret ?? {},
    accounts: people.map(({ account }) => account),
  })
  const ledger = async () => (await bluesky.read()).ledger
  return [
    { key: 'bluesky', name: "Bluesky's main server", channels: await make('main', null), read: ledger },
    {
      key: 'bluesky',
      name: 'a Bluesky server of their own',
      channels: await make('own', bluesky.origin),
      read: ledger,
    },
    {
      key: 'mastodon',
      name: 'a Mastodon server',
      channels: mastodon,
      read: () => publishedAt(others.base, 'mastodon'),
    },
  ]
}

async function rush(house: PublishingFixture, { key, name, channels, read }: Kind, latencyMs: number): Promise<void> {
  const text = `${name}, ${latencyMs} ms,`
  // jobs begin when they're added, and the engine isn't there
  const due = new Date(systemClock.now().getTime() + (asJobs ? 600_000 : LEAD))
  const ids = await makePosts(
    { owner: stage.owner, databases: stage.databases, clock: systemClock },
    house,
    Array.from({ length: POSTS }, (_, i) => ({
      channelId: channels[i % CHANNELS]?.channelId ?? '',
      dueAt: due,
      text: `${text} ${i}`,
    })),
  )
  const begun = asJobs ? systemClock.now() : due
  const jobs = asJobs ? await startJobs(stage, house, { ids, platform: platform(key), fetch }) : undefined
  await until(async () => (await waiting(text)) === 0, { deadline: 120_000, what: text })
  await jobs?.stop()
  const committed = (await read()).filter((one) => one.text.startsWith(text))
  const lags = committed.map(({ at }) => (at - begun.getTime()) / 1000)
  const different = new Set(committed.map((one) => one.text)).size
  const found = { last: Math.max(...lags), half: quantile(lags, 0.5), twice: committed.length - different }
  console.log(JSON.stringify({ server: name, latencyMs, posts: different, ...found }))
}

/** How many posts of this text aren't published yet. */
async function waiting(text: string): Promise<number> {
  const { rows } = await stage.owner.query<{ n: number }>(
    `select count(*)::int as n from post where contents->0->>'text' like $1 and state <> 'PUBLISHED'`,
    [`${text}%`],
  )
  return rows[0]?.n ?? 0
}
