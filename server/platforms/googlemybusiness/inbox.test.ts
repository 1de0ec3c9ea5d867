import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeReview } from '../../simulators/googleReviews.ts'
import { renew, signIn, type Channel } from '../../testing/adapter/channel.ts'
import { itemsIn, outgoingReply, readAll } from '../../testing/adapter/inbox.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import { createGooglemybusiness } from './adapter.ts'

/* Reviews of a simulated location: reading and the one reply that each takes. */

let visit: Visitor
let channel: Channel
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createGooglemybusiness())
})
afterAll(() => visit.stop())

const world = () => visit.platform('googlemybusiness').state
beforeEach(async () => {
  world().posts.clear()
  visit.clock.now += 2 * 3_600_000
  await renew(channel)
})

const review = (stars: number, text: string, more: { reviewer?: string; minutes?: number } = {}) =>
  writeReview(
    world(),
    { location: channel.account.remoteId, stars, text, reviewer: more.reviewer ?? 'Nora Quill' },
    visit.clock.now + (more.minutes ?? 0) * 60_000,
  )
const read = (cursor: Parameters<typeof readAll>[1]['cursor'] = null, hours = 1) =>
  readAll(channel, { kind: 'review', cursor, now: new Date(visit.clock.now + hours * 3_600_000) })
const gone = (changes: Awaited<ReturnType<typeof read>>['changes']) =>
  changes.flatMap((change) => (change.change === 'deleted' ? [change.remoteId] : []))
const { replies } = createGooglemybusiness().inbox ?? {}
const on = () => [channel.reach, channel.secret, channel.account] as const
const reply = (threadKey: string, text = 'Thank you') =>
  outgoingReply({ conversation: 'review', threadKey, text, createdAt: new Date(visit.clock.now) })
async function answer(id: string, text?: string): Promise<string> {
  const sent = await replies?.send(...on(), reply(id, text))
  if (sent?.kind !== 'sent') throw new Error(JSON.stringify(sent))
  return sent.remoteId
}

describe('reviews of a location', () => {
  it('are read with stars, who wrote them, and the reply', async () => {
    const id = review(4, 'Good bread')
    const stars = review(1, '', { reviewer: '' })
    const replyId = await answer(id)
    const items = itemsIn((await read()).changes)
    expect(items.get(id)).toMatchObject({
      conversation: 'review',
      type: 'REVIEW',
      threadKey: id,
      rating: 4,
      text: 'Good bread',
      author: { name: 'Nora Quill' },
      isOurs: false,
    })
    expect(items.get(stars)).toMatchObject({ rating: 1, text: '', author: { name: 'A Google user', pictureUrl: null } })
    expect(items.get(replyId)).toMatchObject({
      type: 'REPLY',
      isOurs: true,
      parentRemoteId: id,
      threadKey: id,
      text: 'Thank you',
      hidden: false,
    })
    expect(visit.mistakes('googlemybusiness')).toEqual([])
  })

  it('come again when they were edited, which may be long after', async () => {
    const id = review(2, 'Stale')
    const { cursor } = await read()
    const later = visit.clock.now + 3_600_000
    Object.assign(world().post(id), { text: 'They replaced it' })
    Object.assign(world().post(id).more, { stars: 5, updatedAt: later })
    const items = itemsIn((await read(cursor)).changes)
    expect(items.get(id)).toMatchObject({
      rating: 5,
      text: 'They replaced it',
      editedAt: new Date(later),
      version: later,
    })
  })

  it('are read whole at first, page by page', async () => {
    const ids = Array.from({ length: 120 }, (_, i) => review(5, `Review ${i}`))
    const items = itemsIn((await read()).changes)
    expect(ids.filter((id) => !items.has(id))).toEqual([])
  })

  it('are deleted only where Google says so: what a list leaves out stays', async () => {
    const [deleted, kept] = [review(1, 'Gone'), review(3, 'Left out')]
    const { cursor } = await read()
    const { state, faults } = visit.platform('googlemybusiness')
    state.post(deleted).deleted = true
    faults.add({ on: 'GET mybusiness.googleapis.com*/reviews', answer: { status: 200, json: {} } })
    const { changes } = await read(cursor)
    expect(gone(changes)).toEqual([deleted])
    expect(itemsIn(changes).get(kept)).toMatchObject({ text: 'Left out' })
  })

  it('show that a reply was changed or deleted on Google', async () => {
    const id = review(4, 'Good')
    const first = await answer(id)
    const { cursor } = await read()
    world().post(id).more.reply = { comment: 'Changed there', at: visit.clock.now + 60_000, state: 'APPROVED' }
    const changed = await read(cursor)
    expect(gone(changed.changes)).toEqual([first])
    expect([...itemsIn(changed.changes).values()].filter(({ isOurs }) => isOurs)).toMatchObject([
      { text: 'Changed there' },
    ])
    delete world().post(id).more.reply
    expect(gone((await read(changed.cursor)).changes)).toHaveLength(1)
  })
})

describe('the reply to a review', () => {
  it('is one however often it is sent, and found after a lost answer', async () => {
    const id = review(5, 'Lovely')
    visit.platform('googlemybusiness').faults.add({ on: 'PUT mybusiness.googleapis.com*', drop: 'after' })
    expect(await replies?.send(...on(), reply(id))).toMatchObject({ kind: 'unknown' })
    const found = await replies?.reconcile(...on(), reply(id))
    expect(found).toMatchObject({ kind: 'sent' })
    visit.clock.now += 60_000
    expect(await replies?.send(...on(), reply(id))).toEqual(found)
  })

  it("doesn't replace what someone wrote on Google meanwhile", async () => {
    const id = review(5, 'Lovely')
    expect(await replies?.reconcile(...on(), reply(id))).toEqual({ kind: 'absent' })
    await answer(id, 'Written there')
    const refused = { kind: 'rejected', reason: { code: 'google-review-answered' } }
    expect(await replies?.send(...on(), reply(id))).toMatchObject(refused)
    expect(await replies?.reconcile(...on(), reply(id))).toMatchObject(refused)
    expect(world().post(id).more).toMatchObject({ reply: { comment: 'Written there' } })
  })

  it('is edited, deleted, and written again as another one', async () => {
    const id = review(5, 'Lovely')
    const first = await answer(id)
    visit.clock.now += 60_000
    const edited = await replies?.edit?.(...on(), first, 'Thanks a lot')
    expect(edited).toMatchObject({ kind: 'edited' })
    expect(world().post(id).more).toMatchObject({ reply: { comment: 'Thanks a lot' } })
    expect(await replies?.remove?.(...on(), first)).toEqual({ kind: 'removed' })
    expect(await replies?.remove?.(...on(), first)).toEqual({ kind: 'removed' })
    visit.clock.now += 60_000
    expect(await answer(id)).not.toBe(first)
  })

  it('is refused with the reason: rejected by the rules, the review gone, too long', async () => {
    const id = review(5, 'Lovely')
    expect(await replies?.send(...on(), reply(id, 'ü'.repeat(2049)))).toMatchObject({ kind: 'rejected' })
    expect(await replies?.send(...on(), reply(id, 'Call +44 1947 123 456'))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'google-reply-rejected' },
    })
    world().post(id).deleted = true
    expect(await replies?.send(...on(), reply(id))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'inbox-item-gone' },
    })
  })

  it('waits where Google takes no more edits of this profile for now', async () => {
    const id = review(5, 'Lovely')
    visit.platform('googlemybusiness').faults.add({
      on: 'PUT mybusiness.googleapis.com*',
      answer: { status: 429, json: { error: { code: 429, message: 'Too many', status: 'RESOURCE_EXHAUSTED' } } },
    })
    expect(await replies?.send(...on(), reply(id))).toMatchObject({ kind: 'retry', closesBudget: true })
  })
})
