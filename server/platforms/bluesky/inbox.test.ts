import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBlueskySimulator, type Simulator } from '../../simulators/bluesky/start.ts'
import { simulatedSecret } from '../../testing/publishing.ts'
import { didOf } from '../../simulators/bluesky/accounts.ts'
import type { Cursor, InboxChange, ReadAsk, RemoteItem } from '../inbox.ts'
import { createSafeFetch } from '../safeFetch.ts'
import { createBluesky } from './adapter.ts'

/* What people write to an account on the simulated network, as the inbox receives it. */

let simulator: Simulator
let now = Date.parse('2026-11-21T09:00:00Z')
beforeAll(async () => {
  simulator = await startBlueskySimulator({ now: () => now })
})
afterAll(() => simulator.stop())
let me: string
let count = 0
beforeEach(() => {
  count += 1
  me = `quiet${count}.sim.test`
})

/** Someone writes, a second after what was written before. */
const write: Simulator['people']['write'] = (post) => {
  now += 1000
  return simulator.people.write(post)
}
const say = (from: string, to: string, text: string) => {
  now += 1000
  return simulator.people.say({ from, to, text })
}

async function read(
  kind: ReadAsk['kind'],
  cursor: Cursor | null = null,
): Promise<{ changes: InboxChange[]; cursor: Cursor; pages: number }> {
  const { inbox } = createBluesky({ plcDirectory: simulator.origin })
  if (!inbox) throw new Error('no inbox')
  const reach = { fetch: createSafeFetch({ allow: [simulator.allow] }), signal: new AbortController().signal }
  const account = { remoteId: didOf(me), handle: `@${me}`, service: simulator.origin }
  const changes: InboxChange[] = []
  let at = cursor
  for (let pages = 1; ; pages++) {
    const answer = await inbox.read(reach, simulatedSecret(simulator.origin, didOf(me)), account, {
      kind,
      cursor: at,
      since: new Date('2026-10-22T10:00:00Z'),
      now: new Date(now),
      posts: [],
    })
    if (answer.kind !== 'read') throw new Error(JSON.stringify(answer))
    changes.push(...answer.changes)
    at = answer.cursor
    if (!answer.more) return { changes, cursor: answer.cursor, pages }
  }
}
const itemsIn = (changes: readonly InboxChange[]): Map<string, RemoteItem> =>
  new Map(changes.flatMap((change) => (change.change === 'item' ? [[change.remoteId, change] as const] : [])))
const deletedIn = (changes: readonly InboxChange[]) =>
  changes.flatMap(({ change, remoteId }) => (change === 'deleted' ? [remoteId] : []))

describe('posts to a Bluesky account', () => {
  it('are sorted by what they answer: replies, mentions and quotes', async () => {
    const post = write({ from: me, text: 'Our post' })
    const second = write({ from: me, text: 'and more', parent: post })
    const comment = write({ from: 'nora.sim.test', text: 'Nice', parent: second })
    const answer = write({ from: me, text: 'Thanks', parent: comment })
    // comes as a mention, and is a reply
    const reply = write({ from: 'otis.sim.test', text: 'Agreed', parent: answer, mentions: [me] })
    const mention = write({ from: 'nora.sim.test', text: 'Seen?', mentions: [me] })
    const quote = write({ from: 'otis.sim.test', text: 'Look', quote: post })
    const elsewhere = write({ from: 'nora.sim.test', text: 'Nothing to do with us' })
    write({ from: me, text: 'We comment', parent: elsewhere })
    const items = itemsIn((await read('mention')).changes)
    expect([...items.keys()].toSorted()).toEqual([comment, answer, reply, mention, quote].toSorted())
    const subject = { remoteId: post, isOurs: true, text: 'Our post' }
    expect(items.get(comment)).toMatchObject({
      conversation: 'comment',
      type: 'REPLY',
      threadKey: comment,
      text: 'Nice',
      subject,
      author: { remoteId: didOf('nora.sim.test'), name: 'Nora', handle: '@nora.sim.test' },
    })
    expect(items.get(answer)).toMatchObject({ threadKey: comment, isOurs: true, author: null })
    expect(items.get(reply)).toMatchObject({
      conversation: 'comment',
      threadKey: comment,
      parentRemoteId: answer,
      subject,
    })
    expect(items.get(mention)).toMatchObject({ conversation: 'mention', type: 'MENTION_POST', threadKey: mention })
    expect(items.get(quote)).toMatchObject({
      conversation: 'mention',
      type: 'FOREIGN_POST',
      subject: { remoteId: post },
    })
  })

  it('are read from where the last reading ended, with deletions of what was read before', async () => {
    const deleted = write({ from: 'nora.sim.test', text: 'One', mentions: [me] })
    const { cursor } = await read('mention')
    simulator.people.remove(deleted)
    const fresh = write({ from: 'nora.sim.test', text: 'Two', mentions: [me] })
    const once = await read('mention', cursor)
    expect([...itemsIn(once.changes).keys()]).toEqual([fresh])
    // absence is believed when it was read twice
    expect(deletedIn(once.changes)).toEqual([])
    const twice = await read('mention', once.cursor)
    expect(deletedIn(twice.changes)).toEqual([deleted])
    expect(deletedIn((await read('mention', twice.cursor)).changes)).toEqual([])
  })

  it('include what we answered elsewhere, also if the network shows it only later', async () => {
    const mention = write({ from: 'nora.sim.test', text: 'One', mentions: [me] })
    const { cursor } = await read('mention')
    const answer = write({ from: me, text: 'Thanks', parent: mention })
    simulator.people.unindexed.add(answer)
    const early = await read('mention', cursor)
    expect(itemsIn(early.changes).has(answer)).toBe(false)
    const newer = write({ from: me, text: 'Anything else?', parent: mention })
    const between = await read('mention', early.cursor)
    expect([itemsIn(between.changes).has(newer), itemsIn(between.changes).has(answer)]).toEqual([true, false])
    simulator.people.unindexed.delete(answer)
    const late = await read('mention', between.cursor)
    expect(itemsIn(late.changes).get(answer)).toMatchObject({ isOurs: true, text: 'Thanks', threadKey: mention })
    expect(itemsIn((await read('mention', late.cursor)).changes).has(answer)).toBe(false)
  })

  it('are no longer waited for a day after they were written', async () => {
    const mention = write({ from: 'nora.sim.test', text: 'One', mentions: [me] })
    const answer = write({ from: me, text: 'Thanks', parent: mention })
    simulator.people.unindexed.add(answer)
    const early = await read('mention')
    now += 24 * 3_600_000
    const late = await read('mention', early.cursor)
    expect(late.cursor).toMatchObject({ late: [] })
  })

  it('are replies to us also when our post is gone', async () => {
    const post = write({ from: me, text: 'Our post' })
    const reply = write({ from: 'nora.sim.test', text: 'Nice', parent: post })
    simulator.people.remove(post)
    expect(itemsIn((await read('mention')).changes).get(reply)).toMatchObject({
      conversation: 'comment',
      threadKey: reply,
      subject: { remoteId: post, isOurs: true, text: '' },
    })
  })

  it('are read whole at first, however many there are, and later only what is new', async () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      write({ from: 'nora.sim.test', text: `Number ${i}`, mentions: [me] }),
    )
    const { changes, cursor, pages } = await read('mention')
    expect(many.filter((uri) => !itemsIn(changes).has(uri))).toEqual([])
    expect(pages).toBe(3)
    expect((await read('mention', cursor)).pages).toBe(1)
  })
})

describe('messages to a Bluesky account', () => {
  it('are read from its conversations at first, and from the log since', async () => {
    const first = say('nora.sim.test', me, 'Hello')
    const answer = say(me, 'nora.sim.test', 'Hi')
    const { changes, cursor } = await read('message')
    const items = itemsIn(changes)
    expect(items.get(first)).toMatchObject({
      conversation: 'message',
      type: 'DIRECT_MESSAGE',
      text: 'Hello',
      isOurs: false,
      counterpart: { remoteId: didOf('nora.sim.test') },
    })
    expect(items.get(answer)).toMatchObject({ isOurs: true, threadKey: items.get(first)?.threadKey })
    const second = say('otis.sim.test', me, 'And me')
    simulator.people.unsay(first)
    const later = await read('message', cursor)
    expect([...itemsIn(later.changes).keys()]).toEqual([second])
    expect(deletedIn(later.changes)).toEqual([first])
    expect((await read('message', later.cursor)).changes).toEqual([])
  })

  it('need a sign-in with access to them', async () => {
    me = `nochat${count}.sim.test`
    say('nora.sim.test', me, 'Hello')
    await expect(read('message')).rejects.toThrow(
      '"kind":"closed","reconnect":true,"reason":{"code":"bluesky-chat-not-allowed"}',
    )
  })
})
