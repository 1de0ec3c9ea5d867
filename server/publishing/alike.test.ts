import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { until } from '../testing/until.ts'
import { sent, waiting } from '../testing/waitingPlatform.ts'

/* Posts that a search by text could take for each other: where an answer can only be found that way, they never overlap. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll(50))

describe('where a lost post is searched for by its text', () => {
  test('two that it could be taken for are sent one after the other, beside all others', async () => {
    const { platform, pending, answer } = waiting({ simultaneousSends: 4, findsByText: true })
    await room.start({ platforms: [platform] })
    const alike = ['Hello, world', '**hello** [World](https://platform.test/a) @you']
    const ids = await room.posts([...alike, 'Hello, world 2', 'Something else'].map((text) => ({ minutes: 0, text })))
    await until(() => pending.size === 3)
    await room.posts([{ minutes: 0, text: 'elsewhere', channelId: (await room.moreChannels()).channelId }])
    await until(() => pending.has('elsewhere'))
    const [first = '', ...more] = alike.filter((text) => pending.has(text))
    expect(more).toEqual([])
    // its lane is left alone meanwhile
    const { rows } = await room.database.owner.query<{ wake_at: Date }>(
      'select wake_at from lane where channel_id = $1',
      [room.channel.channelId],
    )
    expect(rows[0]?.wake_at.getTime()).toBeGreaterThan(room.clock.now().getTime() + 30_000)
    answer(first)
    await until(() => alike.every((text) => sent(platform.asked).includes(`send ${text}`)))
    for (const text of pending.keys()) answer(text)
    for (const id of ids) await room.reaches(id, 'PUBLISHED')
  })

  test('all others are sent together', async () => {
    const { platform, pending, answer } = waiting({ simultaneousSends: 4, findsByText: true })
    const ids = await room.posts(
      ['one', 'two', 'three', 'one, two', 'three 3'].map((text) => ({ minutes: 0, text, thread: ['one'] })),
    )
    await room.start({ platforms: [platform] })
    await until(() => pending.size === 4)
    const done = async () => {
      for (const text of pending.keys()) answer(text)
      return (await Promise.all(ids.map((id) => room.row(id)))).every(({ state }) => state === 'PUBLISHED')
    }
    await until(done)
  })
})
