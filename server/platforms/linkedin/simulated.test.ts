import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { addNatives, deleteThere, listOwn, listPage } from '../../testing/adapter/listOwn.ts'
import { publishLike } from '../../testing/adapter/publishLike.ts'
import { standsOnce } from '../../testing/adapter/standsOnce.ts'
import { outgoingPost, syntheticFile } from '../../testing/outgoing.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import type { Outgoing } from '../platform.ts'
import { createLinkedIn } from './adapter.ts'

/*
 * LinkedIn against a simulator written independently from its documentation: what server/platforms/conformance.test.ts does not
 * play, above all Pages, to which one posts as to a profile.
 */

let visit: Visitor
const channels: Partial<Record<string, Channel>> = {}
beforeAll(async () => {
  visit = await visitPlatforms()
  for (const kind of ['Profile', 'Organization'])
    channels[kind] = await signIn(visit, createLinkedIn(), {
      variant: 'pages',
      pick: (account) => account.kind === kind,
    })
})
afterAll(() => visit.stop())
beforeEach(() => visit.platform('linkedin').faults.clear())

function channel(kind: string): Channel {
  const found = channels[kind]
  if (!found) throw new Error(`no ${kind}`)
  return found
}
const photo = (altText = 'A rook') => syntheticFile('image/jpeg', { altText })

function withCard(text: string): Outgoing {
  const picture = photo()
  return outgoingPost({
    text,
    details: {
      linkCard: {
        uri: 'https://example.com/a',
        title: 'A page',
        description: 'About rooks',
        imageAssetId: picture.assetId,
      },
    },
    extraMedia: new Map([[picture.assetId, picture]]),
  })
}

const kinds: [name: string, make: (words: string) => Outgoing][] = [
  [
    'text with all that has a meaning',
    (text) =>
      outgoingPost({
        text: `${text} (a_b) #rooks *c* ~d~ <e> {f} [g] h|i \\ me@example.com @[Acme Inc.](urn:li:organization:2414183)`,
      }),
  ],
  [
    'a video with a picture of its own',
    (text) => outgoingPost({ text, media: [syntheticFile('video/mp4', { bytes: 5_000_000, thumbnail: photo() })] }),
  ],
  ['a card', withCard],
]

/** Conformance plays these for a profile; files go up in the same way for both. */
const ofPages: typeof kinds = [
  ['the most pictures', (text) => outgoingPost({ text, media: Array.from({ length: 20 }, () => photo()) })],
  ['a picture', (text) => outgoingPost({ text, media: [photo()] })],
  [
    'a document',
    (text) => outgoingPost({ text, media: [syntheticFile('application/pdf', { name: 'Rooks of today.pdf' })] }),
  ],
]

// nobody may read the posts of a profile: a lost answer is for a person
describe.each([
  ['Profile', kinds],
  ['Organization', [...kinds, ...ofPages]],
] as const)('publishes %s once, whichever response is lost', (kind, played) => {
  it.each(played)('%s', async (_name, make) => {
    const once = await standsOnce(visit, channel(kind), make)
    expect(once).toMatchObject({ whole: 1, wrong: null, leftToAPerson: kind === 'Profile' ? 1 : 0 })
    expect(once.calls).toBeGreaterThan(0)
    expect(visit.platform('linkedin').violations).toEqual([])
  })
})

it.each([
  ['a text', (text: string) => outgoingPost({ text })],
  ['a picture', (text: string) => outgoingPost({ text, media: [photo()] })],
  ['a first comment', (text: string) => outgoingPost({ text, firstComment: `${text} comment` })],
])('publishes %s of a busy Page once, whichever response is lost', async (_what, make) => {
  const once = await standsOnce(visit, channel('Organization'), make, { drop: 'after' }, { busy: 260 })
  expect(once).toMatchObject({ wrong: null, leftToAPerson: 0 })
})

it("sends a Page's first comment once", async () => {
  const once = await standsOnce(visit, channel('Organization'), (text) =>
    outgoingPost({ text, firstComment: `${text} comment` }),
  )
  expect(once).toMatchObject({ whole: 2, wrong: null, leftToAPerson: 0 })
  expect(visit.platform('linkedin').violations).toEqual([])
})

it("offers the person's profile and Pages", () => {
  const { signedIn, account } = channel('Organization')
  expect(signedIn.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Profile', 'Organization']))
  expect(account.remoteId).toMatch(/^urn:li:organization:\d+$/)
  expect(signedIn.flatMap(({ missing }) => missing ?? [])).toEqual([])
})

it.each(['Profile', 'Organization'])('%s: works, and is edited, measured and deleted', async (kind) => {
  const { platform, reach, secret, account } = channel(kind)
  expect((await platform.connect.check?.(reach, secret, account))?.kind).toBe('works')
  const { remoteId, permalink, post } = await publishLike(
    channel(kind),
    visit.clock,
    outgoingPost({ text: `Changed ${kind}` }),
  )
  expect(permalink).toBe(`https://www.linkedin.com/feed/update/${remoteId}/`)
  expect(
    await platform.publish.edit?.(
      reach,
      secret,
      account,
      { ...post, contents: [{ text: `Better (${kind})`, media: [] }] },
      remoteId,
    ),
  ).toEqual({ kind: 'edited', remoteId })
  visit.clock.now += 3_600_000
  const figures = await platform.metrics?.read(reach, secret, account, [
    { remoteId, postType: 'post', publishedAt: new Date(visit.clock.now) },
  ])
  expect(figures?.kind === 'metrics' && figures.of.get(remoteId)).toMatchObject({
    impressions: expect.any(Number),
    reactions: expect.any(Number),
  })
  const listed = await listPage(channel(kind), null)
  expect(listed).toMatchObject(
    kind === 'Organization'
      ? {
          kind: 'posts',
          posts: expect.arrayContaining([expect.objectContaining({ remoteId, text: `Better (${kind})` })]),
        }
      : { kind: 'rejected', reason: { code: 'linkedin-profile-posts-closed' } },
  )
  for (let twice = 0; twice < 2; twice++)
    expect(await platform.publish.remove?.(reach, secret, account, remoteId)).toEqual({ kind: 'removed' })
  expect(visit.platform('linkedin').violations).toEqual([])
})

it('renews if there is a refresh token', async () => {
  const { platform, reach, secret, account } = channel('Profile')
  const renewed = await platform.connect.refresh(reach, secret, account)
  if (secret.refreshToken === null) expect(renewed).toMatchObject({ kind: 'reconnect' })
  else expect(renewed).toMatchObject({ kind: 'refreshed', expiresAt: expect.any(Date) })
})

it('finds Pages for mentions by the name in their URL, if the app may look them up', async () => {
  const find = async (kind: string, query: string) => {
    const { platform, reach, secret, account } = channel(kind)
    return await platform.lookups?.people?.(reach, secret, account, { query, limit: 5 })
  }
  const found = await find('Organization', '@TheCornerBakery')
  expect(found).toMatchObject({
    kind: 'found',
    items: [{ name: 'The Corner Bakery', detail: 'linkedin.com/company/thecornerbakery' }],
  })
  expect(found?.kind === 'found' && found.items[0]?.insert).toMatch(
    /^@\[The Corner Bakery\]\(urn:li:organization:\d+\)$/,
  )
  expect(await find('Organization', 'nobody at all')).toEqual({ kind: 'found', items: [] })
  const profileOnly = await signIn(visit, createLinkedIn(), { variant: 'profile' })
  expect(
    await profileOnly.platform.lookups?.people?.(profileOnly.reach, profileOnly.secret, profileOnly.account, {
      query: 'thecornerbakery',
      limit: 5,
    }),
  ).toMatchObject({ kind: 'closed', reason: { code: 'linkedin-no-people-search' } })
  expect(visit.mistakes('linkedin')).toEqual([])
})

it("stores a document's title and a picture's alt text in the simulator", async () => {
  const paper = syntheticFile('application/pdf', { name: 'Rooks of today.pdf' })
  const own = channel('Organization')
  const document = await publishLike(own, visit.clock, outgoingPost({ text: 'To read', media: [paper] }))
  const picture = await publishLike(own, visit.clock, outgoingPost({ text: 'To see', media: [photo('Two rooks')] }))
  const kept = (id: string) => visit.platform('linkedin').state.live((post) => post.id === id)[0]?.more.body
  expect(kept(document.remoteId)).toMatchObject({ content: { media: { title: 'Rooks of today' } } })
  expect(kept(picture.remoteId)).toMatchObject({ content: { media: { altText: 'Two rooks' } } })
})

it('lists every older post of a Page, however many were deleted meanwhile', async () => {
  const page = channel('Organization')
  visit.platform('linkedin').state.posts.clear()
  const ids = addNatives(visit, page, { count: 190, days: 90 })
  const { posts } = await listOwn(page, (seen, number) => {
    if (number < 3) for (const { remoteId } of seen.slice(-20 * number)) deleteThere(visit, page, remoteId)
  })
  expect(posts.map(({ remoteId }) => remoteId)).toEqual(ids.toReversed())
  expect(visit.platform('linkedin').violations).toEqual([])
})

it("doesn't list what a Page only passed on, drafts, and ads without a post", async () => {
  const { state } = visit.platform('linkedin')
  state.posts.clear()
  const make = (more: Record<string, unknown>, text = 'Words') => {
    const [id = ''] = addNatives(visit, channel('Organization'), { text })
    Object.assign(state.post(id).more, { extra: more })
    return id
  }
  const own = make({})
  const commented = make({ reshareContext: { parent: 'urn:li:share:1' } })
  make({ lifecycleState: 'DRAFT' })
  make({ distribution: { feedDistribution: 'NONE' } })
  const passedOn = make({ reshareContext: { parent: 'urn:li:share:1' } })
  state.post(passedOn).text = ''
  const { posts } = await listOwn(channel('Organization'))
  expect(posts.map(({ remoteId }) => remoteId)).toEqual([commented, own])
})
