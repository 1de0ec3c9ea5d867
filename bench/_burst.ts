import { systemClock } from '../server/clock.ts'
import type { PlatformKey } from '../contract/platforms/rules.ts'
import { createNotification } from '../server/notifications/create.ts'
import { isAsApproved } from '../server/approvals/guard.ts'
import { composePlatforms } from '../server/platforms/registry.ts'
import { createSafeFetch } from '../server/platforms/safeFetch.ts'
import { simulated } from '../server/platforms/simulated.ts'
import { startPublishing } from '../server/publishing/start.ts'
import { quantile, type Harness, type SimulatorProcess } from '../server/testing/harness.ts'
import {
  makeChannels,
  makePosts,
  quietLog,
  simulatedSecret,
  testKeys,
  type PublishingFixture,
  type TestChannel,
} from '../server/testing/publishing.ts'
import { didOf } from '../server/simulators/bluesky/accounts.ts'
import { until } from '../server/testing/until.ts'
import { publishedAt, signInTo, startSimulators, tell } from './_simulators.ts'

/*
 * How late the last of 500 posts over 10 channels is, all due at one moment, on each kind of server: when it answers at
 * once and after 200 ms, as most that are far away. At most 5 s, and nothing twice.
 */

const BURST = { posts: 500, channels: 10, latencies: [0, 200], secondsLate: 5 }

const adapterOf = composePlatforms({ plcDirectory: 'https://plc.test' })

type Committed = { text: string; at: number }
type Kind = { name: string; channels: readonly TestChannel[]; read: () => Promise<Committed[]> }

/** Prints a line per kind of server and latency; the bench fails above the limits. */
export async function burst(stage: Harness, bluesky: SimulatorProcess, house: PublishingFixture): Promise<void> {
  const others = await startSimulators()
  try {
    const platforms = [platform('bluesky'), platform('mastodon')]
    const allow = [bluesky.allow, others.allow]
    const engine = await startPublishing({
      isAsApproved,
      databases: stage.databases,
      clock: systemClock,
      platforms,
      secrets: testKeys,
      media: async () => new Map(),
      fetch: simulated(createSafeFetch({ allow }), [], others.base),
      notify: createNotification,
      log: { ...quietLog, warn: console.warn, error: console.error },
    })
    for (const kind of await kindsOf(stage, bluesky, others.base, house))
      for (const latencyMs of BURST.latencies) {
        await Promise.all([bluesky.setFaults({ latencyMs }), tell(others.base, 'latency', { ms: latencyMs })])
        await rush(stage, house, kind, latencyMs)
      }
    await bluesky.setFaults({ latencyMs: 0 })
    await engine.stop({ drain: 10_000 })
  } finally {
    others.stop()
  }
}

/** The servers whose slots differ: one of the platform's makers, and those that anyone can run. */
async function kindsOf(
  stage: Harness,
  bluesky: SimulatorProcess,
  others: string,
  house: PublishingFixture,
): Promise<Kind[]> {
  const now = systemClock.now()
  const make = (prefix: string, service: string | null) =>
    makeChannels(stage.owner, house, BURST.channels, {
      now,
      secret: ({ did }) => simulatedSecret(bluesky.origin, did),
      accounts: Array.from({ length: BURST.channels }, (_, i) => {
        const handle = `${prefix}-${i}.sim.test`
        return { remoteId: didOf(handle), handle, service }
      }),
    })
  const people = await signInTo(platform('mastodon'), others, BURST.channels)
  const mastodon = await makeChannels(stage.owner, house, BURST.channels, {
    now,
    platform: 'mastodon',
    secret: (_, i) => people[i]?.secret ?? {},
    accounts: people.map(({ account }) => account),
  })
  const ledger = async () => (await bluesky.read()).ledger
  return [
    { name: "Bluesky's main server", channels: await make('main', null), read: ledger },
    { name: 'a Bluesky server of their own', channels: await make('own', bluesky.origin), read: ledger },
    { name: 'a Mastodon server', channels: mastodon, read: () => publishedAt(others, 'mastodon') },
  ]
}

async function rush(stage: Harness, house: PublishingFixture, kind: Kind, latencyMs: number): Promise<void> {
  const name = `${kind.name}, ${latencyMs} ms,`
  const due = new Date(systemClock.now().getTime() + 2000)
  await makePosts(
    { owner: stage.owner, databases: stage.databases, clock: systemClock },
    house,
    Array.from({ length: BURST.posts }, (_, i) => ({
      channelId: kind.channels[i % kind.channels.length]?.channelId ?? '',
      dueAt: due,
      text: `${name} ${i}`,
    })),
  )
  await until(async () => (await waiting(stage, name)) === 0, { deadline: 120_000, what: name })
  const committed = (await kind.read()).filter(({ text }) => text.startsWith(name))
  const lags = committed.map(({ at }) => (at - due.getTime()) / 1000)
  const last = Math.max(...lags)
  const different = new Set(committed.map(({ text }) => text)).size
  console.log(
    `${BURST.posts} due at once over ${BURST.channels} channels on ${kind.name} that answers after ${latencyMs} ms: last ${last.toFixed(2)} s late (at most ${BURST.secondsLate}), half of them ${quantile(lags, 0.5).toFixed(2)} s; ${Math.round(BURST.posts / last)} a second; ${committed.length - different} sent twice`,
  )
  if (committed.length !== different || different !== BURST.posts || last > BURST.secondsLate) process.exitCode = 1
}

/** How many posts of this name aren't published yet. */
async function waiting({ owner }: Harness, name: string): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    `select count(*)::int as n from post where contents->0->>'text' like $1 and state <> 'PUBLISHED'`,
    [`${name}%`],
  )
  return rows[0]?.n ?? 0
}

function platform(key: PlatformKey) {
  const found = adapterOf(key)
  if (!found) throw new Error(`no adapter of ${key}`)
  return found
}
