import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { outgoingReply } from '../../testing/adapter/inbox.ts'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import type { OutgoingReply } from '../inbox.ts'
import { createMastodon } from './adapter.ts'

/* Answering on a simulated server. */

let visit: Visitor
let channel: Channel
let me: string
let nora: { id: string; handle: string }
let otis: { id: string; handle: string }
const AT = Date.parse('2026-11-21T09:00:00Z')

beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createMastodon(), { domain: 'mastodon.simulated', app: null })
  me = channel.account.remoteId.replace(/@.*$/, '')
  const [first, second] = visit.platform('mastodon').accounts.filter(({ id }) => id !== me)
  if (!first || !second) throw new Error('too few people')
  nora = first
  otis = second
})
afterAll(() => visit.stop())
beforeEach(() => world().posts.clear())

const world = () => visit.platform('mastodon').state
const say = (account: string, text: string, visibility = 'public', parent: string | null = null) =>
  world().publish({ account, kind: 'status', text, parent, more: { visibility } }, AT).id
const own = () => world().live(({ account }) => account === me)
const inbox = () => {
  const { replies, actions } = channel.platform.inbox ?? {}
  if (!replies?.remove || !replies.edit || !actions?.react) throw new Error('no replies')
  return { ...replies, remove: replies.remove, edit: replies.edit, react: actions.react }
}
const args = () => [channel.reach, channel.secret, channel.account] as const
const to = (remoteId: string, more: Partial<OutgoingReply> = {}) =>
  outgoingReply({
    threadKey: remoteId,
    parent: { remoteId, type: 'REPLY', at: new Date(AT) },
    sendKey: crypto.randomUUID(),
    ...more,
  })
const send = (reply: OutgoingReply) => inbox().send(...args(), reply)

it.each(['public', 'unlisted', 'private', 'direct'])(
  'answers a %s status to as many people as saw it, and mentions those of it',
  async (visibility) => {
    const mine = world().account(me)?.handle ?? ''
    const asked = say(nora.id, `@${mine} @${otis.handle} which one?`, visibility)
    expect(await send(to(asked, { text: 'This one' }))).toMatchObject({ kind: 'sent' })
    expect(own()).toMatchObject([
      { parent: asked, text: `@${nora.handle} @${otis.handle} This one`, more: { visibility } },
    ])
  },
)

it('mentions nobody twice, and keeps a content warning', async () => {
  const asked = say(nora.id, 'Which one?')
  Object.assign(world().post(asked).more, { spoiler_text: 'Cake' })
  await send(to(asked, { text: `This one, @${nora.handle}` }))
  expect(own()).toMatchObject([{ text: `This one, @${nora.handle}`, more: { spoiler_text: 'Cake' } }])
})

it('writes a private mention where there is nothing to answer', async () => {
  const counterpart = {
    remoteId: nora.id,
    name: 'Nora',
    handle: `@${nora.handle}@mastodon.simulated`,
    pictureUrl: null,
    url: null,
  }
  await send(to('thread', { conversation: 'message', parent: null, counterpart, text: 'Hello' }))
  expect(own()).toMatchObject([{ parent: null, text: `@${nora.handle} Hello`, more: { visibility: 'direct' } }])
})

it('sends the same key once', async () => {
  const reply = to(say(nora.id, 'Hi?'))
  const first = await send(reply)
  expect(await send(reply)).toEqual(first)
  expect(own()).toHaveLength(1)
})

it('finds a lost reply, and none of those that are known', async () => {
  const asked = say(nora.id, 'Hi?')
  const reply = to(asked, { text: 'Yes' })
  expect(await inbox().reconcile(...args(), reply)).toEqual({ kind: 'absent' })
  const sent = await send(reply)
  expect(sent).toMatchObject({ kind: 'sent' })
  const remoteId = sent.kind === 'sent' ? sent.remoteId : ''
  expect(await inbox().reconcile(...args(), reply)).toMatchObject({ kind: 'sent', remoteId })
  expect(await inbox().reconcile(...args(), { ...reply, others: [remoteId] })).toEqual({ kind: 'absent' })
})

it('is refused when what it answers is gone', async () => {
  const asked = say(nora.id, 'Hi?')
  world().post(asked).deleted = true
  expect(await send(to(asked))).toMatchObject({ kind: 'rejected', reason: { code: 'inbox-item-gone' } })
})

it('edits and deletes a reply, also twice', async () => {
  const sent = await send(to(say(nora.id, 'Hi?'), { text: 'Yse' }))
  const id = sent.kind === 'sent' ? sent.remoteId : ''
  expect(await inbox().edit(...args(), id, 'Yes')).toEqual({ kind: 'edited', remoteId: id })
  expect(own()).toMatchObject([{ text: `@${nora.handle} Yes` }])
  expect(await inbox().remove(...args(), id)).toEqual({ kind: 'removed' })
  expect(await inbox().remove(...args(), id)).toEqual({ kind: 'removed' })
  expect(own()).toEqual([])
})

it('favorites a status and takes that back, also twice', async () => {
  const remoteId = say(nora.id, 'Nice')
  const item = { remoteId, type: 'REPLY', threadKey: remoteId } as const
  for (const reaction of ['DEFAULT', 'DEFAULT', null, null] as const)
    expect(await inbox().react(...args(), item, reaction)).toEqual({ kind: 'done' })
  world().post(remoteId).deleted = true
  expect(await inbox().react(...args(), item, 'DEFAULT')).toMatchObject({ kind: 'rejected' })
})
