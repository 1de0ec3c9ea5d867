import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteComment } from '../../simulators/linkedinComments.ts'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { itemsIn, outgoingReply, readAll } from '../../testing/adapter/inbox.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import { createLinkedIn } from './adapter.ts'

/* Comments on the posts of a simulated Page: reading, answering, reacting, deleting. */

let visit: Visitor
let channel: Channel
let otis: string
let post: string
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createLinkedIn(), { variant: 'pages', pick: ({ kind }) => kind === 'Organization' })
  const me = visit.platform('linkedin').accounts.find(({ name }) => name === 'Otis Lund')
  otis = `urn:li:person:${me?.id}`
})
afterAll(() => visit.stop())

const world = () => visit.platform('linkedin').state
const us = () => channel.account.remoteId
beforeEach(() => {
  world().posts.clear()
  world().switches.clear()
  visit.clock.now += 24 * 3_600_000
  post = publish(us(), 'Open on Sunday')
})

function publish(account: string, text: string): string {
  const id = `urn:li:share:${world().nextId()}`
  return world().publish(
    { id, account, kind: 'post', text, more: { body: { author: account, commentary: text } } },
    visit.clock.now,
  ).id
}
const say = (text: string, more: { account?: string; parent?: string; minutes?: number } = {}): string => {
  const { account = otis, parent = post, minutes = 1 } = more
  return world().publish({ account, kind: 'comment', text, parent }, visit.clock.now + minutes * 60_000).id
}
const urn = (id: string): string => `urn:li:comment:(${post},${id})`
const read = (cursor: Parameters<typeof readAll>[1]['cursor'] = null, minutes = 30) =>
  readAll(channel, { kind: 'comment', cursor, now: new Date(visit.clock.now + minutes * 60_000) })
const gone = (changes: Awaited<ReturnType<typeof read>>['changes']) =>
  changes.flatMap((change) => (change.change === 'deleted' ? [change.remoteId] : []))
const { replies, actions } = createLinkedIn().inbox ?? {}
const on = () => [channel.reach, channel.secret, channel.account] as const
const reply = (threadKey: string, text = 'Thank you') =>
  outgoingReply({ threadKey, text, createdAt: new Date(visit.clock.now) })

describe('what people write to a LinkedIn Page', () => {
  it('is read as comments with replies below posts of the Page, and posts that mention it', async () => {
    const comment = say('All day?')
    const answer = say('Until six', { account: us(), parent: comment })
    const mention = publish(otis, `Lovely bread from @[The Corner Bakery](${us()})`)
    publish(otis, 'Nothing to do with the Page')
    const items = itemsIn((await read()).changes)
    expect([...items.keys()].toSorted()).toEqual([urn(comment), urn(answer), mention].toSorted())
    expect(items.get(urn(comment))).toMatchObject({
      conversation: 'comment',
      type: 'COMMENT',
      threadKey: urn(comment),
      isOurs: false,
      text: 'All day?',
      author: { remoteId: otis, name: 'Otis Lund' },
      subject: { remoteId: post, text: 'Open on Sunday', isOurs: true },
    })
    expect(items.get(urn(answer))).toMatchObject({ type: 'REPLY', threadKey: urn(comment), isOurs: true, author: null })
    expect(items.get(mention)).toMatchObject({
      conversation: 'mention',
      type: 'MENTION_POST',
      threadKey: mention,
      author: { remoteId: otis },
      text: expect.stringContaining('Lovely bread'),
    })
    expect(visit.mistakes('linkedin')).toEqual([])
  })

  it('is read from where the last reading ended, by one call while nothing happens', async () => {
    say('First')
    const { cursor } = await read()
    channel.said.length = 0
    const quiet = await read(cursor, 120)
    expect(channel.said).toHaveLength(1)
    const late = say('Late', { minutes: 130 })
    expect(itemsIn((await read(quiet.cursor, 140)).changes).has(urn(late))).toBe(true)
  })

  it('shows edits and deletions', async () => {
    const [edited, deleted] = [say('Opne?'), say('Never mind')]
    const { cursor } = await read()
    Object.assign(world().post(edited), { text: 'Open?' })
    world().post(edited).more.editedAt = visit.clock.now + 40 * 60_000
    deleteComment(world(), world().post(deleted), visit.clock.now + 40 * 60_000)
    const { changes } = await read(cursor, 60)
    expect(itemsIn(changes).get(urn(edited))).toMatchObject({
      text: 'Open?',
      editedAt: new Date(visit.clock.now + 40 * 60_000),
    })
    expect(gone(changes)).toEqual([urn(deleted)])
  })

  it('is read without names where LinkedIn refuses them', async () => {
    world().switches.add('nameless')
    const comment = say('Who am I?')
    const { changes, cursor } = await read()
    expect(itemsIn(changes).get(urn(comment))).toMatchObject({ author: { remoteId: otis, name: '' } })
    channel.said.length = 0
    const more = say('Still me', { minutes: 40 })
    expect(itemsIn((await read(cursor, 60)).changes).has(urn(more))).toBe(true)
    expect(channel.said.some((one) => one.includes('projection'))).toBe(false)
  })

  it('is read whole, page by page', async () => {
    const many = Array.from({ length: 130 }, (_, i) => say(`Comment ${i}`))
    const items = itemsIn((await read()).changes)
    expect(many.filter((id) => !items.has(urn(id)))).toEqual([])
  })

  it('asks to reconnect without the permission, and says so for profiles', async () => {
    const ask = {
      kind: 'comment',
      cursor: null,
      since: new Date(visit.clock.now - 3_600_000),
      now: new Date(visit.clock.now),
      posts: [],
    } as const
    const token = [...world().tokens.values()].find(({ text }) => text === channel.secret.accessToken)
    if (!token) throw new Error('no token')
    const { scopes } = token
    token.scopes = scopes.filter((scope) => scope !== 'rw_organization_admin')
    const answer = await channel.platform.inbox?.read(...on(), ask)
    token.scopes = scopes
    expect(answer).toMatchObject({ kind: 'closed', reconnect: true, reason: { code: 'linkedin-permission-missing' } })
    const profile = { ...channel.secret, author: otis }
    expect(await channel.platform.inbox?.read(channel.reach, profile, channel.account, ask)).toMatchObject({
      kind: 'closed',
      reconnect: false,
      reason: { code: 'linkedin-profile-inbox' },
    })
  })
})

describe('answers of a LinkedIn Page', () => {
  it('are sent below the comment or the post that mentions it, edited, and deleted, also twice', async () => {
    const comment = say('All day?')
    const sent = await replies?.send(...on(), reply(urn(comment)))
    if (sent?.kind !== 'sent') throw new Error(JSON.stringify(sent))
    const id = /(\d+)\)$/.exec(sent.remoteId)?.[1] ?? ''
    expect(world().post(id)).toMatchObject({ parent: comment, account: us(), text: 'Thank you' })
    expect(itemsIn((await read()).changes).get(sent.remoteId)).toMatchObject({ isOurs: true, threadKey: urn(comment) })
    expect(await replies?.edit?.(...on(), sent.remoteId, 'Thanks!')).toMatchObject({ kind: 'edited' })
    expect(world().post(id).text).toBe('Thanks!')
    expect(await replies?.remove?.(...on(), sent.remoteId)).toEqual({ kind: 'removed' })
    expect(await replies?.remove?.(...on(), sent.remoteId)).toEqual({ kind: 'removed' })
    const mention = publish(otis, `Hello @[Page](${us()})`)
    expect(await replies?.send(...on(), reply(mention))).toMatchObject({ kind: 'sent' })
    expect(visit.mistakes('linkedin')).toEqual([])
  })

  it('are found after a lost answer', async () => {
    const comment = say('All day?')
    expect(await replies?.reconcile(...on(), reply(urn(comment)))).toEqual({ kind: 'absent' })
    visit.platform('linkedin').faults.add({ on: 'POST api.linkedin.com*comments', drop: 'after' })
    expect(await replies?.send(...on(), reply(urn(comment)))).toMatchObject({ kind: 'unknown' })
    expect(await replies?.reconcile(...on(), reply(urn(comment)))).toMatchObject({ kind: 'sent' })
  })

  it('are refused with the reason: the comment gone, too long, too many today', async () => {
    const comment = say('All day?')
    expect(await replies?.send(...on(), reply(urn(comment), 'x'.repeat(1251)))).toMatchObject({
      kind: 'rejected',
    })
    visit.platform('linkedin').faults.add({
      on: 'POST api.linkedin.com*comments',
      answer: { status: 429, json: { status: 429, code: 'TOO_MANY_REQUESTS', message: 'Resource level throttle' } },
    })
    expect(await replies?.send(...on(), reply(urn(comment)))).toMatchObject({ kind: 'retry', closesBudget: true })
    world().post(comment).deleted = true
    expect(await replies?.send(...on(), reply(urn(comment)))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'inbox-item-gone' },
    })
  })

  it('react once, with the last wish, and delete what others wrote below its posts', async () => {
    const comment = say('Rude')
    const item = { remoteId: urn(comment), type: 'COMMENT', threadKey: urn(comment) } as const
    expect(await actions?.react?.(...on(), item, 'LIKE')).toEqual({ kind: 'done' })
    expect(await actions?.react?.(...on(), item, 'PRAISE')).toEqual({ kind: 'done' })
    expect(await actions?.react?.(...on(), item, null)).toEqual({ kind: 'done' })
    expect(await actions?.react?.(...on(), item, null)).toEqual({ kind: 'done' })
    expect(await actions?.remove?.(...on(), item)).toEqual({ kind: 'done' })
    expect(await actions?.remove?.(...on(), item)).toEqual({ kind: 'done' })
    expect(world().live(({ id }) => id === comment)).toEqual([])
    expect(visit.mistakes('linkedin')).toEqual([])
  })
})

it('reads one conversation again when someone wants to see it, and not the replies of others', async () => {
  const [asked, other] = [say('All day?'), say('And on Monday?')]
  const answer = say('Until six', { account: us(), parent: asked })
  say('Closed', { account: us(), parent: other })
  const { cursor } = await read()
  visit.clock.now += 72 * 3_600_000
  const quiet = await read(cursor, 0)
  expect(quiet.changes).toEqual([])
  const about = {
    conversation: 'comment',
    threadKey: urn(asked),
    subjectRemoteId: post,
    subjectText: 'Open on Sunday',
  } as const
  const now = new Date(visit.clock.now)
  const next = createLinkedIn().inbox?.again?.(quiet.cursor, about, now)
  if (!next) throw new Error('it is not read again')
  const { calls } = visit.platform('linkedin')
  calls.length = 0
  const { changes, cursor: after } = await read(next, 0)
  expect(itemsIn(changes).get(urn(asked))).toMatchObject({
    text: 'All day?',
    threadKey: urn(asked),
    subject: { text: 'Open on Sunday' },
  })
  expect(itemsIn(changes).has(urn(answer))).toBe(true)
  // what happened, the comments of the post, the replies of one
  expect(calls).toHaveLength(3)
  // asking twice reads it once, and the next reading doesn't read it anymore
  expect(createLinkedIn().inbox?.again?.(next, about, now)).toEqual(next)
  expect((await read(after, 0)).changes).toEqual([])
  const mention = { ...about, conversation: 'mention', threadKey: post } as const
  expect(createLinkedIn().inbox?.again?.(after, mention, now)).toBeUndefined()
  expect(visit.mistakes('linkedin')).toEqual([])
})
