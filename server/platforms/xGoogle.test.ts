import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { outgoingPost, syntheticFile } from '../testing/outgoing.ts'
import { visitPlatforms, type Visitor } from '../testing/platforms/visitor.ts'
import { createGooglemybusiness } from './googlemybusiness/adapter.ts'
import type { AccountRef, Outgoing, PartToSend, Platform, Reach, Secret } from './platform.ts'
import { createSafeFetch } from './safeFetch.ts'
import { simulated } from './simulated.ts'
import { createX } from './x/adapter.ts'
import { createYoutube } from './youtube/adapter.ts'

/*
 * X, YouTube and Google Business Profile against simulators that somebody else wrote from the platforms' descriptions: people
 * sign in, every kind of post goes out, and whichever answer is lost, each post stands there once.
 */

let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

const redirectUri = 'https://rookery.test/callback'
type Channel = { platform: Platform; reach: Reach; secret: Secret; account: AccountRef }

async function connect(platform: Platform): Promise<Channel> {
  const fetch = simulated(createSafeFetch({ allow: [visit.allow] }), platform.hosts, visit.base)
  const reach: Reach = { fetch, signal: new AbortController().signal, app: { clientId: 'app', clientSecret: 'hush' } }
  const begun = await platform.connect.withPage?.begin(reach, { redirectUri, state: 'a-state' })
  if (begun?.kind !== 'begun') throw new Error(begun?.reason.text)
  const back = await visit.consent(begun.url)
  const answer = await platform.connect.withPage?.answer(reach, begun.keep, Object.fromEntries(back.searchParams))
  if (answer?.kind !== 'accounts') throw new Error(answer?.reason.text)
  const [first] = answer.accounts
  if (!first) throw new Error('no account')
  expect(first.missing ?? []).toEqual([])
  expect(platform.connect.needsRefresh(first.secret, first.expiresAt, new Date(visit.clock.now))).toBe(false)
  return { platform, reach, secret: first.secret, account: first.account }
}

const wait = (seconds: number): void => void (visit.clock.now += Math.max(1, seconds) * 1000)
const ROUNDS = 60
type Answer = { kind: string; reason?: { text: string } } | undefined
const worse = (step: string, answer: Answer): Error => new Error(`${step}: ${answer?.kind} ${answer?.reason?.text ?? ''}`)

/** What the publisher does with a post, with all it does about lost answers. */
async function publish(channel: Channel, given: Outgoing): Promise<string> {
  const { platform, reach, secret, account } = channel
  let post = { ...given, createdAt: new Date(visit.clock.now) }
  let step = platform.publish.needsPrepare(post) ? 'prepare' : 'send'
  let absent = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { publish: to } = platform
    const answer = step === 'prepare' ? await to.prepare(reach, secret, account, post) : step === 'settle' ? await to.settle(reach, secret, account, post) : step === 'poll' ? await to.poll?.(reach, secret, account, post) : await to.send(reach, secret, account, post)
    wait(answer?.kind === 'preparing' ? answer.checkAfterSeconds : step === 'prepare' ? 5 : 60)
    if (answer && 'progress' in answer) post = { ...post, progress: answer.progress }
    if (answer?.kind === 'sent') return await follow(channel, post, answer.remoteId)
    if (answer?.kind === 'prepared') step = 'send'
    else if (answer?.kind === 'processing') step = 'poll'
    else if (answer?.kind === 'absent') step = ++absent === 2 ? 'send' : 'settle'
    else if (answer?.kind === 'unknown') step = step === 'send' ? 'settle' : step
    else if (answer?.kind === 'retry') step = answer.first === 'prepare' ? 'prepare' : step
    else if (answer?.kind !== 'preparing') throw worse(step, answer)
  }
  throw new Error(`still at ${step}`)
}

async function follow({ platform, reach, secret, account }: Channel, post: Outgoing, remoteId: string): Promise<string> {
  const sent: { key: string; remoteId: string; progress: Record<string, unknown> }[] = [{ key: 'post', remoteId, progress: post.progress }]
  for (const part of platform.publish.parts?.(post) ?? []) {
    let toSend: PartToSend = { ...part, sendKey: `${post.sendKey}/${part.key}`, progress: {}, sent: [...sent] }
    let [settling, absent, done] = [false, 0, false]
    for (let round = 0; round < ROUNDS && !done; round++) {
      const answer = settling ? await platform.publish.settlePart?.(reach, secret, account, post, toSend) : await platform.publish.sendPart?.(reach, secret, account, post, toSend)
      wait(answer?.kind === 'preparing' ? answer.checkAfterSeconds : 60)
      if (answer?.kind === 'preparing') toSend = { ...toSend, progress: answer.progress }
      else if (answer?.kind === 'sent') {
        sent.push({ key: part.key, remoteId: answer.remoteId, progress: answer.progress })
        done = true
      } else if (answer?.kind === 'absent') settling = ++absent < 2
      else if (answer?.kind === 'unknown') settling = true
      else if (answer?.kind !== 'retry') throw worse(part.key, answer)
    }
    if (!done) throw new Error(`${part.key} was never sent`)
  }
  for (let tries = 0; tries < 3; tries++) {
    const live = await platform.publish.readBack(reach, secret, account, post, remoteId)
    if (live.kind === 'live') return remoteId
  }
  throw new Error('not live')
}

const photo = (altText = 'A rook') => syntheticFile('image/jpeg', { altText, bytes: 20_000, url: () => 'https://files.test/20000.jpg' })
const clip = (bytes = 9_000_000) => syntheticFile('video/mp4', { bytes })
const video = (title: string, more: Partial<Outgoing> = {}) => outgoingPost({ postType: 'video', contents: [{ title, text: 'Described', media: [clip(5_000_000)] }], details: { privacy: 'public', madeForKids: false }, ...more })
const event = { start: { date: '2026-12-01', time: '09:00' }, end: { date: '2026-12-02', time: '18:30' } }
type Kind = [name: string, post: (words: string) => Outgoing]
const ways: [key: PlatformKey, create: () => Platform, kinds: Kind[]][] = [
  [
    'x',
    createX,
    [
      ['text with a thread and a first comment', (text) => outgoingPost({ contents: [text, `${text} 2`, `${text} 3`].map((words) => ({ text: `${words} https://example.com/a?b=1 & <more>`, media: [] })), firstComment: `${text} comment` })],
      ['a picture', (text) => outgoingPost({ text, media: [photo()] })],
      ['pictures in a thread', (text) => outgoingPost({ contents: [text, `${text} 2`].map((words) => ({ text: words, media: [photo(), photo('')] })) })],
      ['a video', (text) => outgoingPost({ text, media: [clip()] })],
      ['a link alone', (text) => outgoingPost({ text: `https://example.com/${text.replaceAll(' ', '-')}` })],
      ['files without words', () => outgoingPost({ media: [syntheticFile('image/gif')] })],
    ],
  ],
  [
    'youtube',
    createYoutube,
    [
      ['a video with a thumbnail and a first comment', (text) => video(text, { firstComment: `${text} comment`, contents: [{ title: text, text: 'Described', media: [syntheticFile('video/mp4', { bytes: 20_000_000, thumbnail: photo() })] }] })],
      ['a short of one piece', (text) => video(text, { postType: 'shorts' })],
      ['a private video', (text) => video(text, { details: { privacy: 'private', madeForKids: true, categoryId: '22' } })],
    ],
  ],
  [
    'googlemybusiness',
    createGooglemybusiness,
    [
      ['an update with a button and a picture', (text) => outgoingPost({ postType: 'update', text, media: [photo()], details: { callToAction: { action: 'LEARN_MORE', url: 'https://example.com' } } })],
      ['an update to call', (text) => outgoingPost({ postType: 'update', text, details: { callToAction: { action: 'CALL' } } })],
      ['an event', (text) => outgoingPost({ postType: 'events', contents: [{ title: text, text: 'Come along', media: [] }], details: { event } })],
      ['an offer', (text) => outgoingPost({ postType: 'offers', contents: [{ title: text, text: '', media: [] }], details: { event, offer: { couponCode: 'ROOK', redeemUrl: 'https://example.com', terms: 'One each' } } })],
    ],
  ],
]

describe.each(ways)('%s', (key, create, kinds) => {
  /** What people see: posts, and what stands below them. */
  const standing = () => {
    const live = visit.platform(key).state.live(({ more }) => more.hidden !== true)
    const there = new Set(live.map(({ id }) => id))
    return key === 'youtube' ? live.filter(({ parent }) => parent === null || there.has(parent)) : live
  }

  it.each(kinds)('%s goes out once, whichever answer is lost', async (name, make) => {
    visit.platform(key).violations.length = 0
    const before = standing().length
    await publish(await connect(create()), make(`${name} whole`))
    const each = standing().length - before
    expect(each).toBeGreaterThan(0)
    for (let lost = 0; lost < ROUNDS; lost++) {
      // an hour between two posts, for which nobody stays signed in without renewing
      wait(3600)
      const channel = await connect(create())
      const { faults } = visit.platform(key)
      const there = standing().length
      const calls = visit.platform(key).calls.length
      faults.add({ drop: 'after', after: lost })
      await publish(channel, make(`${name} ${lost}`))
      expect({ lost, there: standing().length - there }).toEqual({ lost, there: each })
      faults.clear()
      if (visit.platform(key).calls.length - calls <= lost) break
    }
    expect(visit.platform(key).violations).toEqual([])
  }, 60_000)

  it('figures and own posts are read, and a post is removed with what follows it', async () => {
    const channel = await connect(create())
    const { platform, reach, secret, account } = channel
    const make = kinds[0]?.[1]
    if (!make) return
    const before = standing().length
    const remoteId = await publish(channel, make('Figures'))
    const figures = await platform.metrics?.read(reach, secret, account, [{ remoteId, postType: 'post', publishedAt: new Date(visit.clock.now) }])
    if (platform.metrics) expect(figures?.kind === 'metrics' && figures.of.get(remoteId)).toMatchObject({ reactions: expect.any(Number) })
    const recent = await platform.read?.recentPosts(reach, secret, account, 5)
    expect(recent?.kind === 'posts' && recent.posts[0]?.text).toContain('Figures')
    expect((await platform.connect.check?.(reach, secret, account))?.kind).toBe('works')
    expect((await platform.publish.remove?.(reach, secret, account, remoteId))?.kind).toBe('removed')
    expect(standing().length).toBe(before)
    expect((await platform.publish.remove?.(reach, secret, account, remoteId))?.kind).toBe('removed')
    expect(visit.platform(key).violations).toEqual([])
  })

  it('the sign-in is renewed before it ends', async () => {
    const { platform, reach, secret, account } = await connect(create())
    wait(2 * 3600)
    expect((await platform.connect.check?.(reach, secret, account))?.kind).toBe('retry')
    const renewed = await platform.connect.refresh(reach, secret, account)
    if (renewed.kind !== 'refreshed') throw worse('refresh', renewed)
    expect(platform.connect.needsRefresh(renewed.secret, renewed.expiresAt, new Date(visit.clock.now))).toBe(false)
    expect(platform.connect.needsRefresh(renewed.secret, renewed.expiresAt, new Date(visit.clock.now + 2 * 3_600_000))).toBe(true)
    expect((await platform.connect.check?.(reach, renewed.secret, account))?.kind).toBe('works')
    visit.platform(key).violations.length = 0
  })
})
