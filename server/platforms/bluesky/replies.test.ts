import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { didOf } from '../../simulators/bluesky/accounts.ts'
import { noFaults } from '../../simulators/bluesky/faults.ts'
import { startBlueskySimulator, type Simulator } from '../../simulators/bluesky/start.ts'
import { outgoingReply } from '../../testing/adapter/inbox.ts'
import { simulatedSecret } from '../../testing/publishing.ts'
import type { OutgoingReply } from '../inbox.ts'
import { createSafeFetch } from '../safeFetch.ts'
import { createBluesky } from './adapter.ts'
import { tidMaker } from './tid.ts'

/* Answering on the simulated network. */

let simulator: Simulator
let me: string
let count = 0
const key = tidMaker()
const NOW = new Date('2026-11-21T09:00:00Z')
let now = NOW.getTime()

beforeAll(async () => {
  simulator = await startBlueskySimulator({ now: () => now })
})
afterAll(() => simulator.stop())
beforeEach(() => {
  simulator.setFaults(noFaults)
  count += 1
  me = `answers${count}.sim.test`
})

const write: Simulator['people']['write'] = (post) => {
  now += 1000
  return simulator.people.write(post)
}
const inbox = () => {
  const { replies, actions } = createBluesky({ plcDirectory: simulator.origin }).inbox ?? {}
  if (!replies?.remove || !actions?.react) throw new Error('no replies')
  return { ...replies, remove: replies.remove, react: actions.react }
}
const args = () =>
  [
    { fetch: createSafeFetch({ allow: [simulator.allow] }), signal: new AbortController().signal },
    simulatedSecret(simulator.origin, didOf(me)),
    { remoteId: didOf(me), handle: `@${me}`, service: simulator.origin },
  ] as const
const to = (parent: string, more: Partial<OutgoingReply> = {}) =>
  outgoingReply({
    threadKey: parent,
    parent: { remoteId: parent, type: 'REPLY', at: NOW },
    sendKey: key(NOW),
    createdAt: NOW,
    ...more,
  })
const send = (reply: OutgoingReply) => inbox().send(...args(), reply)
const recordOf = async (uri: string): Promise<unknown> => {
  const query = new URLSearchParams({ uris: uri })
  const { accessJwt } = simulatedSecret(simulator.origin, didOf(me))
  const answer = await fetch(`${simulator.origin}/xrpc/app.bsky.feed.getPosts?${query.toString()}`, {
    headers: { authorization: `Bearer ${String(accessJwt)}` },
  })
  // the simulator's own answer
  return ((await answer.json()) as { posts: { record: unknown }[] }).posts[0]?.record
}
const idOf = (answer: Awaited<ReturnType<typeof send>>): string =>
  answer.kind === 'sent' ? answer.remoteId : answer.kind

it('answers a post in its thread, and names whom it mentions', async () => {
  const root = write({ from: 'nora.sim.test', text: 'Which one?' })
  const parent = write({ from: 'otis.sim.test', text: 'Yes, which?', parent: root })
  const sent = await send(to(parent, { text: 'This one, @nora.sim.test' }))
  expect(await recordOf(idOf(sent))).toMatchObject({
    text: 'This one, @nora.sim.test',
    reply: { root: { uri: root, cid: expect.any(String) }, parent: { uri: parent, cid: expect.any(String) } },
    facets: [{ features: [{ did: didOf('nora.sim.test') }] }],
  })
})

it('finds a lost reply by its key, and deletes it, also twice', async () => {
  const reply = to(write({ from: 'nora.sim.test', text: 'Hi?' }))
  expect(await inbox().reconcile(...args(), reply)).toEqual({ kind: 'absent' })
  const remoteId = idOf(await send(reply))
  expect(await inbox().reconcile(...args(), reply)).toMatchObject({ kind: 'sent', remoteId })
  expect(await inbox().remove(...args(), remoteId)).toEqual({ kind: 'removed' })
  expect(await inbox().remove(...args(), remoteId)).toEqual({ kind: 'removed' })
  expect(await inbox().reconcile(...args(), reply)).toEqual({ kind: 'absent' })
})

it('is refused when what it answers is gone', async () => {
  const parent = write({ from: 'nora.sim.test', text: 'Hi?' })
  simulator.people.remove(parent)
  expect(await send(to(parent))).toMatchObject({ kind: 'rejected', reason: { code: 'inbox-item-gone' } })
})

it('likes a post and takes that back, also twice', async () => {
  const remoteId = write({ from: 'nora.sim.test', text: 'Nice' })
  const item = { remoteId, type: 'REPLY', threadKey: remoteId } as const
  const mine = () => [...simulator.likes].filter(([by]) => by.startsWith(didOf(me))).map(([, uri]) => uri)
  for (const [reaction, liked] of [
    ['DEFAULT', [remoteId]],
    ['DEFAULT', [remoteId]],
    [null, []],
    [null, []],
  ] as const) {
    expect(await inbox().react(...args(), item, reaction)).toEqual({ kind: 'done' })
    expect(mine()).toEqual(liked)
  }
})

it('writes into a chat, and finds a lost message among others of the same text', async () => {
  simulator.people.say({ from: 'nora.sim.test', to: me, text: 'Psst' })
  const { replies } = createBluesky({ plcDirectory: simulator.origin }).inbox ?? {}
  const read = await createBluesky({ plcDirectory: simulator.origin }).inbox?.read(...args(), {
    kind: 'message',
    cursor: null,
    since: new Date('2026-10-22T10:00:00Z'),
    now: new Date(now),
    posts: [],
  })
  const [item] = read?.kind === 'read' ? read.changes : []
  if (item?.change !== 'item') throw new Error('no message')
  const reply = to(item.threadKey, { conversation: 'message', parent: null, text: 'Yes' })
  const ids = [idOf(await send(reply)), idOf(await send({ ...reply, replyId: 'another' }))]
  const [first = '', second = ''] = ids
  expect(await inbox().reconcile(...args(), { ...reply, others: [first] })).toMatchObject({ remoteId: second })
  expect(await inbox().reconcile(...args(), { ...reply, others: ids })).toEqual({ kind: 'absent' })
  const repeatable = replies?.sendIsRepeatable
  expect(typeof repeatable === 'function' && [repeatable(reply), repeatable(to('post'))]).toEqual([false, true])
  const message = { remoteId: item.remoteId, type: 'DIRECT_MESSAGE', threadKey: item.threadKey } as const
  await inbox().react(...args(), message, 'DEFAULT')
  expect(simulator.people.reactions.get(item.remoteId)).toBe('❤️')
  await inbox().react(...args(), message, null)
  expect(simulator.people.reactions.has(item.remoteId)).toBe(false)
})
