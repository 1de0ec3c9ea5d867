import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { asTenant } from '../db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import type { DeletionOrder } from '../testing/deletionWorker.ts'
import { makeChannels, makePublishingFixture, makePosts, simulatedSecret } from '../testing/publishing.ts'
import { until } from '../testing/until.ts'
import { acceptDeletion } from './delete.ts'

/*
 * A worker is killed during a deletion: before and after the platform was asked to revoke the sign-in. Another worker
 * finishes it, with nothing lost and nothing important done twice.
 */

let database: TestDatabase
let platform: Server
let asked: string[]
let workers: ChildProcess[]

beforeEach(async () => {
  database = await createTestDatabase()
  asked = []
  workers = []
  platform = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(platform, 'listening')
})
afterEach(async () => {
  for (const worker of workers) if (worker.exitCode === null && worker.signalCode === null) worker.kill('SIGKILL')
  platform.close()
  platform.closeAllConnections()
  await database.drop()
})

// a listening TCP server has an address with a port
const host = () => `127.0.0.1:${(platform.address() as AddressInfo).port}`

function work(dies: DeletionOrder['dies']): ChildProcess {
  const order: DeletionOrder = { settings: database.settings, allow: host(), dies }
  const worker = spawn(
    process.execPath,
    [fileURLToPath(new URL('../testing/deletionWorker.ts', import.meta.url)), JSON.stringify(order)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  workers.push(worker)
  return worker
}

test.each([
  ['before', 1],
  ['after', 2],
] as const)(
  'a worker that dies %s the platform has answered leaves the deletion to another one',
  async (dies, times) => {
    const now = systemClock.now()
    const house = await makePublishingFixture(database.owner, now)
    const [made] = await makeChannels(database.owner, house, 1, {
      now,
      secret: ({ did }) => simulatedSecret(`http://${host()}`, did),
    })
    const channelId = made?.channelId ?? ''
    const later = { owner: database.owner, databases: database.databases, clock: systemClock }
    const [postId] = await makePosts(later, house, [
      { channelId, dueAt: new Date(now.getTime() + 3_600_000), text: 'Waiting' },
    ])
    // as the composer's verb would have left it
    await database.owner.query('update post set schedule = $2 where id = $1', [
      postId,
      JSON.stringify({
        type: 'ONCE',
        details: { utc: new Date(now.getTime() + 3_600_000).toISOString(), timezone: 'Europe/Berlin' },
      }),
    ])
    await asTenant(database.databases.web, house.orgId, async (tx) => {
      const channel = await tx
        .selectFrom('channel')
        .selectAll()
        .where('id', '=', channelId)
        .forUpdate()
        .executeTakeFirstOrThrow()
      await acceptDeletion(tx, channel, house.personId, now)
    })

    const first = work(dies)
    await until(() => first.signalCode === 'SIGKILL', { deadline: 60_000, what: 'the worker to die' })
    const left = await database.owner.query('select deleted_at, deleting_at is not null as deleting from channel')
    expect(left.rows).toEqual([{ deleted_at: null, deleting: true }])

    work('never')
    await until(
      async () => (await database.owner.query('select 1 from channel where deleted_at is not null')).rowCount === 1,
      { deadline: 60_000, what: 'the deletion to be carried out' },
    )
    expect(asked).toEqual(Array.from({ length: times }, () => '/xrpc/com.atproto.server.deleteSession'))
    expect((await database.owner.query('select 1 from channel_secret')).rows).toEqual([])
    expect((await database.owner.query('select state, channel_id from post where id = $1', [postId])).rows).toEqual([
      { state: 'DRAFTS', channel_id: null },
    ])
    expect((await database.owner.query("select kind from post_event where kind = 'drafted'")).rows).toHaveLength(1)
    await until(
      async () =>
        (await database.owner.query("select 1 from graphile_worker.jobs where task_identifier = 'channels.delete'"))
          .rowCount === 0,
      { what: 'the job to be done' },
    )
  },
)
