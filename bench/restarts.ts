import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSecretKeys } from '../server/delivery/secrets.ts'
import { systemClock } from '../server/clock.ts'
import { startDatabase } from '../server/db/database.ts'
import { openDatabases, openOwnerPool } from '../server/db/pools.ts'
import { startProgram, type Program } from '../server/testing/program.ts'
import {
  countStates,
  makeChannels,
  makePublishingFixture,
  makePosts,
  simulatedSecret,
} from '../server/testing/publishing.ts'
import { startBlueskySimulator } from '../server/simulators/bluesky/start.ts'
import { seeded } from '../server/simulators/bluesky/faults.ts'
import { until } from '../server/testing/until.ts'

/*
 * The whole program, with its own database, killed again and again while 1,000 posts come due: how long after a restart
 * the only node sends again (limit 3 s from its being ready, docs/publishing.md), and whether each post was published
 * exactly once. `--short` is 200 posts and 5 kills; `--seed=n` repeats a run's moments.
 */

const LIMIT = 3000
const short = process.argv.includes('--short')
const seed = Number(process.argv.find((word) => word.startsWith('--seed='))?.slice(7) ?? 1)
const size = short ? { posts: 200, kills: 5 } : { posts: 1000, kills: 25 }
const CHANNELS = 20
/** One post per channel every few seconds: whenever the node comes back, something is due. */
const APART = 200

const random = seeded(seed)
const dataDir = mkdtempSync(join(tmpdir(), 'rookery-restarts-'))
const simulator = await startBlueskySimulator({ faults: { seed, dropAfter: 0.02, late: 0.02, lateMs: 700 } })
const variables = { SIMULATED_CHANNELS: '1', SIMULATOR_PORT: new URL(simulator.origin).port, LOG_LEVEL: 'silent' }
let program: Program | undefined
try {
  await fill()
  const waits: number[] = []
  for (let kill = 0; kill <= size.kills; kill++) {
    program = await startProgram(dataDir, variables)
    const [ready, before] = [performance.now(), simulator.ledger.length]
    if (kill > 0) {
      await until(() => simulator.ledger.length > before, { deadline: 60_000, what: 'the first send after a restart' })
      waits.push(performance.now() - ready)
    }
    const moment = Math.floor((size.posts * 0.9 * (kill + random())) / (size.kills + 1))
    if (kill === size.kills) break
    await until(() => simulator.ledger.length >= moment, { deadline: 120_000, what: `post ${moment}` })
    const gone = once(program.child, 'exit')
    program.child.kill('SIGKILL')
    await gone
  }
  // a send that a kill interrupted is looked up on the platform before it counts as published
  await until(() => simulator.ledger.length >= size.posts, { deadline: 600_000, what: 'the last post' })
  const unsettled = ['SCHEDULED', 'QUEUED', 'PROCESSING', 'UNCONFIRMED']
  await program?.stop()
  program = await startProgram(dataDir, variables)
  const states = await settledStates(unsettled)
  const worst = Math.max(...waits)
  const middle = waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0
  const twice = simulator.ledger.length - new Set(simulator.ledger.map(({ did, text }) => `${did} ${text}`)).size
  console.log(`${size.posts} posts, ${size.kills} kills of the whole program (seed ${seed})`)
  console.log(
    `sends again ${Math.round(middle)} ms after the restart in the middle, ${Math.round(worst)} ms at worst (at most ${LIMIT})`,
  )
  console.log(`states ${JSON.stringify(states)}; on the platform ${simulator.ledger.length}, twice ${twice}`)
  if (worst > LIMIT || twice > 0 || states['PUBLISHED'] !== size.posts) process.exitCode = 1
} finally {
  await program?.stop()
  await simulator.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** The posts as the program will find them, written before it starts. */
async function fill(): Promise<void> {
  const database = await startDatabase({ dataDir })
  const databases = openDatabases(database.settings)
  const owner = openOwnerPool(database.settings, 'rookery bench')
  const now = systemClock.now()
  const house = await makePublishingFixture(owner, now)
  const channels = await makeChannels(owner, house, CHANNELS, {
    now,
    keys: readSecretKeys({ dataDir }),
    secret: ({ did }) => simulatedSecret(simulator.origin, did),
  })
  const posts = Array.from({ length: size.posts }, (_, i) => ({
    channelId: channels[i % channels.length]?.channelId ?? '',
    dueAt: new Date(now.getTime() + i * APART),
    text: `post ${i}`,
  }))
  await makePosts({ owner, databases, clock: systemClock }, house, posts)
  await Promise.all([databases.close(), owner.end()])
  await database.stop()
}

/** Waits until no post is being sent, then stops the program to read how many ended in which state. */
async function settledStates(unsettled: readonly string[]): Promise<Record<string, number>> {
  for (;;) {
    const gone = await program?.stop()
    if (gone !== 0) throw new Error(`the program ended with ${gone}`)
    const database = await startDatabase({ dataDir })
    const owner = openOwnerPool(database.settings, 'rookery bench')
    const states = await countStates(owner)
    await owner.end()
    await database.stop()
    if (unsettled.every((state) => (states[state] ?? 0) === 0)) return states
    program = await startProgram(dataDir, variables)
    await new Promise((resolve) => setTimeout(resolve, 30_000))
  }
}
