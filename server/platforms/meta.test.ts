import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { outgoingPost, syntheticFile } from '../testing/outgoing.ts'
import { visitPlatforms, type Visitor } from '../testing/platforms/visitor.ts'
import { createFacebook } from './facebook/adapter.ts'
import { createInstagram } from './instagram/adapter.ts'
import type { AccountRef, Outgoing, PartToSend, Platform, Reach, Secret } from './platform.ts'
import { createSafeFetch } from './safeFetch.ts'
import { simulated } from './simulated.ts'
import { createThreads } from './threads/adapter.ts'

/*
 * Facebook, Instagram and Threads against simulators that somebody else wrote from the platforms' descriptions: people sign in,
 * every kind of post goes out, and whichever answer is lost, each post stands there once.
 */

let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

const redirectUri = 'https://rookery.test/callback'
const APP = { clientId: 'app', clientSecret: 'hush' }
type Channel = { platform: Platform; reach: Reach; secret: Secret; account: AccountRef }

async function connect(platform: Platform, variant: string): Promise<Channel> {
  const fetch = simulated(createSafeFetch({ allow: [visit.allow] }), platform.hosts, visit.base)
  const reach: Reach = { fetch, signal: new AbortController().signal, app: APP }
  const begun = await platform.connect.withPage?.begin(reach, { redirectUri, state: 'a-state', variant })
  if (begun?.kind !== 'begun') throw new Error(begun?.reason.text)
  const back = await visit.consent(begun.url)
  const answer = await platform.connect.withPage?.answer(reach, begun.keep, Object.fromEntries(back.searchParams))
  if (answer?.kind !== 'accounts') throw new Error(answer?.reason.text)
  const [first] = answer.accounts
  if (!first) throw new Error('no account')
  expect(first.missing ?? []).toEqual([])
  return { platform, reach, secret: first.secret, account: first.account }
}

const wait = (seconds: number): void => void (visit.clock.now += Math.max(1, seconds) * 1000)
type Answer = { kind: string; reason?: { text: string } }
const worse = (step: string, answer: Answer): Error => new Error(`${step}: ${answer.kind} ${answer.reason?.text ?? ''}`)
const ROUNDS = 60

/** What the publisher does with a post, with all it does about lost answers. */
async function publish({ platform, reach, secret, account }: Channel, given: Outgoing): Promise<string> {
  let post = { ...given, createdAt: new Date(visit.clock.now) }
  let step = platform.publish.needsPrepare(post) ? 'prepare' : 'send'
  let absent = 0
  for (let round = 0; round < ROUNDS; round++) {
    if (step === 'prepare') {
      const answer = await platform.publish.prepare(reach, secret, account, post)
      if (answer.kind === 'prepared' || answer.kind === 'preparing') post = { ...post, progress: answer.progress }
      else if (answer.kind !== 'retry') throw worse(step, answer)
      wait(answer.kind === 'preparing' ? answer.checkAfterSeconds : 5)
      if (answer.kind === 'prepared') step = 'send'
      continue
    }
    const answer = step === 'settle' ? await platform.publish.settle(reach, secret, account, post) : step === 'poll' ? await platform.publish.poll?.(reach, secret, account, post) : await platform.publish.send(reach, secret, account, post)
    wait(60)
    switch (answer?.kind) {
      case 'sent':
        return await follow({ platform, reach, secret, account }, post, answer.remoteId)
      case 'processing':
        step = 'poll'
        break
      case 'absent':
        if (++absent === 2) step = 'send'
        break
      case 'unknown':
        if (step === 'send') step = 'settle'
        break
      case 'retry':
        if (step === 'send' && answer.first === 'prepare') step = 'prepare'
        break
      case 'reconnect':
      case 'rejected':
      case undefined:
      default:
        throw worse(step, answer ?? { kind: 'no poll' })
    }
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
      else if (answer?.kind !== 'retry') throw worse(part.key, answer ?? { kind: 'nothing' })
    }
    if (!done) throw new Error(`${part.key} was never sent`)
  }
  for (let tries = 0; tries < 3; tries++) {
    const live = await platform.publish.readBack(reach, secret, account, post, remoteId)
    if (live.kind === 'live') return remoteId
  }
  throw new Error('not live')
}

const photo = (altText = 'A rook') => syntheticFile('image/jpeg', { altText, url: () => 'https://files.test/1000.jpg' })
const clip = () => syntheticFile('video/mp4', { bytes: 3_000_000, url: () => 'https://files.test/3000000.mp4' })
type Kind = [name: string, post: (words: string) => Outgoing]
const ways: [key: PlatformKey, variant: string, create: () => Platform, kinds: Kind[]][] = [
  [
    'threads',
    'itself',
    createThreads,
    [
      ['text with a thread and a first comment', (text) => outgoingPost({ contents: [text, `${text} 2`, `${text} 3`].map((words) => ({ text: words, media: [] })), firstComment: `${text} comment` })],
      ['a picture', (text) => outgoingPost({ text, media: [photo()] })],
      ['a carousel', (text) => outgoingPost({ text, media: [photo(), clip()] })],
    ],
  ],
  [
    'facebook',
    'page',
    createFacebook,
    [
      ['text and link with a first comment', (text) => outgoingPost({ text, details: { link: 'https://example.com' }, firstComment: `${text} comment` })],
      ['pictures', (text) => outgoingPost({ text, media: [photo(), photo()] })],
      ['a video', (text) => outgoingPost({ text, media: [clip()] })],
      ['a reel', (text) => outgoingPost({ postType: 'reel', text, media: [clip()] })],
      ['a story of a picture', () => outgoingPost({ postType: 'story', media: [photo()] })],
      ['a story of a video', () => outgoingPost({ postType: 'story', media: [clip()] })],
    ],
  ],
  ...(['instagram', 'facebook'] as const).map((variant): (typeof ways)[number] => [
    'instagram',
    variant,
    createInstagram,
    [
      ['a picture with a first comment', (text) => outgoingPost({ text, media: [photo()], firstComment: `${text} comment` })],
      ['a carousel', (text) => outgoingPost({ text, media: [photo(), clip()] })],
      ['a reel', (text) => outgoingPost({ postType: 'reel', text, media: [clip()] })],
      ['a story', () => outgoingPost({ postType: 'story', media: [photo()] })],
    ],
  ]),
]

describe.each(ways)('%s, signed in by %s', (key, variant, create, kinds) => {
  /** What stands there now, with everything that follows posts; hidden pictures aside. */
  const standing = () => visit.platform(key).state.live(({ more }) => more.hidden !== true)

  it.each(kinds)('%s goes out once, whichever answer is lost', async (name, make) => {
    const channel = await connect(create(), variant)
    visit.platform(key).violations.length = 0
    const before = standing().length
    await publish(channel, make(`${name} whole`))
    const each = standing().length - before
    expect(each).toBeGreaterThan(0)
    for (let lost = 0; lost < ROUNDS; lost++) {
      const { faults } = visit.platform(key)
      const there = standing().length
      const calls = visit.platform(key).calls.length
      faults.add({ drop: 'after', after: lost })
      // an hour between two posts, as the account would not publish them within a minute of each other
      wait(3600)
      await publish(channel, make(`${name} ${lost}`))
      expect({ lost, there: standing().length - there }).toEqual({ lost, there: each })
      faults.clear()
      if (visit.platform(key).calls.length - calls <= lost) break
    }
    expect(visit.platform(key).violations).toEqual([])
  })

  it('figures are read, and a post is removed where that can be', async () => {
    const channel = await connect(create(), variant)
    const { platform, reach, secret, account } = channel
    const make = kinds[1]?.[1]
    if (!make) return
    const remoteId = await publish(channel, make('Figures'))
    wait(3600)
    const figures = await platform.metrics?.read(reach, secret, account, [{ remoteId, postType: 'post', publishedAt: new Date(visit.clock.now) }])
    expect(figures?.kind === 'metrics' && figures.of.get(remoteId)).toMatchObject({ reactions: expect.any(Number) })
    expect(await platform.read?.recentPosts(reach, secret, account, 5)).toMatchObject({ kind: 'posts' })
    expect((await platform.connect.check?.(reach, secret, account))?.kind).toBe('works')
    const removed = await platform.publish.remove?.(reach, secret, account, remoteId)
    expect(removed?.kind).toBe(key === 'instagram' && variant === 'instagram' ? 'rejected' : 'removed')
  })
})

it('an adapter that settles wrongly is noticed', async () => {
  const right = createFacebook()
  const channel = await connect({ ...right, publish: { ...right.publish, settlePart: async () => ({ kind: 'absent' }) } }, 'page')
  visit.platform('facebook').faults.add({ on: 'POST *comments', drop: 'after' })
  wait(3600)
  const remoteId = await publish(channel, outgoingPost({ text: 'Noticed', firstComment: 'Twice' }))
  expect(visit.platform('facebook').state.live(({ parent }) => parent === remoteId).map(({ text }) => text)).toEqual(['Twice', 'Twice'])
})
