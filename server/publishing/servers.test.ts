import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Budget, Publish } from '../platforms/platform.ts'
import type { SafeAnswer } from '../platforms/safeHttp.ts'
import { makeChannels, type TestChannel } from '../testing/publishing.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'

/* Anyone can run a federated server. One that never answers must not delay the posts of others: counted in slots, not in time. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
// what a hostile server holds never ends
afterEach(() => room.stopAll(50))

const never = () => new Promise<never>(() => {})

/** A platform whose servers with `never` in their name never answer; `stuck` lists what they hold. */
function federation({
  hangs = ['send', 'prepare'],
  ...script
}: { hangs?: readonly ('send' | 'prepare')[]; budgets?: readonly Budget[] } = {}) {
  const stuck: string[] = []
  const inner = scriptedPlatform(script)
  const hanging = (step: 'send' | 'prepare', service: string | null) =>
    hangs.includes(step) && service !== null && service.includes('never')
  const send: Publish['send'] = async (...call) =>
    hanging('send', call[2].service)
      ? (stuck.push(`send ${call[2].service ?? ''}`), await never())
      : await inner.publish.send(...call)
  const prepare: Publish['prepare'] = async (...call) =>
    hanging('prepare', call[2].service)
      ? (stuck.push(`prepare ${call[2].service ?? ''}`), await never())
      : await inner.publish.prepare(...call)
  return { platform: { ...inner, publish: { ...inner.publish, send, prepare } }, stuck, there: inner.there }
}

let made = 0
/** Channels on servers, one for each address; null is the platform's own. */
async function channelsOn(services: readonly (string | null)[]): Promise<TestChannel[]> {
  const accounts = services.map((service) => ({ remoteId: `remote-${(made += 1)}`, handle: `@a${made}`, service }))
  return await makeChannels(room.database.owner, room.house, services.length, {
    now: room.clock.now(),
    secret: () => ({}),
    accounts,
  })
}
const posts = (
  channels: readonly TestChannel[],
  text: string,
  more: { minutes?: number; needsPrepare?: boolean } = {},
) => room.posts(channels.map(({ channelId }, i) => ({ minutes: 0, text: `${text} ${i}`, channelId, ...more })))
const options = { slots: 20, platformShare: 0.4, transfers: 4 }

test('gives a server that never answers a quarter of its platform’s slots, and publishes the posts of other servers', async () => {
  const { platform, stuck } = federation()
  const hostile = await channelsOn(Array.from({ length: 12 }, () => 'https://never.example'))
  const good = await channelsOn(['https://good.example', 'https://good.example', 'https://other.example', null])
  // those of the hostile server have waited for longer
  await posts(hostile, 'held', { minutes: -1 })
  const ids = await posts(good, 'on time')
  await room.start({ platforms: [platform], options })
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
  expect(stuck).toEqual(['send https://never.example', 'send https://never.example'])
})

test('does not limit the main servers of a federation, which have most accounts, like other single servers', async () => {
  const { platform, stuck } = federation()
  const service = 'https://never.main'
  const channels = await channelsOn(Array.from({ length: 9 }, () => service))
  await posts(channels.slice(0, 5), 'words')
  await posts(channels.slice(5), 'with a file', { minutes: 1, needsPrepare: true })
  await room.start({
    platforms: [
      {
        ...platform,
        mainServers: [service],
        budgets: [{ name: 'address', per: 'server', windowSeconds: 300, tokens: 1, cost: { send: 1 } }],
      },
    ],
    options,
  })
  // the platform's share of the slots, several of them uploads
  await until(() => stuck.length === 8)
  expect(stuck.filter((what) => what.startsWith('prepare')).length).toBeGreaterThan(2)
})

test('keeps slots for uploads elsewhere while some servers never answer uploads', async () => {
  const { platform, stuck } = federation()
  const hostile = await channelsOn([
    'https://never.one',
    'https://never.one',
    'https://never.two',
    'https://never.three',
    'https://never.four',
  ])
  const [own] = await channelsOn([null])
  await posts(hostile, 'held', { minutes: 1, needsPrepare: true })
  const [id = ''] = await posts(own ? [own] : [], 'picture', { minutes: 1, needsPrepare: true })
  await room.start({ platforms: [platform], options })
  await until(async () => (await room.row(id)).step === 'send', { what: 'the picture to be prepared' })
  expect(stuck).toHaveLength(2)
  expect(new Set(stuck).size).toBe(2)
})

test('does not say that publishing was stopped when the server of a post never had a free slot', async () => {
  const { platform, stuck } = federation()
  const channels = await channelsOn(['https://never.example', 'https://never.example', 'https://never.example'])
  const ids = await posts(channels, 'held')
  await room.start({ platforms: [platform], options })
  await until(() => stuck.length === 2)
  room.clock.advance({ minutes: 61 })
  const failed = async () =>
    (await Promise.all(ids.map((id) => room.row(id)))).filter(({ state }) => state === 'FAILED')
  await until(async () => (await failed()).length === 1)
  expect((await failed())[0]).toMatchObject({
    failure: { class: 'late', params: { because: { code: 'not-running' } } },
  })
  expect(stuck).toHaveLength(2)
})

test('publishes posts without files while uploads to their server hang', async () => {
  const { platform, stuck } = federation({ hangs: ['prepare'] })
  const channels = await channelsOn(['https://never.example', 'https://never.example', 'https://never.example'])
  await posts(channels, 'with a file', { minutes: 1, needsPrepare: true })
  await room.start({ platforms: [platform], options })
  await until(() => stuck.length === 1)
  const ids = await posts(channels.slice(1), 'words')
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
  expect(stuck).toHaveLength(1)
})

test('gives a free slot to the next post of the server until all are published', async () => {
  const { platform, there } = federation()
  const channels = await channelsOn(Array.from({ length: 10 }, () => 'https://good.example'))
  const ids = await posts(channels, 'many', { needsPrepare: true })
  await room.start({ platforms: [platform], options })
  const states = async () => await Promise.all(ids.map(async (id) => (await room.row(id)).state))
  await until(async () => {
    room.clock.advance({ ms: 250 })
    return (await states()).every((state) => state === 'PUBLISHED')
  })
  expect(there).toHaveLength(10)
})

test('shares the rate limit of a server among its channels only', async () => {
  const { platform, there } = federation({
    budgets: [{ name: 'address', per: 'server', windowSeconds: 300, tokens: 2, cost: { send: 1 } }],
  })
  const channels = await channelsOn([
    'https://good.example',
    'https://good.example',
    'https://good.example',
    'https://other.example',
    null,
  ])
  const ids = await posts(channels, 'counted')
  await room.start({ platforms: [platform], options })
  await until(() => there.length === 4)
  await until(
    async () =>
      (await Promise.all(ids.map(async (id) => (await room.row(id)).state))).filter((state) => state === 'PUBLISHED')
        .length === 4,
  )
  const { rows } = await room.database.owner.query('select key, used from budget order by key')
  expect(rows).toEqual([
    { key: 'bluesky:address:https://good.example', used: 2 },
    { key: 'bluesky:address:https://other.example', used: 1 },
  ])
  // the next window is open to the third
  room.clock.advance({ minutes: 5 })
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
})

test('gives a server that answers more slots, halves only its own when it stops, and leaves the platform’s to others', async () => {
  const pending: { url: string; answer: (answer: SafeAnswer) => void }[] = []
  const platform = scriptedPlatform({
    send: async (reach, _secret, account, post) => {
      await reach.fetch(`${account.service ?? 'https://platform.test'}/`, { timeoutMs: 20_000, maxBytes: 100 })
      return { kind: 'sent', remoteId: post.sendKey, progress: {} }
    },
  })
  const at = (server: string) => pending.filter(({ url }) => url.includes(server))
  const answer = (server: string, what: SafeAnswer) => {
    for (const one of at(server)) {
      pending.splice(pending.indexOf(one), 1)
      one.answer(what)
    }
  }
  const ok: SafeAnswer = { kind: 'answer', status: 200, headers: {}, body: new Uint8Array(), url: '' }
  // what found no slot is looked at again after a moment
  const has = (server: string, length: number) =>
    until(() => (room.clock.advance({ ms: 250 }), at(server).length === length), { what: `${length} at ${server}` })
  const count = (length: number, service: string) => Array.from({ length }, () => service)
  await posts(await channelsOn([...count(30, 'https://good.example'), ...count(9, 'https://never.example')]), 'many')
  await room.start({
    platforms: [platform],
    fetch: (url) => new Promise((resolve) => pending.push({ url, answer: resolve })),
    options: { slots: 80, platformShare: 1, firstSlots: 8, reservedSlots: 4 },
  })
  for (const size of [2, 3, 5, 7]) {
    await has('good', size)
    if (size < 7) answer('good', ok)
  }
  expect(at('never')).toHaveLength(2)
  // each server takes two of the platform's eight
  await posts(await channelsOn([null, null, null]), 'own')
  await has('platform', 3)
  answer('good', { kind: 'lost', why: 'timeout', detail: '' })
  await has('good', 3)
  expect([at('good').length, at('never').length, at('platform').length]).toEqual([3, 2, 3])
})
