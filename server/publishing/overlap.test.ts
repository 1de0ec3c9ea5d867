import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seeded } from '../simulators/bluesky/faults.ts'
import { saying } from '../testing/reasons.ts'
import type { Outgoing } from '../platforms/platform.ts'
import type { TestChannel } from '../testing/publishing.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { modelRuns, timeoutFor } from '../testing/modelRuns.ts'
import { sent, waiting } from '../testing/waitingPlatform.ts'
import { until } from '../testing/until.ts'

/* What one channel sends at once: one post at a time unless its platform allows more, and then only posts due at the same time. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll(50))

const textOf = (post: Pick<Outgoing, 'contents'>) => post.contents[0]?.text ?? ''

describe('a channel is free for its next post', () => {
  test('as soon as the previous post is acknowledged, while that one is still being read back', async () => {
    let read = () => {}
    const platform = scriptedPlatform({
      readBack: (_reach, _secret, _account, post) =>
        textOf(post) === 'first'
          ? new Promise((resolve) => (read = () => resolve({ kind: 'live', permalink: 'https://platform.test/first' })))
          : Promise.resolve({ kind: 'live', permalink: 'https://platform.test/second' }),
    })
    await room.start({ platforms: [platform] })
    const [first = '', second = ''] = await room.posts([
      { minutes: 0, text: 'first' },
      { minutes: 1, text: 'second' },
    ])
    await until(() => platform.asked.includes('readback first'))
    room.clock.advance({ minutes: 1 })
    await room.reaches(second, 'PUBLISHED')
    expect(await room.row(first)).toMatchObject({ state: 'PROCESSING', step: 'readback' })
    read()
    await room.reaches(first, 'PUBLISHED')
    expect(platform.there.map(({ text }) => text)).toEqual(['first', 'second'])
  })

  test('without waiting until the lanes are looked at again', async () => {
    const texts = ['one', 'two', 'three', 'four']
    const platform = scriptedPlatform({ readBack: () => new Promise<never>(() => {}) })
    await room.posts(texts.map((text) => ({ minutes: 0, text })))
    // an hour: only the acknowledgment can wake it
    await room.start({ platforms: [platform], options: { poll: 3_600_000 } })
    await until(() => platform.there.length === texts.length)
    expect(platform.there.map(({ text }) => text).toSorted()).toEqual(texts.toSorted())
  })

  test('but not before, if its platform names no limit, even when both are due at the same time', async () => {
    const { platform, pending, answer } = waiting()
    await room.start({ platforms: [platform] })
    const ids = await room.posts([
      { minutes: 0, text: 'a' },
      { minutes: 0, text: 'b' },
    ])
    await until(() => pending.size === 1)
    // another channel's post shows that the lanes have been checked since
    const other = await room.moreChannels()
    await room.posts([{ minutes: 0, text: 'elsewhere', channelId: other.channelId }])
    await until(() => pending.has('elsewhere'))
    const [first = ''] = [...pending.keys()]
    expect(sent(platform.asked)).toHaveLength(2)
    answer(first)
    await until(() => sent(platform.asked).length === 3)
    for (const text of pending.keys()) answer(text)
    for (const id of ids) await room.reaches(id, 'PUBLISHED')
  })
})

describe('where the platform takes several sends of an account at once', () => {
  test('that many posts of one time are sent together, and one more for each that is acknowledged', async () => {
    const { platform, pending, answer } = waiting({ simultaneousSends: 3 })
    await room.start({ platforms: [platform] })
    const ids = await room.posts(Array.from({ length: 5 }, (_, i) => ({ minutes: 0, text: `post ${i}` })))
    await until(() => pending.size === 3)
    await room.posts([{ minutes: 0, text: 'elsewhere', channelId: (await room.moreChannels()).channelId }])
    await until(() => pending.has('elsewhere'))
    expect(sent(platform.asked)).toHaveLength(4)
    answer([...pending.keys()].find((text) => text !== 'elsewhere') ?? '')
    await until(() => sent(platform.asked).length === 5)
    expect(pending.size).toBe(4)
    const done = async () => {
      for (const text of pending.keys()) answer(text)
      return (await Promise.all(ids.map((id) => room.row(id)))).every(({ state }) => state === 'PUBLISHED')
    }
    await until(done)
  })

  test('posts of different times are sent one after the other, in order', async () => {
    const { platform, pending, answer } = waiting({ simultaneousSends: 3 })
    await room.start({ platforms: [platform] })
    const ids = await room.posts([2, 1, 2, 1].map((minutes, i) => ({ minutes, text: `minute ${minutes}, ${i}` })))
    room.clock.advance({ minutes: 5 })
    await until(() => pending.size === 2)
    answer('minute 1, 1')
    await until(async () => (await room.row(ids[1] ?? '')).state === 'PUBLISHED')
    // one of the earlier time is still in flight
    expect(sent(platform.asked).toSorted()).toEqual(['send minute 1, 1', 'send minute 1, 3'])
    answer('minute 1, 3')
    await until(() => pending.size === 2)
    expect([...pending.keys()].toSorted()).toEqual(['minute 2, 0', 'minute 2, 2'])
    for (const text of pending.keys()) answer(text)
    for (const id of ids) await room.reaches(id, 'PUBLISHED')
  })
})

/** The requests to the platform for one post of a channel. */
type Sending = { channel: string; time: number; post: string; part: number }
const MOST = 3
/** What a search by text takes for the same. */
const wordsOf = ({ post }: Sending) => post.replaceAll('*', '')

/**
 * Two nodes, three channels, threads among the posts, answers in random order, some of them lost: records everything
 * that is in flight at once. Returns what was wrong.
 */
async function playAtRandom(seed: number): Promise<string[]> {
  const random = seeded(seed)
  const findsByText = seed % 2 === 0
  const wrong: string[] = []
  const onTheirWay = new Set<Sending>()
  const begun: Sending[] = []
  const there: string[] = []
  const finish: (() => void)[] = []
  const call = async <A, L>(sending: Sending, sent: () => A, lost: () => L): Promise<A | L> => {
    const beside = [...onTheirWay].filter(({ channel }) => channel === sending.channel)
    if (beside.length >= MOST) wrong.push(`${beside.length + 1} at once`)
    if (sending.part === 0 && beside.some(({ part, time }) => part === 0 && time !== sending.time))
      wrong.push('different times at once')
    if (findsByText && sending.part === 0 && beside.some((one) => one.part === 0 && wordsOf(one) === wordsOf(sending)))
      wrong.push('alike at once')
    if (beside.some(({ post }) => post === sending.post)) wrong.push('the same post twice at once')
    if (!begun.some(({ post, part }) => post === sending.post && part === sending.part)) begun.push(sending)
    onTheirWay.add(sending)
    await new Promise<void>((resolve) => finish.push(resolve))
    onTheirWay.delete(sending)
    if (random() < 0.1) return lost()
    there.push(`${sending.post}/${sending.part}`)
    return random() < 0.1 ? lost() : sent()
  }
  const sendingOf = (account: { remoteId: string }, post: Outgoing, part: number): Sending => {
    const [time = '', name = ''] = textOf(post).split(' ')
    return { channel: account.remoteId, time: Number(time), post: name, part }
  }
  const settled = (name: string, key: string) =>
    there.includes(name)
      ? ({ kind: 'sent', remoteId: `remote ${key}`, progress: {} } as const)
      : ({ kind: 'absent' } as const)
  const lost = () => ({ kind: 'unknown', reason: saying('Lost.') }) as const
  const platform = scriptedPlatform({
    simultaneousSends: MOST,
    ...(findsByText && { findsByText }),
    sendIsRepeatable: true,
    send: (_reach, _secret, account, post) =>
      call(
        sendingOf(account, post, 0),
        () => ({ kind: 'sent', remoteId: `remote ${post.sendKey}`, progress: {} }),
        lost,
      ),
    reconcile: async (_reach, _secret, account, post) => settled(`${sendingOf(account, post, 0).post}/0`, post.sendKey),
    sendFollowUp: (_reach, _secret, account, post, part) =>
      call(
        sendingOf(account, post, part.kind === 'item' ? part.item : 0),
        () => ({ kind: 'sent', remoteId: `remote ${part.sendKey}`, progress: {} }),
        lost,
      ),
    reconcileFollowUp: async (_reach, _secret, account, post, part) =>
      settled(`${sendingOf(account, post, 0).post}/${part.kind === 'item' ? part.item : 0}`, part.sendKey),
  })
  const channels: TestChannel[] = [room.channel, await room.moreChannels(), await room.moreChannels()]
  const posts = Array.from({ length: 24 }, (_, i) => {
    const minutes = Math.floor(random() * 3)
    const channelId = channels[i % 3]?.channelId ?? ''
    // those above and below twelve are alike if their minutes are
    const name = i >= 12 ? `*post-${i - 12}*` : `post-${i}`
    return { minutes, text: `${minutes} ${name}`, channelId, ...(random() < 0.3 && { thread: ['one', 'two'] }) }
  })
  await room.posts(posts)
  room.clock.advance({ minutes: 3 })
  const parts = posts.reduce((sum, { thread }) => sum + 1 + (thread?.length ?? 0), 0)
  await Promise.all([room.start({ platforms: [platform] }), room.start({ platforms: [platform] })])
  await until(
    async () => {
      for (const _ of [1, 2, 3]) finish.splice(Math.floor(random() * finish.length), 1)[0]?.()
      room.clock.advance({ ms: 20 })
      const { rowCount } = await room.database.owner.query("select from delivery where state = 'sent'")
      return wrong.length > 0 || rowCount === parts
    },
    { what: 'all to be published' },
  )
  for (const answer of finish) answer()
  for (const [i, one] of begun.entries()) {
    const before = begun.slice(0, i).filter(({ channel }) => channel === one.channel)
    if (one.part === 0 && before.some(({ part, time }) => part === 0 && time > one.time)) wrong.push('out of order')
    if (one.part > 0 && !before.some(({ post, part }) => post === one.post && part === one.part - 1))
      wrong.push('a thread out of order')
  }
  if (wrong.length === 0 && new Set(there).size !== there.length) wrong.push('twice')
  return wrong
}

describe('at random', () => {
  const { runs, seed, timeout } = modelRuns('sending at random')
  test(
    'never too many, never two times, never a thread or a time out of order, none twice, none lost',
    { timeout },
    async () => {
      for (let run = 0; run < runs; run++) {
        expect(await playAtRandom(seed + run), `seed ${seed + run}`).toEqual([])
        await room.stopAll(50)
        await room.clear()
      }
    },
  )

  /** The claim without one of its rules. */
  async function without(rule: string, instead: string): Promise<string[]> {
    const { rows } = await room.database.owner.query<{ definition: string }>(
      "select pg_get_functiondef('claim_deliveries'::regproc) as definition",
    )
    const definition = rows[0]?.definition ?? ''
    expect(definition).toContain(rule)
    await room.database.owner.query(definition.replaceAll(rule, instead))
    try {
      // it may take a few random games to show
      for (const seed of [1, 2, 3, 4, 5]) {
        const found = await playAtRandom(seed)
        if (found.length > 0) return found
        await room.stopAll(50)
        await room.clear()
      }
      return []
    } finally {
      await room.stopAll(50)
      await room.database.owner.query(definition)
    }
  }

  test(
    'sends different times at once without the rule that they must be equal',
    { timeout: timeoutFor(5, 60_000) },
    async () => {
      const found = await without('or s.sending_at is null or d.wanted_at = s.sending_at', 'or true')
      expect(found).toContain('different times at once')
    },
  )

  test('sends too many at once without the limit', { timeout: timeoutFor(5, 60_000) }, async () => {
    const found = await without('d.lease_id is not null and d.lease_until > moment', 'false')
    expect(found).toContain(`${MOST + 1} at once`)
  })

  test(
    'sends what is alike at once without the rule that it must not',
    { timeout: timeoutFor(5, 60_000) },
    async () => {
      const found = await without('c.says is null or (c.nth_saying = 1 and c.says <> all(c.said))', 'true')
      expect(found).toContain('alike at once')
    },
  )
})
