import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import type { SafeAnswer } from '../platforms/safeHttp.ts'
import { makeChannels, makePosts, makePublishingFixture, type PublishingFixture } from '../testing/publishing.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'

/* Which work gets the slots of a node: as many for a platform as its latency requires, and always some for the others. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
// what hangs never ends
afterEach(() => room.stopAll(50))

const ok: SafeAnswer = { kind: 'answer', status: 200, headers: {}, body: new Uint8Array(), url: '' }

/** A platform that is called over the network, and the network: each request waits until the test answers it. */
function slow() {
  const pending: { url: string; answer: (answer: SafeAnswer) => void }[] = []
  const fetch: SafeFetch = (url) => new Promise((answer) => pending.push({ url, answer }))
  const platform = scriptedPlatform({
    send: async (reach, _secret, _account, post) => {
      await reach.fetch(`https://platform.test/${post.contents[0]?.text}`, { timeoutMs: 20_000, maxBytes: 100 })
      return { kind: 'sent', remoteId: post.sendKey, progress: {} }
    },
  })
  const answer = (count: number, what: SafeAnswer = ok) => {
    for (const one of pending.splice(0, count)) one.answer(what)
  }
  return { platform, fetch, pending, answer }
}

/** One post on each of this many new channels. */
async function posts(
  house: PublishingFixture,
  count: number,
  text: string,
  more: { platform?: 'mastodon'; minutes?: number } = {},
) {
  const { platform, minutes = 0 } = more
  const channels = await makeChannels(room.database.owner, house, count, {
    now: room.clock.now(),
    secret: () => ({}),
    prefix: text,
    ...(platform && { platform }),
  })
  return await makePosts(
    { owner: room.database.owner, databases: room.database.databases, clock: room.clock },
    house,
    channels.map(({ channelId }, i) => ({ channelId, dueAt: room.inMinutes(minutes), text: `${text}-${i}` })),
  )
}

test('gives a platform more slots with each slow answer, and halves them when it stops answering', async () => {
  const { platform, fetch, pending, answer } = slow()
  const publishing = await room.start({ platforms: [platform], fetch, options: { firstSlots: 4, reservedSlots: 1 } })
  await posts(room.house, 40, 'many')
  await until(() => pending.length === 4)
  expect(publishing.stats().inFlight).toBe(4)
  answer(4)
  await until(() => pending.length === 6)
  answer(6)
  await until(() => pending.length === 9)
  answer(9, { kind: 'lost', why: 'timeout', detail: '' })
  // the scripted platform counts them as sent anyway, and what is read back of them ends a little later
  await until(() => pending.length === 4 && publishing.stats().inFlight === 4)
})

test("does not delay one organization's post because another has many due channels", async () => {
  const { platform, fetch, pending, answer } = slow()
  await posts(room.house, 20, 'crowd', { minutes: -1 })
  await room.start({ platforms: [platform], fetch, options: { firstSlots: 8, slots: 20 } })
  await until(() => pending.length === 8)
  const other = await makePublishingFixture(room.database.owner, room.clock.now())
  await posts(other, 1, 'other')
  answer(1)
  // the answer freed its slot and added one
  await until(() => pending.length === 9)
  expect(pending.slice(7).map(({ url }) => url)).toContainEqual(expect.stringContaining('other-0'))
})

test('leaves slots for other platforms if one never answers, even where it may use all', async () => {
  const { platform, fetch, pending } = slow()
  const quick = { ...scriptedPlatform(), key: 'mastodon' as const }
  await posts(room.house, 40, 'stuck')
  await room.start({
    platforms: [platform, quick],
    fetch,
    options: { slots: 20, platformShare: 1, firstSlots: 40, reservedSlots: 4 },
  })
  await until(() => pending.length === 16)
  const ids = await posts(room.house, 6, 'free', { platform: 'mastodon' })
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
  expect(pending).toHaveLength(16)
})

test('uses the slot of an acknowledged post for the next, while at most a quarter as many are read back beside', async () => {
  const reading = scriptedPlatform({ readBack: () => new Promise<never>(() => {}) })
  const quick = { ...scriptedPlatform(), key: 'mastodon' as const }
  await posts(room.house, 12, 'read')
  await room.start({ platforms: [reading, quick], options: { slots: 20, firstSlots: 4, reservedSlots: 1 } })
  // five are read without a slot, and four keep theirs
  await until(() => reading.asked.filter((what) => what.startsWith('readback')).length === 9)
  const [id = ''] = await posts(room.house, 1, 'free', { platform: 'mastodon' })
  await room.reaches(id, 'PUBLISHED')
  expect(reading.there).toHaveLength(9)
})
