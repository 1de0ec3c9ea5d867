import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import type { Cursor, InboxChange, RemoteItem } from '../inbox.ts'
import { createMastodon } from './adapter.ts'

/* What people write to an account on a simulated server, as the inbox receives it. */

let visit: Visitor
let channel: Channel
let me: string
let nora: { id: string; handle: string }
let otis: { id: string; handle: string }
const domain = 'mastodon.simulated'

beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createMastodon(), { domain, app: null })
  const { accounts, state } = visit.platform('mastodon')
  me = channel.account.remoteId.replace(/@.*$/, '')
  const others = accounts.filter(({ id }) => id !== me)
  const [first, second] = others
  if (!first || !second) throw new Error('too few people')
  nora = first
  otis = second
  state.posts.clear()
})
afterAll(() => visit.stop())

const world = () => visit.platform('mastodon').state
const mine = () => world().account(me)?.handle ?? ''
let seconds = 0
const say = (account: string, text: string, more: { parent?: string; visibility?: string } = {}) => {
  seconds += 1
  return world().publish(
    { account, kind: 'status', text, parent: more.parent ?? null, more: { visibility: more.visibility ?? 'public' } },
    Date.parse('2026-11-21T09:00:00Z') + seconds * 1000,
  ).id
}

async function read(cursor: Cursor | null = null): Promise<{ changes: InboxChange[]; cursor: Cursor }> {
  const { inbox } = channel.platform
  if (!inbox) throw new Error('no inbox')
  const now = new Date('2026-11-21T10:00:00Z')
  const changes: InboxChange[] = []
  for (let at = cursor; ;) {
    const answer = await inbox.read(channel.reach, channel.secret, channel.account, {
      kind: 'mention',
      cursor: at,
      since: new Date('2026-10-22T10:00:00Z'),
      now,
      posts: [],
    })
    if (answer.kind !== 'read') throw new Error(JSON.stringify(answer))
    changes.push(...answer.changes)
    if (!answer.more) return { changes, cursor: answer.cursor }
    at = answer.cursor
  }
}
const itemsIn = (changes: readonly InboxChange[]): Map<string, RemoteItem> =>
  new Map(changes.flatMap((change) => (change.change === 'item' ? [[change.remoteId, change] as const] : [])))

describe('what people write to a Mastodon account', () => {
  it('is sorted by what it answers: replies under a post of ours, mentions, private mentions', async () => {
    const post = say(me, 'Our post')
    const second = say(me, 'and more of it', { parent: post })
    const comment = say(nora.id, 'Nice', { parent: second })
    const answer = say(me, 'Thanks', { parent: comment })
    const reply = say(otis.id, 'Agreed', { parent: answer })
    const mention = say(nora.id, `Has @${mine()} seen this?`)
    const direct = say(otis.id, `@${mine()} a secret`, { visibility: 'direct' })
    const answered = say(me, `@${otis.handle} noted`, { parent: direct, visibility: 'direct' })
    const elsewhere = say(nora.id, 'Nothing to do with us')
    const unasked = say(me, 'We comment', { parent: elsewhere })
    const { changes } = await read()
    const items = itemsIn(changes)
    expect([...items.keys()].toSorted()).toEqual([comment, answer, reply, mention, direct, answered].toSorted())
    const subject = { remoteId: post, isOurs: true, text: 'Our post' }
    expect(items.get(comment)).toMatchObject({
      conversation: 'comment',
      type: 'REPLY',
      threadKey: comment,
      isOurs: false,
      text: 'Nice',
      subject,
      author: { remoteId: nora.id, handle: `@${nora.handle}@${domain}` },
    })
    expect(items.get(answer)).toMatchObject({ threadKey: comment, isOurs: true, author: null, subject })
    expect(items.get(reply)).toMatchObject({ conversation: 'comment', threadKey: comment, parentRemoteId: answer })
    expect(items.get(mention)).toMatchObject({
      conversation: 'mention',
      type: 'MENTION_POST',
      threadKey: mention,
      subject: null,
    })
    expect(items.get(direct)).toMatchObject({
      conversation: 'message',
      type: 'DIRECT_MESSAGE',
      threadKey: otis.id,
      counterpart: { remoteId: otis.id },
    })
    expect(items.get(answered)).toMatchObject({ conversation: 'message', threadKey: otis.id, isOurs: true })
    expect(items.has(unasked)).toBe(false)
  })

  it('is read from where the last reading ended, with edits and deletions of what was read before', async () => {
    const kept = say(nora.id, `@${mine()} one`)
    const deleted = say(nora.id, `@${mine()} two`)
    const { cursor } = await read()
    expect(itemsIn((await read(cursor)).changes).get(kept)).toMatchObject({ version: 0 })
    const post = world().post(kept)
    post.text = `@${mine()} one, edited`
    post.more.edited_at = '2026-11-21T09:30:00.000Z'
    world().post(deleted).deleted = true
    const fresh = say(otis.id, `@${mine()} three`)
    const { changes } = await read(cursor)
    expect(itemsIn(changes).get(fresh)).toMatchObject({ text: `@${mine()} three` })
    expect(itemsIn(changes).get(kept)).toMatchObject({
      text: `@${mine()} one, edited`,
      version: Date.parse('2026-11-21T09:30:00Z'),
    })
    expect(changes.filter(({ change }) => change === 'deleted')).toMatchObject([{ remoteId: deleted }])
  })

  it('keeps its content warning, which its text begins with', async () => {
    const warned = say(nora.id, `@${mine()} a secret`)
    world().post(warned).more.spoiler_text = 'Birds'
    const plain = say(nora.id, `@${mine()} no secret`)
    const items = itemsIn((await read()).changes)
    expect(items.get(warned)).toMatchObject({ text: `Birds\n\n@${mine()} a secret`, warning: 'Birds' })
    expect(items.get(plain)).not.toHaveProperty('warning')
  })

  it('is not deleted because the server leaves it out of a list', async () => {
    const limited = say(nora.id, `@${mine()} someone whom the server limits`)
    world().post(limited).more.limited = true
    const { cursor } = await read()
    const { changes } = await read(cursor)
    expect(changes.filter(({ change }) => change === 'deleted')).toEqual([])
  })

  it('is read whole at first, however much there is', async () => {
    const many = Array.from({ length: 45 }, (_, i) => say(nora.id, `@${mine()} number ${i}`))
    const items = itemsIn((await read()).changes)
    expect(many.filter((id) => !items.has(id))).toEqual([])
  })

  it('says that a right is missing where the sign-in is from before', async () => {
    const token = [...world().tokens.values()].find(({ account }) => account === me)
    if (!token) throw new Error('no token')
    const { scopes } = token
    token.scopes = scopes.filter((scope) => scope !== 'read:notifications')
    const answer = await channel.platform.inbox?.read(channel.reach, channel.secret, channel.account, {
      kind: 'mention',
      cursor: null,
      since: new Date(0),
      now: new Date('2026-11-21T10:00:00Z'),
      posts: [],
    })
    token.scopes = scopes
    expect(answer).toMatchObject({ kind: 'reconnect', reason: { code: 'mastodon-permission-missing' } })
  })

  it('breaks no rule of the platform', () => {
    expect(visit.platform('mastodon').violations).toEqual([])
  })
})

describe('notifications by Web Push', () => {
  const target = { endpoint: 'https://rookery.test/push/1', publicKey: 'BPub', auth: 'auth' }
  const subscription = async (channel: Channel) =>
    await visit.ask('GET', `https://${domain}/api/v1/push/subscription`, { token: String(channel.secret.accessToken) })

  it('are subscribed to once for a sign-in, and end', async () => {
    const { webPush } = channel.platform
    const on = [channel.reach, channel.secret, channel.account] as const
    for (const endpoint of ['https://rookery.test/push/0', target.endpoint])
      expect(await webPush?.subscribe(...on, { ...target, endpoint })).toEqual({
        kind: 'subscribed',
        serverKey: expect.stringMatching(/^B[\w-]{86}$/),
      })
    expect((await subscription(channel)).json).toMatchObject({ endpoint: target.endpoint, standard: true })
    expect(await webPush?.unsubscribe(...on)).toEqual({ kind: 'unsubscribed' })
    expect(await webPush?.unsubscribe(...on)).toEqual({ kind: 'unsubscribed' })
    expect((await subscription(channel)).status).toBe(404)
    expect(visit.mistakes('mastodon')).toEqual([])
  })

  it('are optional: a sign-in without the right has an inbox, and the server is not asked', async () => {
    const without = await signIn(visit, createMastodon(), { domain, app: null, consent: { without: ['push'] } })
    expect(without.missing).toEqual([])
    const { calls } = visit.platform('mastodon')
    calls.length = 0
    expect(
      await without.platform.webPush?.subscribe(without.reach, without.secret, without.account, target),
    ).toMatchObject({ kind: 'reconnect', reason: { code: 'mastodon-permission-missing' } })
    expect(calls).toEqual([])
    expect((await subscription(without)).status).toBe(403)
  })
})
