import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BulkImportDetail } from '#contract/bulk.ts'
import { systemClock } from '../clock.ts'
import { bulkOn, bulkRow, onPlan } from '../testing/bulk.ts'
import type { BulkOrder } from '../testing/bulkWorker.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

/*
 * Workers are killed during a confirmation and while undoing it: while a file is read, within a post's transaction, and
 * at random. Others continue: no row is lost, none has two posts, no file is stored twice.
 */

let app: TestApp
let bulk: ReturnType<typeof bulkOn>
let home: TestHome
let workers: ChildProcess[]

beforeEach(async () => {
  workers = []
  app = await startApp({ at: systemClock.now(), platforms: { bluesky: testPlatform() } })
  bulk = bulkOn(app)
  home = await app.signedInOwner()
  await onPlan(app, home, 'team')
  await contentOn(app.parts).channel(home, { handle: '@harbour.example' })
})
afterEach(async () => {
  await Promise.all(workers.map(kill))
  await app.close()
})

function work(dies?: BulkOrder['dies']): ChildProcess {
  const order: BulkOrder = {
    settings: app.database.settings,
    folder: join(app.dataDir, 'media'),
    ...(dies && { dies }),
  }
  const worker = spawn(
    process.execPath,
    [fileURLToPath(new URL('../testing/bulkWorker.ts', import.meta.url)), JSON.stringify(order)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  workers.push(worker)
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const ended = once(worker, 'exit')
  worker.kill('SIGKILL')
  await ended
}

const date = () => new Date(app.clock.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10)
const take = (rows: { media?: string }[]): Promise<BulkImportDetail> =>
  bulk.check(
    home,
    rows.map((more, i) => bulkRow(`Row ${i}`, { date: date(), ...more })),
  )
const count = async (query: string): Promise<number> =>
  Number((await app.database.owner.query<{ n: string }>(query)).rows[0]?.n)
const inState = (state: string) => count(`select count(*) as n from bulk_row where state = '${state}'`)
const died = (worker: ChildProcess) =>
  until(() => worker.signalCode === 'SIGKILL', { deadline: 60_000, what: 'the worker to die' })
const allAre = (state: string, n: number) =>
  until(async () => (await inState(state)) === n, { deadline: 90_000, what: `${n} rows to be ${state}` })

/** Each row has one post of its own, whose history begins once and which is on its lane. */
async function mustBeOnce(n: number): Promise<void> {
  expect(await count('select count(*) as n from post')).toBe(n)
  expect(await count('select count(distinct excerpt) as n from post')).toBe(n)
  expect(
    await count(
      "select count(*) as n from post p join delivery d on d.subject_id = p.id where p.state = 'SCHEDULED' and d.step is not null",
    ),
  ).toBe(n)
  expect(await count('select count(*) as n from batch')).toBe(n)
  expect(await count("select count(*) as n from post_event where kind = 'created'")).toBe(n)
  expect(
    await count(
      "select count(distinct p.id) as n from bulk_row r join post p on p.id = any(r.post_ids) and p.excerpt = r.cells ->> 'text'",
    ),
  ).toBe(n)
}

test("survives a worker that dies while a file is read, and one that dies within a post's transaction", async () => {
  const found = await take([
    { media: 'https://files.example/a.png' },
    { media: 'https://files.example/b.png' },
    {},
    { media: 'https://files.example/a.png' },
    {},
  ])
  await bulk.confirm(home, found)
  await died(work({ at: 'reading', on: 2 }))
  expect([await inState('made'), await inState('waiting')]).toEqual([1, 4])
  await died(work({ at: 'making', on: 2 }))
  expect([await inState('made'), await inState('waiting')]).toEqual([2, 3])
  work()
  await allAre('made', 5)
  await mustBeOnce(5)
  // what the dead one had read before isn't imported again
  expect(await count('select count(*) as n from asset')).toBe(2)
  expect(await count('select count(*) as n from post_asset')).toBe(3)
})

test('survives workers that die right after a commit, of a counted try and of a created row', async () => {
  const found = await take(Array.from({ length: 5 }, () => ({})))
  await bulk.confirm(home, found)
  for (const [on, made] of [
    [2, 1],
    [1, 1],
    [4, 3],
  ] as const) {
    await died(work({ at: 'committed', on }))
    expect(await inState('made')).toBe(made)
  }
  work()
  await allAre('made', 5)
  await mustBeOnce(5)
})

test('survives workers that are killed anywhere, again and again', async () => {
  const found = await take(Array.from({ length: 60 }, () => ({})))
  await bulk.confirm(home, found)
  for (const made of [5, 20, 40]) {
    const worker = work()
    await until(async () => (await inState('made')) >= made, { deadline: 60_000, what: `${made} rows to be made` })
    await kill(worker)
  }
  work()
  await allAre('made', 60)
  await mustBeOnce(60)
})

test("undoes every post once, even if it's killed in between", async () => {
  const found = await take(Array.from({ length: 40 }, () => ({})))
  await bulk.confirm(home, found)
  const first = work()
  await allAre('made', 40)
  await bulk.undo(home, found)
  await until(async () => (await inState('undone')) >= 5, { deadline: 60_000, what: 'some rows to be undone' })
  await kill(first)
  work()
  await allAre('undone', 40)
  expect(
    await count(
      "select count(*) as n from post p join delivery d on d.subject_id = p.id where p.state = 'DELETED' and d.step is null",
    ),
  ).toBe(40)
  expect(await count("select count(*) as n from post_event where kind = 'deleted'")).toBe(40)
  expect(await count("select count(*) as n from bulk_row where post_ids <> '{}' or problems <> '[]'")).toBe(0)
})
