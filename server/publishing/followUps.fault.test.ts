import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { hurried } from '../testing/faultRun.ts'
import { makeChannels, makePublishingFixture, makePosts, simulatedSecret } from '../testing/publishing.ts'
import { startBlueskySimulator, type Simulator } from '../simulators/bluesky/start.ts'
import { openHarness, type Harness } from '../testing/harness.ts'
import { until } from '../testing/until.ts'
import { spawnWorker, type WorkerProcess } from '../testing/workers.ts'

/* Threads with a first comment, through bad answers, while workers and the database die between their items. */

const THREADS = 60
const LENGTH = 4
const KILLS = 6

let stage: Harness
let simulator: Simulator
let workers: WorkerProcess[] = []

beforeAll(async () => {
  stage = await openHarness()
  simulator = await startBlueskySimulator({
    faults: { seed: 4, dropBefore: 0.03, dropAfter: 0.03, late: 0.02, lateMs: 700, broken: 0.02, garbled: 0.03 },
  })
})
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()))
  await simulator.stop()
  await stage.close()
})

const texts = (i: number): string[] => [`post ${i}`, `post ${i} item 2`, `post ${i} item 3`, `post ${i} comment`]

async function killDatabase(): Promise<void> {
  const { supervisor } = stage
  process.kill(
    await until(() => (supervisor.state === 'ready' ? supervisor.pid() : undefined), { deadline: 60_000 }),
    'SIGKILL',
  )
  await until(() => supervisor.state !== 'ready')
}

test(`${THREADS} threads and ${KILLS} kills: publishes every item once, after the one before it, and records it`, async () => {
  const now = systemClock.now()
  const spawn = () => spawnWorker({ settings: stage.settings, allow: simulator.allow, options: hurried })
  workers = [spawn(), spawn()]
  const house = await makePublishingFixture(stage.owner, now)
  const channels = await makeChannels(stage.owner, house, 20, {
    now,
    secret: ({ did }) => simulatedSecret(simulator.origin, did),
  })
  const posts = Array.from({ length: THREADS }, (_, i) => {
    const [text = '', ...thread] = texts(i)
    return {
      channelId: channels[i % channels.length]?.channelId ?? '',
      dueAt: new Date(now.getTime() + i * 20),
      text,
      thread: thread.slice(0, -1),
      firstComment: thread.at(-1) ?? '',
    }
  })
  await makePosts({ owner: stage.owner, databases: stage.databases, clock: systemClock }, house, posts)

  for (let kill = 0; kill < KILLS; kill++) {
    const moment = Math.floor(((kill + 0.5) / KILLS) * THREADS * LENGTH * 0.95)
    await until(() => simulator.ledger.length >= moment, { deadline: 150_000, what: `entry ${moment}` })
    if (kill % 3 === 2) await killDatabase()
    else {
      await workers[kill % 2]?.kill()
      workers[kill % 2] = spawn()
    }
  }
  await until(
    async () =>
      (
        await stage.owner.query(
          "select from post p left join delivery d on d.subject_id = p.id where p.state <> 'PUBLISHED' or d.step is not null limit 1",
        )
      ).rowCount === 0,
    { deadline: 150_000, what: 'every thread to be whole' },
  )

  expect(simulator.duplicates).toEqual([])
  const place = new Map(simulator.ledger.map(({ text }, at) => [text, at]))
  expect(simulator.ledger).toHaveLength(THREADS * LENGTH)
  expect(place.size).toBe(THREADS * LENGTH)
  for (let i = 0; i < THREADS; i++) {
    const places = texts(i).map((text) => place.get(text) ?? -1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  }
  const { rows } = await stage.owner.query(
    "select state, count(*)::int as n from delivery where subject = 'follow-up' group by state",
  )
  expect(rows).toEqual([{ state: 'sent', n: THREADS * (LENGTH - 1) }])
  expect((await stage.owner.query('select from post where warning is not null')).rowCount).toBe(0)
}, 600_000)
