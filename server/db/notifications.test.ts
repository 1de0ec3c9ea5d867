import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { asClient } from './roles.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A subscriber that keeps what it was told. */
function listenTo(channel: string) {
  const told: string[] = []
  const { listening, stop } = database.databases.notifications.listen(channel, {
    heard: (message) => told.push(message),
    lost: () => told.push('LOST'),
  })
  return { told, listening, stop }
}
const say = (channel: string, message: string) => database.owner.query('select pg_notify($1, $2)', [channel, message])
/** Ends the connection, as a network or a restarting database would. */
const cut = () =>
  asClient(inject('cluster').superuser, (client) =>
    client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'rookery notifications'",
      [database.settings.app.database],
    ),
  )

it('hears what is said on its channels, in order, until it stops', async () => {
  const [first, second, other] = [listenTo('one'), listenTo('one'), listenTo('other')]
  expect(first.listening()).toBe(false)
  await until(() => first.listening() && other.listening())
  await say('one', 'a')
  await say('one', 'b')
  await say('other', 'c')
  await until(() => other.told.length === 1)
  expect([first.told, second.told, other.told]).toEqual([['a', 'b'], ['a', 'b'], ['c']])
  second.stop()
  await say('one', 'd')
  await until(() => first.told.length === 3)
  expect(second.told).toEqual(['a', 'b'])
  first.stop()
  other.stop()
})

it("hears a channel that's named while the connection is open", async () => {
  const late = listenTo('Late "channel"')
  await until(() => late.listening())
  await say('Late "channel"', 'x')
  await until(() => late.told.length === 1)
  late.stop()
})

it("says when it may have missed something, and listens again once it's connected", async () => {
  const subscriber = listenTo('lost')
  await until(() => subscriber.listening())
  await cut()
  await until(() => subscriber.told.includes('LOST'))
  expect(subscriber.listening()).toBe(false)
  await until(() => subscriber.listening())
  await say('lost', 'again')
  await until(() => subscriber.told.length === 2)
  expect(subscriber.told).toEqual(['LOST', 'again'])
  subscriber.stop()
})
