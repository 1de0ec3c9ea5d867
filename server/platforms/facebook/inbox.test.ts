import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { readInbox, readPage } from '../../testing/adapter/readInbox.ts'
import { subscribedFields } from '../../simulators/facebookInbox.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import type { Cursor } from '../inbox.ts'
import { createFacebook } from './adapter.ts'

/* What people write to a Page on the simulated Facebook, as the inbox receives it. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let visit: Visitor
let channel: Channel
let page: string
let nora: string
let otis: string

beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createFacebook())
  page = channel.account.remoteId
  const [first, second] = visit.platform('facebook').accounts
  if (!first || !second) throw new Error('too few people')
  nora = first.id
  otis = second.id
})
afterAll(() => visit.stop())
beforeEach(() => {
  world().posts.clear()
  visit.clock.now += DAY
})

const world = () => visit.platform('facebook').state
const publish = (text: string, daysAgo = 0) =>
  world().publish(
    { id: `${page}_${world().nextId()}`, account: page, kind: 'post', text },
    visit.clock.now - daysAgo * DAY,
  ).id
const comment = (account: string, text: string, parent: string, more: Record<string, unknown> = {}) => {
  visit.clock.now += 1000
  return world().publish({ account, kind: 'comment', text, parent, more }, visit.clock.now).id
}
const message = (account: string, text: string, person: string, more: Record<string, unknown> = {}) => {
  visit.clock.now += 1000
  return world().publish({ account, kind: 'message', text, more: { page, with: person, ...more } }, visit.clock.now).id
}
const read = (
  kind: 'comment' | 'message' | 'mention',
  cursor: Cursor | null = null,
  posts: { remoteId: string; publishedAt: Date }[] = [],
) => readInbox(channel, kind, { now: visit.clock.now, cursor, posts })

describe("comments on a Page's posts", () => {
  it('belong to the conversation of their root comment, with who wrote them and the post that they are about', async () => {
    const post = publish('Open on Sunday')
    const root = comment(nora, 'All day?', post, { picture: 'https://facebook.simulated/door.jpg' })
    const answer = comment(page, 'Until six', root)
    const reply = comment(otis, 'And Monday?', answer)
    const other = comment(otis, 'Great', post, { hidden: true })
    const unasked = comment(page, 'Our first comment', post)
    const { items } = await read('comment')
    expect([...items.keys()].toSorted()).toEqual([root, answer, reply, other].toSorted())
    expect(items.has(unasked)).toBe(false)
    const subject = { remoteId: post, text: 'Open on Sunday', isOurs: true }
    expect(items.get(root)).toMatchObject({
      conversation: 'comment',
      type: 'COMMENT',
      threadKey: root,
      author: { remoteId: nora, name: world().account(nora)?.name },
      isOurs: false,
      media: [{ kind: 'image', url: 'https://facebook.simulated/door.jpg' }],
      subject,
    })
    expect(items.get(answer)).toMatchObject({
      type: 'REPLY',
      threadKey: root,
      parentRemoteId: root,
      isOurs: true,
      author: null,
    })
    expect(items.get(reply)).toMatchObject({ type: 'REPLY', threadKey: root, parentRemoteId: answer })
    expect(items.get(other)).toMatchObject({ threadKey: other, hidden: true, subject })
  })

  it('name a video by the ID that it was published under', async () => {
    const post = publish('A reel')
    Object.assign(world().post(post), { kind: 'reel', media: ['4711'] })
    const root = comment(nora, 'Lovely', post)
    const { items } = await read('comment', null, [{ remoteId: '4711', publishedAt: new Date(visit.clock.now) }])
    expect(items.get(root)?.subject).toMatchObject({ remoteId: '4711' })
  })

  it('are reported again only when their text or their hidden state is different, and then as a newer version', async () => {
    const post = publish('Post')
    const [kept, edited, hidden] = [
      comment(nora, 'one', post),
      comment(nora, 'two', post),
      comment(otis, 'three', post),
    ]
    const first = await read('comment')
    visit.clock.now += 5 * MINUTE
    world().post(edited).text = 'two, edited'
    world().post(hidden).more.hidden = true
    const fresh = comment(otis, 'four', post)
    const second = await read('comment', first.cursor)
    expect([...second.items.keys()].toSorted()).toEqual([edited, hidden, fresh].toSorted())
    expect(second.items.has(kept)).toBe(false)
    expect(second.items.get(edited)).toMatchObject({ text: 'two, edited', editedAt: new Date(visit.clock.now) })
    expect(second.items.get(hidden)).toMatchObject({ hidden: true, editedAt: null })
    for (const id of [edited, hidden])
      expect(second.items.get(id)?.version).toBeGreaterThan(first.items.get(id)?.version ?? Infinity)
    visit.clock.now += 5 * MINUTE
    expect((await read('comment', second.cursor)).changes).toEqual([])
  })

  it('are reported as deleted when they are gone, and not when Facebook only stops listing them', async () => {
    const post = publish('Post')
    const [gone, unlisted] = [comment(nora, 'one', post), comment(otis, 'two', post)]
    comment(otis, 'three', post)
    const { cursor } = await read('comment')
    world().post(gone).deleted = true
    world().post(unlisted).kind = 'unlisted'
    visit.clock.now += 5 * MINUTE
    const { deleted, cursor: next } = await read('comment', cursor)
    expect(deleted).toEqual([gone])
    expect((await read('comment', next)).changes).toEqual([])
  })

  it('are all read at first, however many there are, under posts of the last 30 days', async () => {
    const posts = Array.from({ length: 23 }, (_, day) => publish(`Day ${day}`, day))
    const old = publish('Long ago', 45)
    const many = Array.from({ length: 130 }, (_, i) => comment(nora, `Number ${i}`, posts[3] ?? ''))
    const some = posts.map((post) => comment(otis, 'One each', post))
    // Facebook lists posts newest first
    world().posts.delete(old)
    const { items } = await read('comment')
    expect([...many, ...some].filter((id) => !items.has(id))).toEqual([])
    expect(items.size).toBe(153)
  })

  it('are read on the newest posts each time, and on older ones once an hour', async () => {
    const older = Array.from({ length: 12 }, (_, day) => publish(`Post ${day}`, 12 - day)).at(0) ?? ''
    const { cursor } = await read('comment')
    const late = comment(nora, 'On an older post', older)
    visit.clock.now += 5 * MINUTE
    const soon = await read('comment', cursor)
    expect(soon.items.has(late)).toBe(false)
    expect(soon.pages).toBe(1)
    visit.clock.now += HOUR
    expect((await read('comment', soon.cursor)).items.has(late)).toBe(true)
  })

  it('keep no token in the cursor', async () => {
    const posts = Array.from({ length: 12 }, (_, day) => publish(`Post ${day}`, day))
    for (let i = 0; i < 60; i++) comment(nora, `Number ${i}`, posts[0] ?? '')
    const answer = await readPage(channel, { kind: 'comment', cursor: null, now: new Date(visit.clock.now) })
    if (answer.kind !== 'read') throw new Error(answer.kind)
    expect(answer.more).toBe(true)
    expect(JSON.stringify(answer.cursor)).not.toContain('token')
    expect(JSON.stringify(answer.cursor)).not.toContain('graph.facebook.com')
  })
})

describe('what people write on and about a Page', () => {
  it('is a mention: posts of visitors with their comments, and posts that tag the Page', async () => {
    const [visitor = '', tagged = ''] = (['visitor_posts', 'tagged'] as const).map(
      (kind) => world().publish({ account: nora, kind, text: `By ${kind}`, more: { page } }, visit.clock.now).id,
    )
    const answer = comment(page, 'Thank you', visitor)
    const first = await read('mention')
    expect([...first.items.keys()].toSorted()).toEqual([visitor, tagged, answer].toSorted())
    expect(first.items.get(visitor)).toMatchObject({ conversation: 'mention', type: 'POST', threadKey: visitor })
    expect(first.items.get(tagged)).toMatchObject({ type: 'MENTION_POST', author: { remoteId: nora } })
    expect(first.items.get(answer)).toMatchObject({ conversation: 'mention', threadKey: visitor, isOurs: true })
    world().post(visitor).deleted = true
    visit.clock.now += HOUR
    expect((await read('mention', first.cursor)).deleted).toEqual([visitor])
  })
})

describe('conversations of Messenger', () => {
  it('are one per person, with what both wrote and their files', async () => {
    const asked = message(nora, 'A table for two?', nora, { picture: 'https://facebook.simulated/two.jpg' })
    const answered = message(page, 'Gladly', nora)
    const other = message(otis, 'Hello', otis)
    const { items } = await read('message')
    expect(items.size).toBe(3)
    expect(items.get(asked)).toMatchObject({
      conversation: 'message',
      type: 'DIRECT_MESSAGE',
      threadKey: nora,
      counterpart: { remoteId: nora, name: world().account(nora)?.name },
      media: [{ kind: 'image', url: 'https://facebook.simulated/two.jpg', name: 'picture.jpg' }],
    })
    expect(items.get(answered)).toMatchObject({ threadKey: nora, isOurs: true, author: null })
    expect(items.get(other)).toMatchObject({ threadKey: otis })
  })

  it('are read from where the last reading ended, with edits and messages that were taken back', async () => {
    const [kept, edited, gone] = [message(nora, 'one', nora), message(nora, 'two', nora), message(nora, 'three', nora)]
    const last = message(nora, 'four', nora)
    const first = await read('message')
    expect([...first.items.keys()].toSorted()).toEqual([kept, edited, gone, last].toSorted())
    world().post(edited).text = 'two, edited'
    world().post(gone).deleted = true
    visit.clock.now += 5 * MINUTE
    const second = await read('message', first.cursor)
    expect([...second.items.keys()]).toEqual([edited])
    expect(second.deleted).toEqual([gone])
  })

  it('are all listed at first, page by page', async () => {
    const people = world().morePeople(34)
    const all = people.map((person) => message(person, 'Hello', person))
    const { items, pages } = await read('message')
    expect(all.filter((id) => !items.has(id))).toEqual([])
    expect(pages).toBe(4)
  })
})

describe('a Page that may not be read', () => {
  it.each([
    ['message', 'pages_messaging'],
    ['comment', 'pages_read_user_content'],
  ] as const)('asks to be reconnected for its %ss without %s, before any call', async (kind, right) => {
    const without = await signIn(visit, createFacebook(), { consent: { without: [right] } })
    const calls = visit.platform('facebook').calls.length
    const answer = await readPage(without, { kind, cursor: null, now: new Date(visit.clock.now) })
    expect(answer).toMatchObject({ kind: 'closed', reconnect: true, reason: { code: 'inbox-permission-missing' } })
    expect(visit.platform('facebook').calls.length).toBe(calls)
  })

  it('asks to be reconnected when Facebook took the permission back', async () => {
    const token = world().tokens.get(String(channel.secret.accessToken))
    const before = token?.scopes ?? []
    if (token) Object.assign(token, { scopes: before.filter((right) => right !== 'pages_messaging') })
    const answer = await readPage(channel, { kind: 'message', cursor: null, now: new Date(visit.clock.now) })
    if (token) Object.assign(token, { scopes: before })
    expect(answer).toMatchObject({ kind: 'closed', reconnect: true, reason: { code: 'inbox-permission-missing' } })
  })

  it('waits as long as Facebook asks', async () => {
    visit.platform('facebook').faults.add({
      on: 'GET *conversations',
      answer: {
        status: 400,
        json: { error: { message: '(#613) Calls to this api have exceeded the rate limit', code: 613 } },
        headers: {
          'x-business-use-case-usage': JSON.stringify({ [page]: [{ estimated_time_to_regain_access: 7 }] }),
        },
      },
    })
    const answer = await readPage(channel, { kind: 'message', cursor: null, now: new Date(visit.clock.now) })
    expect(answer).toMatchObject({ kind: 'retry', afterSeconds: 420, closesBudget: true })
  })
})

describe('notifications of a Page', () => {
  it('are subscribed to with the fields that its permissions allow, and ended', async () => {
    const { push } = channel.platform
    const fields = () => subscribedFields(world(), page, String(channel.secret.clientId))
    expect(await push?.subscribe?.(channel.reach, channel.secret, channel.account)).toEqual({ kind: 'subscribed' })
    expect(fields()).toEqual(expect.arrayContaining(['feed', 'mention', 'messages']))
    expect(await push?.unsubscribe?.(channel.reach, channel.secret, channel.account)).toEqual({ kind: 'unsubscribed' })
    expect(fields()).toEqual([])
    const consent = { without: ['pages_messaging'] }
    const without = await signIn(visit, createFacebook(), { consent })
    await push?.subscribe?.(without.reach, without.secret, without.account)
    expect(fields()).toEqual(['feed', 'mention'])
  })

  it('need a permission', async () => {
    const without = await signIn(visit, createFacebook(), { consent: { without: ['pages_manage_metadata'] } })
    const answer = await channel.platform.push?.subscribe?.(without.reach, without.secret, without.account)
    expect(answer).toMatchObject({ kind: 'rejected', reason: { code: 'inbox-permission-missing' } })
  })
})

it('breaks no rule of the platform, and neither does the simulator', () => {
  expect(visit.platform('facebook').violations).toEqual([])
  expect(visit.mistakes('facebook')).toEqual([])
})
