import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { hurried } from '../testing/faultRun.ts'
import { makeChannels, makePublishingFixture, makePosts, simulatedSecret } from '../testing/publishing.ts'
import { startBlueskySimulator, type Simulator } from '../simulators/bluesky/start.ts'
import { until } from '../testing/until.ts'
import { spawnWorker, type WorkerProcess } from '../testing/workers.ts'
import { defaultOptions, type PublishingOptions } from '../delivery/options.ts'

/*
 * A worker is stopped (SIGSTOP) between its claim and its request, stays stopped while another one takes over its
 * post, sends and publishes it, and then wakes up. Two guards protect against it: the lease keeps it from sending,
 * the fence from writing. Removing either shows what it's for. The same for a follow-up of a live post.
 */

let database: TestDatabase
let simulator: Simulator
let workers: WorkerProcess[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  simulator = await startBlueskySimulator()
})
afterEach(async () => {
  for (const worker of workers) {
    worker.child.kill('SIGCONT')
    await worker.kill()
  }
  workers = []
  await simulator.stop()
  await database.drop()
})

function spawn(options: Partial<PublishingOptions>, stopBeforeSend = 0): WorkerProcess {
  const worker = spawnWorker({
    settings: database.settings,
    allow: simulator.allow,
    options: { ...hurried, ...options },
    stopBeforeSend,
  })
  workers.push(worker)
  return worker
}

const sends = () => simulator.calls.get('com.atproto.repo.createRecord') ?? 0
/** The delivery's progress: PUBLISHED without remaining follow-ups at the end. */
const standingOf = async (id: string) =>
  (
    await database.owner.query<{ standing: string }>(
      `select concat_ws(' ', p.state, d.step, nullif(d.key, '')) as standing
       from post p left join delivery d on d.org_id = p.org_id and d.subject_id = p.id and d.step is not null where p.id = $1`,
      [id],
    )
  ).rows[0]?.standing
const partsOf = async (id: string) =>
  (
    await database.owner.query<{ state: string }>(
      "select state from delivery where subject_id = $1 and subject = 'follow-up' order by place",
      [id],
    )
  ).rows.map(({ state }) => state)

const kinds = [
  { what: 'the post', nth: 1, thread: [], before: 'PROCESSING reconcile' },
  { what: 'an item of its thread', nth: 2, thread: ['twice never'], before: 'PUBLISHED reconcile item 1' },
]

describe.each(kinds)('stopped before it sends $what', ({ nth, thread, before }) => {
  /** Up to the moment at which the stopped worker runs again, its post long published by the other one. */
  async function stopAndTakeOver(options: Partial<PublishingOptions>): Promise<{ id: string; stopped: WorkerProcess }> {
    const now = systemClock.now()
    const house = await makePublishingFixture(database.owner, now)
    const [channel] = await makeChannels(database.owner, house, 1, {
      now,
      secret: ({ did }) => simulatedSecret(simulator.origin, did),
    })
    const stopped = spawn(options, nth)
    await stopped.ready()
    const [id = ''] = await makePosts(
      { owner: database.owner, databases: database.databases, clock: systemClock },
      house,
      [{ channelId: channel?.channelId ?? '', dueAt: now, text: 'once', thread }],
    )
    await until(() => stopped.isStopped(), { what: 'the worker to stop between claim and request' })
    expect(await standingOf(id)).toBe(before)
    await spawn({}).ready()
    await until(async () => (await standingOf(id)) === 'PUBLISHED', {
      deadline: 60_000,
      what: 'the other worker to take the post over',
    })
    expect(sends()).toBe(nth)
    stopped.child.kill('SIGCONT')
    return { id, stopped }
  }

  test('neither sends nor writes', async () => {
    const { id, stopped } = await stopAndTakeOver({})
    // it ran to the end of its attempt: its outcome reached the database and was rejected
    await until(() => stopped.lines.some(({ line }) => line.includes('refused by the fence')))
    expect(stopped.lines.find(({ line }) => line.includes('refused by the fence'))).toMatchObject({
      outcome: 'not begun',
    })
    expect(sends()).toBe(nth)
    expect(simulator.duplicates).toEqual([])
    expect(await standingOf(id)).toBe('PUBLISHED')
    expect(await partsOf(id)).toEqual(thread.map(() => 'sent'))
  })

  test('sends a second time without the lease guard', async () => {
    const { stopped } = await stopAndTakeOver({ guards: { ...defaultOptions.guards, lease: false } })
    await until(() => sends() === nth + 1, { what: 'the violation' })
    expect(simulator.duplicates).toHaveLength(1)
    // the fence still protects: the second send changes nothing here
    await until(() => stopped.lines.some(({ line }) => line.includes('refused by the fence')))
  })

  test('overwrites the work of the other node without the fence', async () => {
    const { id, stopped } = await stopAndTakeOver({ guards: { ...defaultOptions.guards, fence: false } })
    // a published post can't be scheduled again: the database itself rejects that
    const isForbidden = () => stopped.lines.some(({ line }) => line === 'outcomes could not be written yet')
    await until(async () => isForbidden() || (await standingOf(id)) !== 'PUBLISHED' || sends() > nth, {
      what: 'the violation',
    })
  })
})
