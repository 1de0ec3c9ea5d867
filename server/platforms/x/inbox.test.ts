import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chargedFor } from '../../simulators/xMentions.ts'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { itemsIn, outgoingReply, readAll } from '../../testing/adapter/inbox.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import { createX } from './adapter.ts'

/* Posts that mention an account of simulated X: reading, what it costs, and answering. */

let visit: Visitor
let channel: Channel
let nora: { id: string; handle: string }
beforeEach(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createX())
  const other = visit.platform('x').accounts.find(({ id }) => id !== channel.account.remoteId)
  if (!other) throw new Error('too few people')
  nora = other
})
afterEach(() => visit.stop())

const world = () => visit.platform('x').state
const me = () => channel.account.remoteId
const mine = () => world().account(me())?.handle ?? ''
const say = (account: string, text: string, parent: string | null = null): string =>
  world().publish({ account, kind: 'post', text, parent }, visit.clock.now).id
const read = (cursor: Parameters<typeof readAll>[1]['cursor'] = null, posts: readonly string[] = []) =>
  readAll(channel, { kind: 'mention', cursor, now: new Date(visit.clock.now + 60_000), posts })
const { replies, actions } = createX().inbox ?? {}
const on = () => [channel.reach, channel.secret, channel.account] as const

describe('posts that mention an X account', () => {
  it('are replies to it, one conversation for each person in a thread, or mentions', async () => {
    const post = say(me(), 'Open on Sunday')
    const reply = say(nora.id, `@${mine()} all day?`, post)
    const mention = say(nora.id, `Has @${mine()} seen this?`)
    const elsewhere = say(nora.id, 'Nothing to do with us')
    const items = itemsIn((await read(null, [post])).changes)
    expect(items.get(reply)).toMatchObject({
      conversation: 'comment',
      type: 'REPLY',
      threadKey: `${post}:${nora.id}`,
      author: { remoteId: nora.id, handle: `@${nora.handle}` },
      subject: { remoteId: post, isOurs: true },
      text: `@${mine()} all day?`,
    })
    expect(items.get(mention)).toMatchObject({ conversation: 'mention', type: 'MENTION_POST', subject: null })
    expect(items.has(elsewhere)).toBe(false)
    expect(visit.mistakes('x')).toEqual([])
  })

  it('are read once: an empty reading costs nothing, and each page says what it costs', async () => {
    for (let i = 0; i < 23; i++) say(nora.id, `@${mine()} number ${i}`)
    const { changes, cursor } = await read()
    expect(itemsIn(changes).size).toBe(23)
    const spent = chargedFor(world())
    // each page shows a person once: what is set aside is the most that it can cost
    expect(spent).toBeLessThanOrEqual(23 * 0.025)
    const quiet = await read(cursor)
    expect(quiet.changes).toEqual([])
    expect(chargedFor(world())).toBe(spent)
    const late = say(nora.id, `@${mine()} one more`)
    expect([...itemsIn((await read(quiet.cursor)).changes).keys()]).toEqual([late])
  })

  it('are read no further than what may be spent', async () => {
    for (let i = 0; i < 23; i++) say(nora.id, `@${mine()} number ${i}`)
    const now = new Date(visit.clock.now + 60_000)
    const since = new Date(visit.clock.now - 3_600_000)
    const ask = { kind: 'mention', cursor: null, since, now, posts: [], most: 5 } as const
    expect(await channel.platform.inbox?.read(...on(), ask)).toMatchObject({ kind: 'read', charged: 5, more: true })
  })

  it('say when X has no credits left, or wants a slower pace', async () => {
    const { faults } = visit.platform('x')
    faults.add({ on: 'GET api.x.com*mentions*', answer: { status: 402, json: { title: 'CreditsDepleted' } } })
    await expect(read()).rejects.toThrow(/x-no-credits/)
    faults.add({
      on: 'GET api.x.com*mentions*',
      answer: { status: 429, json: { title: 'Too Many Requests' }, headers: { 'x-rate-limit-reset': '1' } },
    })
    await expect(read()).rejects.toThrow(/"closesBudget":true/)
  })
})

describe('answers on X', () => {
  const reply = (id: string, text = `@${nora.handle} until six`) =>
    outgoingReply({
      threadKey: `${id}:${nora.id}`,
      parent: { remoteId: id, type: 'MENTION_POST', at: new Date(0) },
      text,
      createdAt: new Date(visit.clock.now),
    })

  it('are posts below what they answer, found after a lost answer, and deleted, also twice', async () => {
    const mention = say(nora.id, `@${mine()} all day?`)
    expect(await replies?.reconcile(...on(), reply(mention))).toEqual({ kind: 'absent' })
    visit.platform('x').faults.add({ on: 'POST api.x.com/2/tweets', drop: 'after' })
    expect(await replies?.send(...on(), reply(mention))).toMatchObject({ kind: 'unknown' })
    const found = await replies?.reconcile(...on(), reply(mention))
    if (found?.kind !== 'sent') throw new Error(JSON.stringify(found))
    expect(world().post(found.remoteId)).toMatchObject({ parent: mention, account: me() })
    // X refuses the same text again: it's the one that was sent
    expect(await replies?.send(...on(), reply(mention))).toMatchObject({ kind: 'sent', remoteId: found.remoteId })
    expect(await replies?.remove?.(...on(), found.remoteId)).toEqual({ kind: 'removed' })
    expect(await replies?.remove?.(...on(), found.remoteId)).toEqual({ kind: 'removed' })
    expect(visit.mistakes('x')).toEqual([])
  })

  it('are refused to those who did not mention the account', async () => {
    world().switches.add('summoned')
    const stranger = say(nora.id, 'Good morning')
    expect(await replies?.send(...on(), reply(stranger))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'x-reply-not-allowed' },
    })
  })

  it('hide replies to its own posts, and show them again', async () => {
    const rude = say(nora.id, `@${mine()} rude`, say(me(), 'Open on Sunday'))
    const item = { remoteId: rude, type: 'REPLY' } as const
    expect(await actions?.hide?.(...on(), item, true)).toEqual({ kind: 'done' })
    expect(world().post(rude).more.hiddenReply).toBe(true)
    expect(await actions?.hide?.(...on(), item, false)).toEqual({ kind: 'done' })
    const elsewhere = { remoteId: say(nora.id, `@${mine()} elsewhere`), type: 'MENTION_POST' } as const
    expect(await actions?.hide?.(...on(), elsewhere, true)).toMatchObject({ kind: 'rejected' })
    expect(visit.mistakes('x')).toEqual([])
  })
})
