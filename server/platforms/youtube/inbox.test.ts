import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { renew, signIn, type Channel } from '../../testing/adapter/channel.ts'
import { outgoingReply, readAll, itemsIn } from '../../testing/adapter/inbox.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import { createYoutube } from './adapter.ts'

/* Comments under the videos of a simulated channel: reading, replies, moderation. */

let visit: Visitor
let channel: Channel
let nora: { id: string; handle: string }
let video: string
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createYoutube())
  const other = visit.platform('youtube').accounts.find(({ id }) => id !== channel.account.remoteId)
  if (!other) throw new Error('too few people')
  nora = other
})
afterAll(() => visit.stop())

const world = () => visit.platform('youtube').state
beforeEach(async () => {
  world().posts.clear()
  world().switches.clear()
  visit.clock.now += 86_400_000
  await renew(channel)
  video = world().publish(
    {
      id: `v${world().nextId().slice(-10)}`,
      account: channel.account.remoteId,
      kind: 'video',
      text: '',
      more: { snippet: { title: 'How to bake rye' }, status: { privacyStatus: 'public' } },
    },
    visit.clock.now,
  ).id
})

const say = (text: string, more: { account?: string; parent?: string; status?: string; minutes?: number } = {}) => {
  const { account = nora.id, parent = video, status, minutes = 0 } = more
  const id = parent === video ? `Ug${world().nextId()}` : `${parent}.${world().nextId()}`
  const post = { id, account, kind: 'comment', text, parent, more: { ...(status && { status }) } }
  return world().publish(post, visit.clock.now + minutes * 60_000).id
}
const read = (cursor: Parameters<typeof readAll>[1]['cursor'] = null) =>
  readAll(channel, { kind: 'comment', cursor, now: new Date(visit.clock.now + 3_600_000) })
const gone = (changes: Awaited<ReturnType<typeof read>>['changes']) =>
  changes.flatMap((change) => (change.change === 'deleted' ? [change.remoteId] : []))
const calls = () => channel.said.filter((one) => one.includes('/youtube/v3/')).length

describe('comments of a YouTube channel', () => {
  it('are read by thread, with replies, author, video and who wrote what', async () => {
    const top = say('Lovely crumb')
    const answer = say('Thank you', { account: channel.account.remoteId, parent: top })
    const items = itemsIn((await read()).changes)
    expect(items.get(top)).toMatchObject({
      conversation: 'comment',
      type: 'COMMENT',
      threadKey: top,
      isOurs: false,
      hidden: false,
      text: 'Lovely crumb',
      author: { remoteId: nora.id, handle: `@${nora.handle}` },
      subject: { remoteId: video, text: 'How to bake rye', isOurs: true },
      url: `https://www.youtube.com/watch?v=${video}&lc=${top}`,
    })
    expect(items.get(answer)).toMatchObject({ type: 'REPLY', threadKey: top, isOurs: true, parentRemoteId: top })
    expect(visit.mistakes('youtube')).toEqual([])
  })

  it('include those that YouTube holds for review or takes for spam, as hidden', async () => {
    const held = say('Buy at spam.test?', { status: 'heldForReview' })
    const spam = say('Cheap pills', { status: 'likelySpam' })
    const top = say('Fine')
    const heldReply = say('Held below a published one', { parent: top, status: 'heldForReview' })
    const items = itemsIn((await read()).changes)
    expect(items.get(held)).toMatchObject({ hidden: true, held: true })
    expect(items.get(spam)).toMatchObject({ hidden: true, held: false })
    expect(items.get(top)).toMatchObject({ hidden: false })
    expect(items.get(heldReply)).toMatchObject({ hidden: true, held: true })
  })

  it('are read whole although threads bring only some replies, and lists come in pages', async () => {
    const top = say('Busy', { minutes: -10 })
    const replies = Array.from({ length: 130 }, (_, i) => say(`Reply ${i}`, { parent: top }))
    const more = Array.from({ length: 120 }, (_, i) => say(`Comment ${i}`))
    const items = itemsIn((await read()).changes)
    expect([...replies, ...more].filter((id) => !items.has(id))).toEqual([])
  })

  it('cost one call when nothing is new, and are read again when a thread has more replies', async () => {
    const top = say('First')
    for (let i = 0; i < 7; i++) say(`Reply ${i}`, { parent: top })
    const { cursor } = await read()
    channel.said.length = 0
    const quiet = await read(cursor)
    expect(calls()).toBe(1)
    const late = say('Another reply', { parent: top })
    expect(itemsIn((await read(quiet.cursor)).changes).has(late)).toBe(true)
  })

  it('are deleted only where YouTube shows them nowhere: what is held back or edited stays', async () => {
    const [deleted, held, edited] = [say('One'), say('Two'), say('Three')]
    const reply = say('A reply', { parent: edited })
    const { cursor } = await read()
    world().post(deleted).deleted = true
    world().post(reply).deleted = true
    world().post(held).more.status = 'heldForReview'
    Object.assign(world().post(edited), { text: 'Three, edited' })
    world().post(edited).more.updatedAt = visit.clock.now + 60_000
    const { changes, cursor: next } = await read(cursor)
    expect(gone(changes).toSorted()).toEqual([deleted, reply].toSorted())
    const items = itemsIn(changes)
    expect(items.get(held)).toMatchObject({ hidden: true })
    expect(items.get(edited)).toMatchObject({ text: 'Three, edited', editedAt: new Date(visit.clock.now + 60_000) })
    expect(gone((await read(next)).changes)).toEqual([])
  })

  it('are read from the beginning when YouTube no longer takes the token of a page', async () => {
    const top = say('Here')
    const { cursor } = await read()
    const todo = [{ do: 'list', list: 'published', page: 'old', depth: 5 }]
    const after = await read({ ...cursor, todo })
    expect(after.changes).toEqual([])
    expect(itemsIn((await read(after.cursor)).changes).has(top)).toBe(true)
  })

  it('ask to reconnect where the permission is missing', async () => {
    const token = [...world().tokens.values()].find(({ text }) => text === channel.secret.accessToken)
    if (!token) throw new Error('no token')
    const { scopes } = token
    token.scopes = scopes.filter((scope) => !scope.endsWith('force-ssl'))
    const answer = await channel.platform.inbox?.read(channel.reach, channel.secret, channel.account, {
      kind: 'comment',
      cursor: null,
      since: new Date(0),
      now: new Date(visit.clock.now),
      posts: [],
    })
    token.scopes = scopes
    expect(answer).toMatchObject({
      kind: 'closed',
      reconnect: true,
      reason: { code: 'google-permission-missing' },
    })
  })

  it('wait for midnight on the Pacific coast when the quota is used up', async () => {
    visit.platform('youtube').faults.add({
      on: 'GET www.googleapis.com*commentThreads*',
      answer: {
        status: 403,
        json: { error: { code: 403, message: 'Quota', errors: [{ reason: 'quotaExceeded' }] } },
        headers: { date: 'Sat, 21 Nov 2026 10:00:00 GMT' },
      },
    })
    await expect(read()).rejects.toThrow(/"closesBudget":true.*"google-quota-used-up"/)
  })
})

describe('replies to YouTube comments', () => {
  const { replies } = createYoutube().inbox ?? {}
  const on = () => [channel.reach, channel.secret, channel.account] as const
  const reply = (threadKey: string, text = 'Thank you') =>
    outgoingReply({ threadKey, text, createdAt: new Date(visit.clock.now) })

  it('are sent below the first comment, edited, and deleted, also twice', async () => {
    const top = say('Lovely')
    const sent = await replies?.send(...on(), reply(top))
    if (sent?.kind !== 'sent') throw new Error(JSON.stringify(sent))
    expect(world().post(sent.remoteId)).toMatchObject({ parent: top, text: 'Thank you' })
    expect(await replies?.edit?.(...on(), sent.remoteId, 'Thanks!')).toEqual({
      kind: 'edited',
      remoteId: sent.remoteId,
    })
    expect(world().post(sent.remoteId).text).toBe('Thanks!')
    expect(await replies?.remove?.(...on(), sent.remoteId)).toEqual({ kind: 'removed' })
    expect(await replies?.remove?.(...on(), sent.remoteId)).toEqual({ kind: 'removed' })
    expect(visit.mistakes('youtube')).toEqual([])
  })

  it('are found after a lost answer, and only the one that was sent since', async () => {
    const top = say('Lovely')
    say('Thank you', { parent: top, account: channel.account.remoteId, minutes: -60 })
    expect(await replies?.reconcile(...on(), reply(top))).toEqual({ kind: 'absent' })
    visit.platform('youtube').faults.add({ on: 'POST www.googleapis.com*comments*', drop: 'after' })
    expect(await replies?.send(...on(), reply(top))).toMatchObject({ kind: 'unknown' })
    const found = world().live(({ parent, createdAt }) => parent === top && createdAt >= visit.clock.now)[0]
    expect(await replies?.reconcile(...on(), reply(top))).toMatchObject({ kind: 'sent', remoteId: found?.id })
  })

  it('are refused with the reason: comments turned off, the comment gone, too long', async () => {
    const top = say('Lovely')
    expect(await replies?.send(...on(), reply(top, 'x'.repeat(10_001)))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'youtube-comment-too-long' },
    })
    world().post(video).more.commentsOff = true
    expect(await replies?.send(...on(), reply(top))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'youtube-comments-off' },
    })
    world().post(top).deleted = true
    expect(await replies?.send(...on(), reply(top))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'inbox-item-gone' },
    })
  })
})

describe('moderating YouTube comments', () => {
  it('holds a comment for review, and publishes one that is held', async () => {
    const { actions } = createYoutube().inbox ?? {}
    const on = [channel.reach, channel.secret, channel.account] as const
    const [shown, held] = [say('Rude'), say('Fine', { status: 'heldForReview' })]
    const item = (remoteId: string) => ({ remoteId, type: 'COMMENT' }) as const
    expect(await actions?.hide?.(...on, item(shown), true)).toEqual({ kind: 'done' })
    expect(await actions?.hide?.(...on, item(shown), true)).toEqual({ kind: 'done' })
    expect(await actions?.hide?.(...on, item(held), false)).toEqual({ kind: 'done' })
    const items = itemsIn((await read()).changes)
    expect([items.get(shown)?.hidden, items.get(held)?.hidden]).toEqual([true, false])
    expect(await actions?.hide?.(...on, item('Ug-nothing'), true)).toMatchObject({ kind: 'rejected' })
  })
})
