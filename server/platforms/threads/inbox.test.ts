import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { readInbox, readPage } from '../../testing/adapter/readInbox.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import type { Cursor } from '../inbox.ts'
import { createThreads } from './adapter.ts'

/* What people write to a profile on the simulated Threads, as the inbox receives it. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let visit: Visitor
let channel: Channel
let us: string
let nora: { id: string; handle: string }
let otis: { id: string; handle: string }
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createThreads())
  us = channel.account.remoteId
  const [first, second] = visit.platform('threads').accounts.filter(({ id }) => id !== us)
  if (!first || !second) throw new Error('too few people')
  nora = first
  otis = second
})
afterAll(() => visit.stop())
beforeEach(() => {
  world().posts.clear()
  visit.clock.now += DAY
})

const world = () => visit.platform('threads').state
const say = (account: string, text: string, parent: string | null = null, more: Record<string, unknown> = {}) => {
  visit.clock.now += 1000
  return world().publish({ account, kind: 'TEXT', text, parent, more }, visit.clock.now).id
}
const read = (
  kind: 'comment' | 'mention',
  cursor: Cursor | null = null,
  posts: { remoteId: string; publishedAt: Date }[] = [],
) => readInbox(channel, kind, { now: visit.clock.now, cursor, posts })

describe('replies to posts', () => {
  it('belong to the conversation of the first reply of someone else, and our own thread to the post', async () => {
    const post = say(us, 'Our post')
    const rest = say(us, 'and the rest of it', post)
    const reply = say(nora.id, 'Nice', post)
    const answer = say(us, 'Thanks', reply)
    const deeper = say(otis.id, 'Agreed', answer)
    const below = say(otis.id, 'To the rest', rest)
    const { items } = await read('comment')
    expect([...items.keys()].toSorted()).toEqual([reply, answer, deeper, below].toSorted())
    expect(items.get(reply)).toMatchObject({
      conversation: 'comment',
      type: 'REPLY',
      threadKey: reply,
      author: { remoteId: `@${nora.handle}`, handle: `@${nora.handle}` },
      subject: { remoteId: post, text: 'Our post', isOurs: true },
    })
    expect(items.get(answer)).toMatchObject({ threadKey: reply, parentRemoteId: reply, isOurs: true, author: null })
    expect(items.get(deeper)).toMatchObject({ threadKey: reply, parentRemoteId: answer })
    expect(items.get(below)).toMatchObject({ threadKey: below, parentRemoteId: rest })
  })

  it('are read from where the last reading ended, with hidden states, edits and deletions', async () => {
    const post = say(us, 'Our post')
    const [hidden, edited, gone] = [say(nora.id, 'one', post), say(nora.id, 'two', post), say(otis.id, 'three', post)]
    const first = await read('comment')
    world().post(hidden).more.hidden = true
    world().post(edited).text = 'two, edited'
    world().post(gone).deleted = true
    const fresh = say(otis.id, 'four', hidden)
    visit.clock.now += 5 * MINUTE
    const second = await read('comment', first.cursor)
    expect([...second.items.keys()].toSorted()).toEqual([hidden, edited, fresh].toSorted())
    expect(second.items.get(hidden)).toMatchObject({ hidden: true })
    expect(second.items.get(edited)?.version).toBeGreaterThan(first.items.get(edited)?.version ?? Infinity)
    expect(second.items.get(fresh)).toMatchObject({ threadKey: hidden })
    expect(second.deleted).toEqual([gone])
    visit.clock.now += 5 * MINUTE
    expect((await read('comment', second.cursor)).changes).toEqual([])
  })

  it('are all read at first, and belong together where a page ends between them', async () => {
    const post = say(us, 'Our post')
    const root = say(nora.id, 'The first', post)
    const all = Array.from({ length: 60 }, (_, i) => say(otis.id, `Number ${i}`, root))
    const { items } = await read('comment')
    expect(all.filter((id) => items.get(id)?.threadKey !== root)).toEqual([])
  })
})

describe('mentions', () => {
  it('are posts and replies elsewhere, and under our own posts only replies', async () => {
    const name = world().account(us)?.handle ?? ''
    const post = say(us, 'Our post')
    const under = say(nora.id, `Hello @${name}`, post)
    const mention = say(nora.id, `Has @${name} seen this?`)
    const deeper = say(otis.id, `Ask @${name}`, say(nora.id, 'Elsewhere'))
    const posts = [{ remoteId: post, publishedAt: new Date(visit.clock.now) }]
    const { items, cursor } = await read('mention', null, posts)
    expect([...items.keys()].toSorted()).toEqual([mention, deeper].toSorted())
    expect(items.get(mention)).toMatchObject({ conversation: 'mention', type: 'MENTION_POST', threadKey: mention })
    expect(items.get(deeper)).toMatchObject({ type: 'MENTION_COMMENT', threadKey: deeper })
    expect((await read('comment')).items.has(under)).toBe(true)
    world().post(mention).deleted = true
    visit.clock.now += 5 * MINUTE
    expect((await read('mention', cursor, posts)).deleted).toEqual([mention])
  })

  it('ask to be reconnected where the sign-in is from before', async () => {
    const { scopes } = channel.secret
    const before = {
      ...channel,
      secret: {
        ...channel.secret,
        scopes: (Array.isArray(scopes) ? scopes : []).filter((one) => one !== 'threads_manage_mentions'),
      },
    }
    const answer = await readPage(before, { kind: 'mention', cursor: null, now: new Date(visit.clock.now) })
    expect(answer).toMatchObject({ kind: 'closed', reconnect: true, reason: { code: 'inbox-permission-missing' } })
  })
})

it('breaks no rule of the platform, and neither does the simulator', () => {
  expect(visit.platform('threads').violations).toEqual([])
  expect(visit.mistakes('threads')).toEqual([])
})
