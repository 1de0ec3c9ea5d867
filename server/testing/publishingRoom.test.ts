import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { PublishingHarness } from './publishingHarness.ts'
import { scriptedPlatform } from './scriptedPlatform.ts'
import { until } from './until.ts'

/* How time passes in the fixture. A clock that advances during a step lets the engine start it twice. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

test('no time passes while a step is under way that only prepares or reads, however long it takes', async () => {
  const held = Promise.withResolvers<undefined>()
  const platform = scriptedPlatform({
    prepare: async (_reach, _secret, _account, post) => {
      await held.promise
      return { kind: 'prepared', progress: post.progress }
    },
  })
  await room.start({ platforms: [platform] })
  const [id = ''] = await room.posts([{ minutes: 1, text: 'slow', needsPrepare: true }])
  await until(() => platform.asked.includes('prepare slow'))
  const began = room.clock.now()
  let turns = 0
  await room.passesUntil(async () => (turns += 1) > 30)
  expect(room.clock.now()).toEqual(began)
  held.resolve(undefined)
  await room.passesUntil(async () => (await room.row(id)).state === 'PUBLISHED')
  expect(platform.asked.filter((line) => line === 'prepare slow')).toHaveLength(1)
})
