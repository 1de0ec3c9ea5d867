import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chargedFor } from '../../simulators/xMentions.ts'
import { writeMessage, writtenMessages } from '../../simulators/xMessages.ts'
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

  it('are not sent once the post is gone, and say so', async () => {
    const mention = say(nora.id, `@${mine()} are you open?`)
    world().post(mention).deleted = true
    expect(await replies?.send(...on(), reply(mention))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'inbox-item-gone', params: { platform: 'X' } },
    })
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

describe('direct messages on X', () => {
  const write = (from: string, to: string, text: string, group?: true) => {
    visit.clock.now += 1000
    return writeMessage(world(), { from, to, text, at: visit.clock.now, ...(group && { group }) })
  }
  const readMessages = (cursor: Parameters<typeof readAll>[1]['cursor'] = null) =>
    readAll(channel, { kind: 'message', cursor, now: new Date(visit.clock.now + 60_000) })
  const thread = () => [me(), nora.id].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)).join('-')

  it('are one conversation with each person, with what the account wrote on X', async () => {
    const first = write(nora.id, me(), 'A table for two?')
    const ours = write(me(), nora.id, 'At eight')
    write(nora.id, me(), 'In a group', true)
    const items = itemsIn((await readMessages()).changes)
    expect([...items.keys()].toSorted()).toEqual([first, ours].toSorted())
    expect(items.get(first)).toMatchObject({
      conversation: 'message',
      type: 'DIRECT_MESSAGE',
      threadKey: thread(),
      isOurs: false,
      text: 'A table for two?',
      author: { remoteId: nora.id, handle: `@${nora.handle}` },
    })
    expect(items.get(ours)).toMatchObject({ isOurs: true, author: null, counterpart: { remoteId: nora.id } })
    expect(visit.mistakes('x')).toEqual([])
  })

  it('are read once: a reading without news asks for one message, which costs nothing again that day', async () => {
    for (let i = 0; i < 23; i++) write(nora.id, me(), `Number ${i}`)
    const { changes, cursor } = await readMessages()
    expect(itemsIn(changes).size).toBe(23)
    const spent = chargedFor(world())
    expect(spent).toBeLessThanOrEqual(23 * 0.025)
    const quiet = await readMessages(cursor)
    expect([quiet.changes, chargedFor(world())]).toEqual([[], spent])
    const late = [write(nora.id, me(), 'One'), write(nora.id, me(), 'Two'), write(nora.id, me(), 'Three')]
    const news = await readMessages(quiet.cursor)
    expect([...itemsIn(news.changes).keys()].toSorted()).toEqual(late.toSorted())
  })

  it('count each page as what it costs at most, and what was shown today as nothing', async () => {
    for (let i = 0; i < 7; i++) write(nora.id, me(), `Number ${i}`)
    const now = new Date(visit.clock.now + 60_000)
    const ask = { kind: 'message', since: new Date(visit.clock.now - 3_600_000), now, posts: [], most: 5 } as const
    const { inbox } = channel.platform
    const first = await inbox?.read(...on(), { ...ask, cursor: null })
    if (first?.kind !== 'read') throw new Error(JSON.stringify(first))
    expect(first).toMatchObject({ charged: 5, more: true })
    const second = await inbox?.read(...on(), { ...ask, cursor: first.cursor })
    if (second?.kind !== 'read') throw new Error(JSON.stringify(second))
    expect(second).toMatchObject({ charged: 2, more: false })
    expect(await inbox?.read(...on(), { ...ask, cursor: second.cursor })).toMatchObject({ charged: 0, changes: [] })
  })

  it('need a permission that earlier sign-ins lack', async () => {
    const without = await signIn(visit, createX(), { consent: { without: ['dm.read'] } })
    const ask = {
      kind: 'message',
      cursor: null,
      since: new Date(0),
      now: new Date(visit.clock.now),
      posts: [],
    } as const
    expect(await without.platform.inbox?.read(without.reach, without.secret, without.account, ask)).toMatchObject({
      kind: 'closed',
      reconnect: true,
      reason: { code: 'x-permission-missing' },
    })
  })

  it('are answered, found after a lost answer, and refused where the person takes none', async () => {
    write(nora.id, me(), 'A table for two?')
    const reply = (text: string) =>
      outgoingReply({
        conversation: 'message',
        threadKey: thread(),
        parent: null,
        text,
        createdAt: new Date(visit.clock.now),
      })
    expect(await replies?.reconcile(...on(), reply('At eight'))).toEqual({ kind: 'absent' })
    visit.platform('x').faults.add({ on: 'POST api.x.com*messages', drop: 'after' })
    expect(await replies?.send(...on(), reply('At eight'))).toMatchObject({ kind: 'unknown' })
    const found = await replies?.reconcile(...on(), reply('At eight'))
    if (found?.kind !== 'sent') throw new Error(JSON.stringify(found))
    expect(writtenMessages(world()).at(-1)).toMatchObject({ id: found.remoteId, to: nora.id, text: 'At eight' })
    // what X made of a link and of a sign
    const withLink = write(me(), nora.id, 'The card &amp; more: https://t.co/Ab1Cd2Ef3G')
    expect(await replies?.reconcile(...on(), reply('The card & more: https://example.com/card'))).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'same-text' },
    })
    const others = [withLink]
    expect(await replies?.reconcile(...on(), { ...reply('The card & more: https://a.example'), others })).toEqual({
      kind: 'absent',
    })
    // another one with the same text isn't this one
    expect(await replies?.reconcile(...on(), { ...reply('At eight'), others: [found.remoteId] })).toEqual({
      kind: 'absent',
    })
    expect(await replies?.send(...on(), reply('See you'))).toMatchObject({ kind: 'sent' })
    // one page that is full of newer ones proves nothing
    const since = reply('At nine')
    for (let nth = 0; nth < 12; nth++) write(nora.id, me(), `And ${nth}?`)
    expect(await replies?.reconcile(...on(), since)).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'too-many-to-search' },
    })
    world().switches.add('closed messages')
    expect(await replies?.send(...on(), reply('Hello?'))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'x-message-not-allowed' },
    })
    expect(visit.mistakes('x')).toEqual([])
  })
})
