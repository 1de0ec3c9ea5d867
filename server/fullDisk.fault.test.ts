import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSecretKeys } from './delivery/secrets.ts'
import { systemClock } from './clock.ts'
import { openDatabases, openOwnerPool } from './db/pools.ts'
import { withDatabase } from './db/withDatabase.ts'
import { startProgram, type Program } from './testing/program.ts'
import { makeChannels, makePublishingFixture, makePosts, simulatedSecret } from './testing/publishing.ts'
import { startBlueskySimulator, type Simulator } from './simulators/bluesky/start.ts'
import { until } from './testing/until.ts'

// A disk of its own, small enough to be filled, needs the right to mount; elsewhere one line says that it was skipped.

const disk = mkdtempSync(join(tmpdir(), 'rookery-full-disk-'))
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', disk]).status === 0
const filler = join(disk, 'filler')
const CHANNELS = 4

let simulator: Simulator
let program: Program | undefined
beforeAll(async () => {
  simulator = await startBlueskySimulator()
})
afterAll(async () => {
  await program?.stop()
  await simulator.stop()
  if (isMounted) spawnSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

const dataDir = join(disk, 'data')
const texts = () => simulator.ledger.map(({ text }) => text).toSorted()
const readiness = async (address: string) => await fetch(new URL('/readyz', address))
const readyz = async (address: string) => (await readiness(address)).status

/** Leaves no byte free, and lets PostgreSQL write until it notices. */
async function fillUp(): Promise<void> {
  writeFileSync(filler, Buffer.alloc(statfsSync(disk).bavail * statfsSync(disk).bsize - 1_000_000))
  await withDatabase({ DATA_DIR: dataDir }, async ({ settings }) => {
    const owner = openOwnerPool(settings, 'full disk')
    owner.on('error', () => {})
    const write = () => owner.query("select pg_logical_emit_message(false, 'fill', repeat('x', 1000000), true)")
    await until(
      async () => {
        try {
          await write()
          return false
        } catch {
          return true
        }
      },
      { deadline: 60_000, what: 'PostgreSQL to notice that the disk is full' },
    )
    await owner.end()
  })
}

/** Leaves no byte free, while PostgreSQL has all the WAL that it needs: what fails is making tables longer. */
async function fillUpAround(): Promise<void> {
  await withDatabase({ DATA_DIR: dataDir }, async ({ settings }) => {
    const owner = openOwnerPool(settings, 'full disk')
    // a new segment of 16 MB, written in full when it's made
    await owner.query("select pg_logical_emit_message(false, 'fill', repeat('x', 17000000), true)")
    await owner.end()
  })
  const file = openSync(filler, 'w')
  for (let size = 1_000_000; size >= 1; size = Math.floor(size / 10)) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size))
    } catch {
      // not that much anymore
    }
  }
  closeSync(file)
}

/** Logs in with addresses that don't exist, each of which is counted in a table. Returns what the server says about it. */
async function failedLogin(address: string, i: number): Promise<unknown> {
  const answer = await fetch(new URL('/api/public/user/login', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${i % 250}` },
    body: JSON.stringify({ email: `nobody${i}@rookery.test`, password: 'wrong password' }),
  })
  return await answer.json()
}

async function schedule(label: string, now: Date): Promise<void> {
  await withDatabase({ DATA_DIR: dataDir }, async ({ settings }) => {
    const [databases, owner] = [openDatabases(settings), openOwnerPool(settings, 'full disk')]
    const house = await makePublishingFixture(owner, now)
    const channels = await makeChannels(owner, house, CHANNELS, {
      now,
      keys: readSecretKeys({ dataDir }),
      secret: ({ did }) => simulatedSecret(simulator.origin, did),
    })
    const posts = channels.map(({ channelId }, i) => ({ channelId, dueAt: now, text: `${label} ${i}` }))
    await makePosts({ owner, databases, clock: systemClock }, house, posts)
    await Promise.all([databases.close(), owner.end()])
  })
}

it.skipIf(!isMounted)(
  "outlives a full disk: it says that it isn't ready, and publishes what waited once there is room",
  async () => {
    const variables = { SIMULATED_CHANNELS: '1', SIMULATOR_PORT: new URL(simulator.origin).port }
    program = await startProgram(dataDir, variables)
    const { address } = program
    await schedule('before', systemClock.now())
    await until(() => simulator.ledger.length === CHANNELS, { what: 'the posts before' })
    const inAMoment = new Date(systemClock.now().getTime() + 5000)
    await schedule('during', inAMoment)
    await fillUp()
    await until(async () => (await readyz(address)) === 503, { deadline: 60_000, what: 'the app to notice' })
    rmSync(filler)
    await until(async () => (await readyz(address)) === 200, { deadline: 120_000, what: 'the app to be ready again' })
    await until(() => simulator.ledger.length === 2 * CHANNELS, { deadline: 120_000, what: 'the posts that waited' })
    expect(texts()).toEqual(
      ['before', 'during'].flatMap((label) => Array.from({ length: CHANNELS }, (_, i) => `${label} ${i}`)),
    )
    expect(program.child.exitCode).toBeNull()
  },
  300_000,
)

it.skipIf(!isMounted)(
  "says that nothing was saved while PostgreSQL lives on but can't extend a table, and continues once there is room",
  async () => {
    if (!program) throw new Error('the program runs since the first test')
    const { address } = program
    const before = simulator.ledger.length
    await schedule('later', new Date(systemClock.now().getTime() + 20_000))
    await fillUpAround()
    let tries = 0
    let said: unknown
    await until(
      async () => {
        said = await failedLogin(address, tries++)
        return JSON.stringify(said).includes('UNAVAILABLE')
      },
      { deadline: 60_000, what: 'a call to find the disk full' },
    )
    expect(said).toMatchObject({
      status: 503,
      detail:
        "This wasn't saved, because the server's disk is full. Ask your Rookery administrator to free space, then try again.",
    })
    const refused = await readiness(address)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toEqual({
      ready: false,
      why: "the database's disk is full: nothing can be saved or published until you free space",
    })
    rmSync(filler)
    await until(async () => (await readyz(address)) === 200, { deadline: 120_000, what: 'the app to be ready again' })
    expect(await failedLogin(address, tries)).toMatchObject({ code: 'LOGIN_FAILED' })
    await until(() => simulator.ledger.length === before + CHANNELS, { deadline: 120_000, what: 'the later posts' })
    expect(texts().filter((text) => text.startsWith('later'))).toEqual(
      Array.from({ length: CHANNELS }, (_, i) => `later ${i}`),
    )
  },
  300_000,
)
