import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimDeliveries } from '../delivery/claim.ts'
import { defaultOptions } from '../delivery/options.ts'
import type { Outgoing, Platform, Publish, Sent } from '../platforms/platform.ts'
import { seeded } from '../simulators/bluesky/faults.ts'
import { makeChannels, makePosts, makePublishingFixture } from '../testing/publishing.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { saying } from '../testing/reasons.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'

/*
 * Creation times on platforms that keep one entry of an account per time: no two of an account are the same, no matter who
 * sends, and every try of the same thing has the same.
 */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll(50))

const lost = { kind: 'unknown', reason: saying('Lost.') } as const
const busy = { kind: 'retry', reason: saying('Later.') } as const

/** A platform that notes the time of every try, by key; `fails` says how each ends. */
function noting(fails: () => 'no' | 'lost' | 'arrives, but lost' | 'busy' = () => 'no') {
  const tries = new Map<string, number[]>()
  const there = new Set<string>()
  const sent = (key: string): Sent => ({ kind: 'sent', remoteId: `remote ${key}`, progress: {} })
  const attempt = (key: string, { createdAt }: Outgoing) => {
    tries.set(key, [...(tries.get(key) ?? []), createdAt.getTime()])
    const how = fails()
    if (how === 'no' || how === 'arrives, but lost') there.add(key)
    return how === 'no' ? sent(key) : how === 'busy' ? busy : lost
  }
  const look = (key: string) => (there.has(key) ? sent(key) : ({ kind: 'absent' } as const))
  const script: Partial<Publish> = {
    distinctTimes: true,
    simultaneousSends: 8,
    sendIsRepeatable: true,
    send: async (_reach, _secret, _account, post) => attempt(post.sendKey, post),
    reconcile: async (_reach, _secret, _account, post) => look(post.sendKey),
    sendFollowUp: async (_reach, _secret, _account, post, part) => attempt(part.sendKey, post),
    reconcileFollowUp: async (_reach, _secret, _account, _post, part) => look(part.sendKey),
  }
  return { platform: scriptedPlatform(script), tries }
}

const options = { backoff: 100, reconcileMargin: 10, absenceGap: 10, lookAgain: 100 }
const start = (platform: Platform) => room.start({ platforms: [platform], options })

/** The fixture's account, connected to another organization as well, with that organization. */
async function connectedElsewhere() {
  const house = await makePublishingFixture(room.database.owner, room.clock.now())
  const { did, handle } = room.channel
  const [channel] = await makeChannels(room.database.owner, house, 1, {
    now: room.clock.now(),
    secret: () => ({}),
    accounts: [{ remoteId: did, handle, service: null }],
  })
  if (!channel) throw new Error('no channel')
  return { house, channel }
}

const ways = ['no', 'no', 'no', 'lost', 'arrives, but lost', 'busy'] as const

test.each([1, 2, 3])(
  'posts and threads of one minute, on two nodes and in two organizations, never share one (seed %i)',
  async (seed) => {
    const random = seeded(seed)
    const { platform, tries } = noting(() => ways[Math.floor(random() * ways.length)] ?? 'no')
    const other = await connectedElsewhere()
    await Promise.all([start(platform), start(platform)])
    const places = [{ house: room.house, channel: room.channel }, other]
    const ids: string[] = []
    for (const { house, channel } of places)
      ids.push(
        ...(await makePosts(
          { owner: room.database.owner, databases: room.database.databases, clock: room.clock },
          house,
          Array.from({ length: 12 }, (_, i) => ({
            channelId: channel.channelId,
            dueAt: room.inMinutes(i % 4 === 3 ? 2 : 1),
            text: `post ${i}`,
            ...(i % 3 === 0 && { thread: ['second', 'third'], firstComment: 'more' }),
          })),
        )),
      )
    room.clock.advance({ minutes: 1 })
    await room.passesUntil(async () => !(await isBusy()))
    expect(tries.size).toBe(2 * (12 + 4 * 3))
    const states = await Promise.all(ids.map(async (id) => (await room.row(id)).state))
    expect(states.filter((state) => state !== 'PUBLISHED')).toEqual([])
    const times = [...tries].map(([key, all]) => {
      expect(new Set(all).size, `tries of ${key}`).toBe(1)
      return all[0] ?? 0
    })
    expect(new Set(times).size).toBe(times.length)
    // the items of each thread follow their post
    for (const key of tries.keys()) {
      const at = (name: string) => tries.get(name)?.[0] ?? Infinity
      if (key.endsWith('/item 1')) {
        const root = key.slice(0, -'/item 1'.length)
        const thread = [root, `${root}/item 1`, `${root}/item 2`, `${root}/comment`].map(at)
        expect(thread.toSorted((a, b) => a - b)).toEqual(thread)
      }
    }
  },
)

const isBusy = async () =>
  (await room.database.owner.query('select from delivery where step is not null limit 1')).rowCount === 1

test('a post keeps the time of a node that died before it sent anything', async () => {
  const { platform, tries } = noting()
  const id = await room.post(1, 'Hello')
  room.clock.advance({ minutes: 1 })
  const first = room.clock.now()
  const [claimed] = await claim(platform)
  expect(claimed).toMatchObject({ subject_id: id, dated_at: first })
  await start(platform)
  room.clock.advance({ minutes: 3 })
  await room.reaches(id, 'PUBLISHED')
  expect([...tries.values()]).toEqual([[first.getTime()]])
})

test('a post that waits until a channel works again has the time of its first try, not the planned one', async () => {
  const { platform, tries } = noting()
  const id = await room.post(1, 'Hello')
  room.clock.advance({ minutes: 20 })
  const now = room.clock.now().getTime()
  await start(platform)
  await room.reaches(id, 'PUBLISHED')
  expect([...tries.values()][0]?.[0]).toBeGreaterThanOrEqual(now)
})

test('a failed post that is scheduled again later gets a new one', async () => {
  const { platform } = noting()
  const [id = ''] = await room.posts([{ minutes: 1, text: 'Hello' }])
  room.clock.advance({ minutes: 1 })
  const first = room.clock.now()
  await claim(platform)
  await room.database.owner.query(
    "update delivery set step = 'send', step_at = $2, wanted_at = $2, lease_id = null, lease_until = null where subject_id = $1",
    [id, room.inMinutes(60)],
  )
  await room.database.owner.query('update lane set wake_at = $1', [room.inMinutes(60)])
  room.clock.advance({ minutes: 60 })
  const [again] = await claim(platform)
  expect(again?.dated_at).toEqual(room.clock.now())
  expect(again?.dated_at).not.toEqual(first)
})

test('platforms that need none get none', async () => {
  await room.post(1, 'Hello')
  room.clock.advance({ minutes: 1 })
  const [claimed] = await claim(scriptedPlatform())
  expect(claimed?.dated_at).toBeNull()
  expect(
    (await room.database.owner.query('select from account_clock where account like $1', [`%${room.channel.did}`]))
      .rowCount,
  ).toBe(0)
})

/** A claim by a node that does nothing with it. */
const claim = async (platform: Platform) =>
  await claimDeliveries(
    room.database.databases.system,
    {
      now: room.clock.now(),
      nodeId: '00000000-0000-7000-8000-000000000000',
      slots: 10,
      transfers: 1,
      shares: new Map([[platform, 10]]),
      shareOfServer: () => 10,
      crowded: new Map(),
      held: new Map(),
    },
    defaultOptions,
  )
