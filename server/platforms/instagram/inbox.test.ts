import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { readInbox, readPage } from '../../testing/adapter/readInbox.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import type { Cursor } from '../inbox.ts'
import { createInstagram } from './adapter.ts'

/* What people write to a professional account of the simulated Instagram, by both ways of signing in. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())
beforeEach(() => {
  world().posts.clear()
  visit.clock.now += DAY
})
const world = () => visit.platform('instagram').state

describe.each([
  { variant: 'instagram', messages: 'instagram_business_manage_messages' },
  { variant: 'facebook', messages: 'instagram_manage_messages' },
])('signed in by $variant', ({ variant, messages }) => {
  let channel: Channel
  let us: string
  let nora: string
  let otis: string
  beforeAll(async () => {
    channel = await signIn(visit, createInstagram(), { variant })
    us = channel.account.remoteId
    const [first, second] = visit.platform('instagram').accounts.filter(({ id }) => id !== us)
    if (!first || !second) throw new Error('too few people')
    nora = first.id
    otis = second.id
  })
  const publish = (text: string) =>
    world().publish(
      { account: us, kind: 'IMAGE', text, permalink: 'https://www.instagram.com/p/abc/' },
      visit.clock.now,
    ).id
  const comment = (account: string, text: string, parent: string, more: Record<string, unknown> = {}) => {
    visit.clock.now += 1000
    return world().publish({ account, kind: 'comment', text, parent, more }, visit.clock.now).id
  }
  const message = (account: string, text: string, person: string, more: Record<string, unknown> = {}) => {
    visit.clock.now += 1000
    return world().publish(
      { account, kind: 'message', text, more: { page: us, with: person, ...more } },
      visit.clock.now,
    ).id
  }
  const read = (kind: 'comment' | 'message' | 'mention', cursor: Cursor | null = null) =>
    readInbox(channel, kind, { now: visit.clock.now, cursor })

  it('reads comments and the replies to them, with the post that they are about', async () => {
    const post = publish('A picture')
    const root = comment(nora, 'Lovely', post)
    const answer = comment(us, 'Thank you', root)
    const reply = comment(otis, 'Indeed', root)
    const nameless = comment(nora, 'Only a name', post, { withheld: true, hidden: true })
    const unasked = comment(us, 'Our first comment', post)
    const { items } = await read('comment')
    expect([...items.keys()].toSorted()).toEqual([root, answer, reply, nameless].toSorted())
    expect(items.has(unasked)).toBe(false)
    const handle = world().account(nora)?.handle ?? ''
    expect(items.get(root)).toMatchObject({
      conversation: 'comment',
      type: 'COMMENT',
      threadKey: root,
      author: { remoteId: nora, handle: `@${handle}` },
      subject: { remoteId: post, text: 'A picture', isOurs: true },
    })
    expect(items.get(answer)).toMatchObject({ type: 'REPLY', threadKey: root, parentRemoteId: root, isOurs: true })
    expect(items.get(reply)).toMatchObject({ threadKey: root, isOurs: false })
    expect(items.get(nameless)).toMatchObject({ hidden: true, author: { remoteId: `@${handle}`, name: handle } })
  })

  it('knows our own comment by its name where Instagram withholds who wrote it', async () => {
    const root = comment(nora, 'Lovely', publish('A picture'))
    const ours = comment(us, 'Thank you', root, { withheld: true })
    expect((await read('comment')).items.get(ours)).toMatchObject({ isOurs: true, author: null })
  })

  it('reads on from there, with hidden states, edits and deletions', async () => {
    const post = publish('A picture')
    const [kept, gone] = [comment(nora, 'one', post), comment(otis, 'two', post)]
    const first = await read('comment')
    world().post(kept).more.hidden = true
    world().post(gone).deleted = true
    const fresh = comment(otis, 'three', kept)
    visit.clock.now += 5 * MINUTE
    const second = await read('comment', first.cursor)
    expect([...second.items.keys()].toSorted()).toEqual([kept, fresh].toSorted())
    expect(second.items.get(kept)).toMatchObject({ hidden: true, editedAt: null })
    expect(second.deleted).toEqual([gone])
    visit.clock.now += 5 * MINUTE
    expect((await read('comment', second.cursor)).changes).toEqual([])
  })

  it('reads all comments at first, however many there are', async () => {
    const post = publish('A picture')
    const all = Array.from({ length: 140 }, (_, i) => comment(nora, `Number ${i}`, post))
    const { items } = await read('comment')
    expect(all.filter((id) => !items.has(id))).toEqual([])
  })

  it('reads posts that tag the account as mentions', async () => {
    const tagged = world().publish(
      { account: nora, kind: 'tagged', text: 'With friends', more: { tags: us } },
      visit.clock.now,
    ).id
    const { items } = await read('mention')
    expect([...items.keys()]).toEqual([tagged])
    expect(items.get(tagged)).toMatchObject({
      conversation: 'mention',
      type: 'MENTION_POST',
      threadKey: tagged,
      author: { name: world().account(nora)?.handle },
      media: [{ kind: 'image' }],
    })
  })

  it('reads direct messages, one conversation per person, with what was taken back', async () => {
    const asked = message(nora, 'Are you open?', nora)
    const answered = message(us, 'Until six', nora)
    const idle = message(otis, 'A request', otis, { request: true })
    const first = await read('message')
    expect([...first.items.keys()].toSorted()).toEqual([asked, answered, idle].toSorted())
    expect(first.items.get(asked)).toMatchObject({
      conversation: 'message',
      threadKey: nora,
      counterpart: { remoteId: nora, handle: `@${world().account(nora)?.handle}` },
    })
    expect(first.items.get(answered)).toMatchObject({ threadKey: nora, isOurs: true })
    world().post(asked).deleted = true
    visit.clock.now += 5 * MINUTE
    expect((await read('message', first.cursor)).deleted).toEqual([asked])
  })

  it('asks for notifications, and never replaces those of a Page', async () => {
    const { push } = channel.platform
    const facebook = visit.platform('facebook').state
    const [page] = [...facebook.tokens.values()].filter(({ text }) => text === channel.secret.accessToken)
    const key = `subscription ${page?.account} ${page?.clientId}`
    const fields = () => (variant === 'facebook' ? facebook : world()).pending.get(key)?.fields
    expect(await push?.subscribe?.(channel.reach, channel.secret, channel.account)).toEqual({ kind: 'subscribed' })
    expect(fields()).toEqual(expect.arrayContaining(variant === 'facebook' ? ['feed'] : ['comments', 'messages']))
    if (variant === 'facebook') {
      facebook.pending.set(key, { app: page?.clientId, page: page?.account, fields: ['feed', 'mention', 'messages'] })
      await push?.subscribe?.(channel.reach, channel.secret, channel.account)
      expect(fields()).toHaveLength(3)
    }
    expect(await push?.unsubscribe?.(channel.reach, channel.secret, channel.account)).toEqual({ kind: 'unsubscribed' })
    expect(fields() === undefined).toBe(variant === 'instagram')
  })

  it(`asks to be reconnected for messages without ${messages}`, async () => {
    const without = await signIn(visit, createInstagram(), { variant, consent: { without: [messages] } })
    const answer = await readPage(without, { kind: 'message', cursor: null, now: new Date(visit.clock.now) })
    expect(answer).toMatchObject({ kind: 'closed', reconnect: true, reason: { code: 'inbox-permission-missing' } })
  })
})

it('breaks no rule of the platform, and neither does the simulator', () => {
  for (const key of ['instagram', 'facebook'] as const) {
    expect(visit.platform(key).violations).toEqual([])
    expect(visit.mistakes(key)).toEqual([])
  }
})
