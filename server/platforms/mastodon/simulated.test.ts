import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { addNatives, listOwn } from '../../testing/adapter/listOwn.ts'
import { playRound } from '../../testing/adapter/mastodonRound.ts'
import { publishLike } from '../../testing/adapter/publishLike.ts'
import { standing, standsOnce } from '../../testing/adapter/standsOnce.ts'
import { outgoingPost, syntheticFile } from '../../testing/outgoing.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import type { InstanceApps, Outgoing } from '../platform.ts'
import { createMastodon } from './adapter.ts'

/* Mastodon against a simulator written independently from its documentation: what server/platforms/conformance.test.ts does not play. */

let visit: Visitor
let channel: Channel
const domain = 'mastodon.simulated'
const kept = new Map<string, { clientId: string; clientSecret: string }>()
/** Nothing is fresh: each sign-in asks its server. */
const apps: InstanceApps = {
  find: async (origin) => {
    const app = kept.get(origin)
    return app && { app, isFresh: false, isRecent: true }
  },
  keep: async (origin, app) => {
    const first = kept.get(origin) ?? app
    kept.set(origin, first)
    return first
  },
  confirm: async () => {},
  forget: async (origin, { clientId }) => {
    if (kept.get(origin)?.clientId === clientId) kept.delete(origin)
  },
}
const connect = async (): Promise<Channel> => await signIn(visit, createMastodon({ apps }), { domain, app: null })

beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await connect()
})
afterAll(() => visit.stop())
beforeEach(() => visit.platform('mastodon').faults.clear())

const photo = (altText = 'A rook') => syntheticFile('image/jpeg', { altText })
const clip = () => syntheticFile('video/mp4', { bytes: 3_000_000 })

const kinds: [name: string, stands: number, make: (words: string) => Outgoing][] = [
  [
    'text with a warning',
    1,
    (text) => outgoingPost({ text, details: { privacy: 'unlisted', contentWarning: 'Birds', languages: ['en'] } }),
  ],
  [
    'text with people, tags and links',
    1,
    (text) =>
      outgoingPost({
        text: `${text} & <@Rook@example.com> #rooks \n\nhttps://www.example.com/a?b=1&c=${'2'.repeat(40)} end\n@HarbourBooks@${domain} "it's" @Anna@Mastodon.Example so`,
        details: { privacy: 'public' },
      }),
  ],
  ['the most pictures', 1, (text) => outgoingPost({ text, media: Array.from({ length: 4 }, () => photo()) })],
  ['a video without words', 1, () => outgoingPost({ media: [clip()] })],
  [
    'a thread with pictures and a first comment',
    4,
    (text) =>
      outgoingPost({
        contents: [text, `${text} 2`, `${text} 3`].map((words, index) => ({
          text: words,
          media: index === 1 ? [photo()] : [],
        })),
        firstComment: `${text} comment`,
      }),
  ],
]

describe('is sent once, whichever response is lost', () => {
  it.each(kinds)('%s', async (_name, stands, make) => {
    const once = await standsOnce(visit, channel, make)
    expect(once).toMatchObject({ whole: stands, wrong: null, leftToAPerson: 0 })
    expect(once.calls).toBeGreaterThan(0)
    expect(visit.platform('mastodon').violations).toEqual([])
  })
})

describe('is sent once on a busy account whose server forgets keys, whichever response is lost', () => {
  it.each(kinds)('%s', async (_name, stands, make) => {
    const once = await standsOnce(visit, channel, make, { drop: 'after' }, { busy: 3 })
    expect(once).toMatchObject({ whole: stands, wrong: null, leftToAPerson: 0 })
  })
})

it.each(['anna@social.mastodon.example', 'Hello@Anna.Example'])(
  'is left to a person if a name leads to another one, which the source has as well: @%s',
  async (name) => {
    const make = (words: string) => outgoingPost({ text: `${words} with @${name}`, details: { privacy: 'public' } })
    const { whole, wrong, leftToAPerson } = await standsOnce(visit, channel, make, { drop: 'after' }, { busy: 3 })
    expect({ whole, wrong }).toEqual({ whole: 1, wrong: null })
    expect(leftToAPerson).toBe(name.startsWith('anna') ? 0 : 1)
  },
)

describe('on a server that parses Markdown and forgets keys', () => {
  const marked = (words: string) => outgoingPost({ text: `${words} **bold** and [a page](https://example.com/a)` })
  const lose = async (...switches: string[]) => {
    const { state } = visit.platform('mastodon')
    for (const name of ['markdown', ...switches]) state.switches.add(name)
    try {
      return await standsOnce(visit, channel, marked, { drop: 'after' }, { busy: 3 })
    } finally {
      state.switches.clear()
    }
  }

  it('is sent once, whichever response is lost: the source is compared, not the displayed text', async () => {
    expect(await lose()).toMatchObject({ whole: 1, wrong: null, leftToAPerson: 0 })
    expect(visit.platform('mastodon').violations).toEqual([])
  })

  it("asks a person if the server doesn't return the source", async () => {
    const { whole, wrong, leftToAPerson } = await lose('no source')
    expect({ whole, wrong }).toEqual({ whole: 1, wrong: null })
    expect(leftToAPerson).toBeGreaterThan(0)
  })
})

it('counts the calls of the largest search beforehand', () => {
  const [calls] = channel.platform.budgets
  expect(calls?.cost).toMatchObject({ reconcile: 40, reconcileFollowUp: 40 })
})

it("is connected with its server's own app, which is stored once someone signed in", async () => {
  kept.clear()
  const first = await connect()
  expect([...kept.keys()]).toEqual([`https://${domain}`])
  const [app] = kept.values()
  const again = await connect()
  expect(again.secret).toMatchObject({ clientId: app?.clientId, origin: `https://${domain}` })
  expect(first.account).toMatchObject({
    remoteId: expect.stringMatching(/^\d+@mastodon\.simulated$/),
    handle: expect.stringMatching(/^@\w+@/),
    service: `https://${domain}`,
  })
  expect(first.signedIn[0]?.missing ?? []).toEqual([])
  expect(await again.platform.connect.check?.(again.reach, again.secret, again.account)).toMatchObject({
    kind: 'works',
    endsAt: null,
    limits: { text: 500, addressLength: 23, images: 4 },
  })
  expect(kept.size).toBe(1)
})

it('registers again at a server that has forgotten the app, and older channels keep working', async () => {
  const before = await connect()
  const old = kept.get(`https://${domain}`)
  visit.platform('mastodon').state.forgottenApps.add(old?.clientId ?? '')
  const after = await connect()
  expect(kept.get(`https://${domain}`)?.clientId).not.toBe(old?.clientId)
  expect(after.account).toEqual(before.account)
  expect((await before.platform.connect.check?.(before.reach, before.secret, before.account))?.kind).toBe('works')
})

it('registers one app for sign-ins that begin at the same time, and for unfinished ones', async () => {
  const { calls } = visit.platform('mastodon')
  const page = createMastodon({ apps }).connect.withPage
  const begin = async () =>
    await page?.begin(channel.reach, {
      redirectUri: 'https://rookery.test/callback',
      state: 'a-state',
      domain: 'crowded.simulated',
    })
  const start = calls.length
  const begun = await Promise.all(Array.from({ length: 6 }, begin))
  for (let again = 0; again < 6; again++) begun.push(await begin())
  expect(begun.map((one) => one?.kind)).toEqual(Array.from({ length: 12 }, () => 'begun'))
  expect(calls.slice(start).filter((call) => call.endsWith('/api/v1/apps'))).toHaveLength(1)
})

it('explains that a server accepts no more registrations for now', async () => {
  // without a place to keep them each sign-in registers an app
  const page = createMastodon().connect.withPage
  const begin = () =>
    page?.begin(channel.reach, {
      redirectUri: 'https://rookery.test/callback',
      state: 'a-state',
      domain: 'strict.simulated',
    })
  for (let nth = 0; nth < 5; nth++) expect(await begin()).toMatchObject({ kind: 'begun' })
  expect(await begin()).toMatchObject({
    kind: 'retry',
    reason: { code: 'server-limits-sign-ups', params: { host: 'strict.simulated', minutes: 10 } },
  })
})

it('shares its token with every channel of the account, so nothing here ends it', async () => {
  const first = await connect()
  const again = await connect()
  expect(again.secret).toEqual(first.secret)
  // what a deletion, a sweep or a refused reconnection of the second one would do
  await again.platform.connect.revoke?.(again.reach, again.secret, again.account)
  expect((await first.platform.connect.check?.(first.reach, first.secret, first.account))?.kind).toBe('works')
})

it('connects a second account on a server where the browser is signed in', async () => {
  const [, other] = visit.platform('mastodon').state.accounts
  await connect()
  const second = await signIn(visit, createMastodon({ apps }), {
    domain,
    app: null,
    consent: { account: other?.id ?? '' },
  })
  expect(second.account.remoteId).toBe(`${other?.id}@${domain}`)
})

it('passes the test for real servers (live.test.ts)', async () => {
  const before = standing(visit, channel).length
  await playRound(channel, new Date(visit.clock.now))
  expect(standing(visit, channel).length).toBe(before)
  expect(visit.platform('mastodon').violations).toEqual([])
})

it('accepts what its server is configured to accept, which it says when connecting', async () => {
  const { switches } = visit.platform('mastodon').state
  switches.add('roomy')
  try {
    const roomy = await connect()
    expect(roomy.signedIn[0]?.limits).toMatchObject({ text: 2000, images: 8 })
    const { remoteId } = await publishLike(
      roomy,
      visit.clock,
      outgoingPost({ text: 'a'.repeat(2000), media: Array.from({ length: 8 }, () => photo()) }),
    )
    switches.delete('roomy')
    expect(await roomy.platform.connect.check?.(roomy.reach, roomy.secret, roomy.account)).toMatchObject({
      kind: 'works',
      limits: { text: 500, images: 4 },
    })
    await roomy.platform.publish.remove?.(roomy.reach, roomy.secret, roomy.account, remoteId)
  } finally {
    switches.delete('roomy')
  }
})

it('is edited, shows metrics and its own posts, and is deleted with its thread', async () => {
  const { platform, reach, secret, account } = channel
  const before = standing(visit, channel).length
  const thread = outgoingPost({
    contents: ['One', 'Two'].map((text, index) => ({ text, media: index === 0 ? [photo('Old words')] : [] })),
    firstComment: 'And this',
  })
  const { remoteId, post } = await publishLike(channel, visit.clock, thread)
  const [first] = post.contents
  const changed = {
    ...post,
    contents: [
      { text: 'One, better', media: (first?.media ?? []).map((file) => ({ ...file, altText: 'New words' })) },
      ...post.contents.slice(1),
    ],
  }
  expect(await platform.publish.edit?.(reach, secret, account, changed, remoteId)).toEqual({ kind: 'edited', remoteId })
  visit.clock.now += 3_600_000
  expect((await listOwn(channel)).posts[0]).toMatchObject({ remoteId, text: 'One, better' })
  const figures = await platform.metrics?.read(reach, secret, account, [
    { remoteId, postType: 'post', publishedAt: new Date(visit.clock.now) },
  ])
  expect(figures?.kind === 'metrics' && figures.of.get(remoteId)).toMatchObject({
    reactions: expect.any(Number),
  })
  expect(standing(visit, channel).length - before).toBe(4 - 1)
  expect(await platform.publish.remove?.(reach, secret, account, remoteId)).toEqual({ kind: 'removed' })
  expect(standing(visit, channel).length).toBe(before)
  expect(await platform.publish.remove?.(reach, secret, account, remoteId)).toEqual({ kind: 'removed' })
  expect(visit.platform('mastodon').violations).toEqual([])
})

it('lists nothing that only followers or those mentioned see', async () => {
  const { state } = visit.platform('mastodon')
  state.posts.clear()
  const shown = ['public', 'unlisted', 'private', 'direct'].map((visibility) => {
    visit.clock.now += 60_000
    const [id = ''] = addNatives(visit, channel)
    state.post(id).more.visibility = visibility
    return id
  })
  expect((await listOwn(channel)).posts.map(({ remoteId }) => remoteId)).toEqual(shown.slice(0, 2).toReversed())
})
