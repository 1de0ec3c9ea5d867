import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Outgoing, FollowUpToSend, Reach } from '../platform.ts'
import { createInstagram } from './adapter.ts'
import type { InstagramSecret } from './schemas.ts'

const { publish, metrics, ownPosts, lookups } = createInstagram()
const own: InstagramSecret = {
  login: 'instagram',
  accessToken: 'token',
  userId: '77',
  issuedAt: null,
  clientId: 'app',
  scopes: [],
}
const linked: InstagramSecret = { ...own, login: 'facebook' }
const account = { remoteId: '77', handle: '@rook', service: null }
const I = 'graph.instagram.com/v25.0'
const at = '2026-11-21T10:00:05+0000'

const run = (steps: Step[], { lost, secret = own }: { lost?: number; secret?: InstagramSecret } = {}) => {
  const fetch = scriptedFetch('instagram', steps, lost === undefined ? {} : { lost })
  const reach: Reach = { fetch, signal: new AbortController().signal }
  return {
    fetch,
    reach,
    prepare: (post: Outgoing) => publish.prepare(reach, secret, account, post),
    send: (post: Outgoing) => publish.send(reach, secret, account, post),
    reconcile: (post: Outgoing) => publish.reconcile(reach, secret, account, post),
    readBack: (id: string) => publish.readBack(reach, secret, account, outgoingPost({}), id),
    remove: async (id: string) => await publish.remove?.(reach, secret, account, id),
    part: async (post: Outgoing) => await publish.sendFollowUp?.(reach, secret, account, post, comment),
    reconcileFollowUp: async (post: Outgoing) =>
      await publish.reconcileFollowUp?.(reach, secret, account, post, comment),
    people: async (query: string) => await lookups?.people?.(reach, secret, account, { query, limit: 5 }),
  }
}
const comment: FollowUpToSend = {
  key: 'comment',
  kind: 'comment',
  sendKey: 'key',
  progress: {},
  sent: [{ key: 'post', remoteId: '555', progress: {} }],
}
/** What was sent in forms, as text: a check against a description may have read numbers and flags out of it. */
const forms = (fetch: ReturnType<typeof scriptedFetch>) =>
  fetch.asked
    .filter(({ method }) => method === 'POST')
    .map(({ body }) =>
      Object.fromEntries(Object.entries(body.value ?? {}).map(([name, value]) => [name, String(value)])),
    )
const graphError = (code: number, more: Record<string, unknown> = {}, status = 400): Step => ({
  status,
  json: { error: { message: 'Words of the platform', type: 'OAuthException', code, ...more } },
})
const create = (id: string): Step => ({ on: `POST ${I}/77/media`, json: { id } })
const look = (id: string, status_code: string, status = ''): Step => ({
  on: `GET ${I}/${id}`,
  json: { id, status_code, status },
})
const limit = (quota_usage: number, quota_total = 50): Step => ({
  on: `GET ${I}/77/content_publishing_limit`,
  json: { data: [{ quota_usage, config: { quota_total, quota_duration: 86_400 } }] },
})
const publishes: Step = { on: `POST ${I}/77/media_publish`, json: { id: '555' } }
const listed = (edge: string, ...data: unknown[]): Step => ({ on: `GET ${I}/77/${edge}`, json: { data } })

const photo = (more = {}) => syntheticFile('image/jpeg', { name: 'a.jpg', altText: 'A rook', ...more })
const clip = (more = {}) => syntheticFile('video/mp4', { name: 'v.mp4', ...more })
const A = 'https://media.rookery.test/a.jpg'
const V = 'https://media.rookery.test/v.mp4'
const ready = (more: Partial<Outgoing> = {}) =>
  outgoingPost({ text: 'Good morning', media: [photo()], progress: { container: '900' }, ...more })

describe('the content of a post', () => {
  const people = {
    peopleTags: [
      { userId: 'crow', name: 'Crow' },
      { userId: '@jay', name: 'Jay' },
    ],
  }
  it.each([
    [
      'a picture with its words, people and place',
      outgoingPost({ text: 'Look', media: [photo()], details: { ...people, placeId: '123' } }),
      {
        image_url: A,
        alt_text: 'A rook',
        caption: 'Look',
        location_id: '123',
        user_tags: JSON.stringify([
          { username: 'crow', x: 0.33, y: 0.8 },
          { username: 'jay', x: 0.67, y: 0.8 },
        ]),
      },
    ],
    [
      'a lone video, which is a reel',
      outgoingPost({ text: 'Watch', media: [clip()] }),
      { media_type: 'REELS', video_url: V, share_to_feed: 'true', caption: 'Watch' },
    ],
    [
      'a reel with a cover and people',
      outgoingPost({ postType: 'reel', media: [clip({ thumbnail: photo() })], details: people }),
      {
        media_type: 'REELS',
        video_url: V,
        cover_url: A,
        share_to_feed: 'true',
        user_tags: JSON.stringify([{ username: 'crow' }, { username: 'jay' }]),
      },
    ],
    [
      'a reel with a moment as its cover',
      outgoingPost({ postType: 'reel', media: [clip({ thumbnailSeconds: 2.5 })] }),
      { media_type: 'REELS', video_url: V, thumb_offset: '2500', share_to_feed: 'true' },
    ],
    [
      'a story of a picture',
      outgoingPost({ postType: 'story', text: 'unseen', media: [photo()] }),
      { media_type: 'STORIES', image_url: A },
    ],
    [
      'a story of a video',
      outgoingPost({ postType: 'story', media: [clip()] }),
      { media_type: 'STORIES', video_url: V },
    ],
  ])('%s', async (_, post, expected) => {
    const { fetch, prepare } = run([create('900'), look('900', 'FINISHED')])
    expect(await prepare(post)).toMatchObject({ kind: 'prepared', progress: { container: '900' } })
    expect(forms(fetch)).toEqual([expected])
  })

  it('has up to ten files in a carousel, with people tagged in the first picture', async () => {
    const media = [clip(), ...Array.from({ length: 9 }, () => photo())]
    const children = media.map((_, index) => String(100 + index))
    const { fetch, prepare } = run([
      ...children.map(create),
      ...children.map((id) => look(id, 'FINISHED')),
      create('900'),
      look('900', 'FINISHED'),
    ])
    expect(await prepare(outgoingPost({ text: 'All', media, details: { ...people, placeId: '123' } }))).toMatchObject({
      kind: 'prepared',
    })
    expect(forms(fetch).slice(0, 3)).toEqual([
      { media_type: 'VIDEO', is_carousel_item: 'true', video_url: V },
      { is_carousel_item: 'true', image_url: A, alt_text: 'A rook', user_tags: expect.stringContaining('crow') },
      { is_carousel_item: 'true', image_url: A, alt_text: 'A rook' },
    ])
    expect(forms(fetch).at(-1)).toEqual({
      media_type: 'CAROUSEL',
      children: children.join(','),
      caption: 'All',
      location_id: '123',
    })
  })

  it('is sent by the same calls to the other host for accounts connected through Facebook', async () => {
    const { fetch, prepare } = run([{ json: { id: '900' } }, { json: { id: '900', status_code: 'FINISHED' } }], {
      secret: linked,
    })
    await prepare(outgoingPost({ media: [photo()] }))
    expect(fetch.calls()).toEqual(['POST graph.facebook.com/v25.0/77/media', 'GET graph.facebook.com/v25.0/900'])
  })

  it("is refused without files, and if Instagram can't fetch them", async () => {
    expect(await run([]).prepare(outgoingPost({ text: 'x' }))).toMatchObject({ kind: 'rejected' })
    expect(await run([]).prepare(outgoingPost({ media: [photo({ url: () => null })] }))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'instagram-no-public-address' },
    })
  })
})

describe('a container in progress', () => {
  it('is checked once a minute for an hour, and never created again meanwhile', async () => {
    expect(
      await run([create('900'), look('900', 'IN_PROGRESS')]).prepare(outgoingPost({ media: [clip()] })),
    ).toMatchObject({ kind: 'preparing', checkAfterSeconds: 60, progress: { container: '900', looks: 1 } })
    for (const looks of [4, 57])
      expect(
        await run([look('900', 'IN_PROGRESS')]).prepare(ready({ progress: { container: '900', looks } })),
      ).toMatchObject({
        kind: 'preparing',
        progress: { container: '900', looks: looks + 1 },
      })
    expect(
      await run([look('900', 'IN_PROGRESS')]).prepare(ready({ progress: { container: '900', looks: 59 } })),
    ).toMatchObject({ kind: 'rejected', reason: { platformCode: 'IN_PROGRESS' } })
  })

  it("waits for a carousel's files before creating the carousel", async () => {
    const post = outgoingPost({ media: [photo(), clip()] })
    const first = await run([create('1'), create('2'), look('1', 'FINISHED'), look('2', 'IN_PROGRESS')]).prepare(post)
    expect(first).toMatchObject({ kind: 'preparing', progress: { children: ['1', '2'], container: null } })
    if (first.kind !== 'preparing') return
    const second = run([look('1', 'FINISHED'), look('2', 'FINISHED'), create('900'), look('900', 'FINISHED')])
    expect(await second.prepare({ ...post, progress: first.progress })).toMatchObject({
      kind: 'prepared',
      progress: { container: '900' },
    })
  })

  it.each([2207004, 2207005, 2207009, 2207010, 2207023, 2207026, 2207028, 2207040, 2207050, 2207051, 2207052, 2207057])(
    'is refused for %i',
    async (code) => {
      expect(
        await run([look('900', 'ERROR', `Error: Media upload has failed with error code ${code}`)]).prepare(ready()),
      ).toMatchObject({ kind: 'rejected', reason: { platformCode: String(code) } })
    },
  )

  it.each([2207001, 2207003, 2207032, 2207053])('is created again for %i', async (code) => {
    expect(await run([look('900', 'ERROR', `Error: ${code}`)]).prepare(ready())).toMatchObject({
      kind: 'preparing',
      progress: { container: null, failed: 1 },
    })
  })

  it("is created again if it's gone, which doesn't count as a failure", async () => {
    for (const step of [
      look('900', 'EXPIRED'),
      graphError(100, { error_subcode: 33 }),
      graphError(9, { error_subcode: 2207006 }),
      graphError(9, { error_subcode: 2207008 }),
    ])
      expect(await run([step]).prepare(ready())).toMatchObject({
        kind: 'preparing',
        progress: { container: null, failed: 0 },
      })
  })
})

describe('sending', () => {
  it('reads how many posts the account may still publish, then publishes once', async () => {
    const { fetch, send } = run([limit(49), publishes])
    expect(await send(ready())).toEqual({ kind: 'sent', remoteId: '555', progress: { container: '900' } })
    expect(forms(fetch)).toEqual([{ creation_id: '900' }])
    expect(await run([{ json: { id: '555', permalink: 'https://www.instagram.com/p/abc/' } }]).readBack('555')).toEqual(
      { kind: 'live', permalink: 'https://www.instagram.com/p/abc/' },
    )
    expect(await run([graphError(100, { error_subcode: 33 })]).readBack('555')).toEqual({ kind: 'missing' })
  })

  it('waits if the daily limit is reached', async () => {
    expect(await run([limit(50)]).send(ready())).toMatchObject({ kind: 'retry', closesBudget: 'posts-day' })
    expect(await run([limit(50, 100), publishes]).send(ready())).toMatchObject({ kind: 'sent' })
    expect(await run([graphError(10), publishes]).send(ready())).toMatchObject({ kind: 'sent' })
  })

  it.each([
    ['190', graphError(190, { error_subcode: 463 }), { kind: 'reconnect' }],
    ['4', graphError(4), { kind: 'retry', closesBudget: 'app-hour' }],
    ['9/2207042', graphError(9, { error_subcode: 2207042 }), { kind: 'retry', closesBudget: 'posts-day' }],
    [
      '9007/2207027',
      graphError(9007, { error_subcode: 2207027 }),
      { kind: 'retry', first: 'prepare', afterSeconds: 30 },
    ],
    ['2207006', graphError(9, { error_subcode: 2207006 }), { kind: 'retry', first: 'prepare' }],
    ['2207008', graphError(9, { error_subcode: 2207008 }), { kind: 'retry', first: 'prepare' }],
    ['2207003', graphError(-2, { error_subcode: 2207003 }), { kind: 'retry', first: 'prepare' }],
    ['2207032', graphError(-1, { error_subcode: 2207032 }), { kind: 'retry', first: 'prepare' }],
    ['2207053', graphError(-1, { error_subcode: 2207053 }), { kind: 'retry', first: 'prepare' }],
    ['2207001', graphError(-1, { error_subcode: 2207001 }), { kind: 'unknown' }],
    ['2207051 may have been published', graphError(4, { error_subcode: 2207051 }), { kind: 'unknown' }],
    ['36000/2207004', graphError(36000, { error_subcode: 2207004 }), { kind: 'rejected' }],
    ['36000', graphError(36000), { kind: 'rejected' }],
    ['2207026', graphError(352, { error_subcode: 2207026 }), { kind: 'rejected' }],
    ['2207050', graphError(25, { error_subcode: 2207050 }), { kind: 'rejected' }],
    ['2207028', graphError(36000, { error_subcode: 2207028 }), { kind: 'rejected' }],
    ['10', graphError(10), { kind: 'rejected' }],
    ['100', graphError(100), { kind: 'rejected' }],
    ['368', graphError(368), { kind: 'rejected' }],
    ['2', graphError(2), { kind: 'unknown' }],
    ['a lost answer', { fails: 'lost' }, { kind: 'unknown' }],
    ['nothing sent', { fails: 'unsent' }, { kind: 'retry' }],
  ] as const)('%s', async (_, step, expected) => {
    expect(await run([limit(0), step]).send(ready())).toMatchObject(expected)
  })
})

describe('a lost response', () => {
  it('before publishing is temporary', async () => {
    for (const lost of [0, 1])
      expect(
        await run([create('900'), look('900', 'FINISHED')], { lost }).prepare(outgoingPost({ media: [photo()] })),
      ).toMatchObject({ kind: 'retry' })
    expect(await run([limit(0), publishes], { lost: 0 }).send(ready())).toMatchObject({ kind: 'retry' })
    expect(await run([limit(0), publishes], { lost: 1 }).send(ready())).toMatchObject({ kind: 'unknown' })
  })

  it('is reconciled by the container, and the ID is found in the account', async () => {
    const other = { id: '1', caption: 'Good morning', timestamp: '2026-11-14T10:00:00+0000' }
    expect(
      await run([
        look('900', 'PUBLISHED'),
        listed('media', { id: '555', caption: 'Good morning', timestamp: at }, other),
      ]).reconcile(ready()),
    ).toMatchObject({ kind: 'sent', remoteId: '555' })
    expect(await run([look('900', 'PUBLISHED'), listed('media', other)]).reconcile(ready())).toMatchObject({
      kind: 'unknown',
    })
    expect(await run([look('900', 'FINISHED')]).reconcile(ready())).toEqual({ kind: 'absent' })
    expect(
      await run([
        look('900', 'ERROR', '2207051'),
        listed('media', { id: '555', caption: 'Good morning', timestamp: at }),
      ]).reconcile(ready()),
    ).toMatchObject({ kind: 'sent', remoteId: '555' })
    expect(await run([look('900', 'ERROR', '2207051'), listed('media')]).reconcile(ready())).toEqual({ kind: 'absent' })
  })

  it('to a story is reconciled by the stories', async () => {
    expect(
      await run([
        look('900', 'PUBLISHED'),
        listed('stories', { id: '8', timestamp: '2026-11-21T09:00:00+0000' }, { id: '9', timestamp: at }),
      ]).reconcile(ready({ postType: 'story' })),
    ).toMatchObject({ kind: 'sent', remoteId: '9' })
  })

  it("isn't resolved by a failed lookup", async () => {
    for (const lost of [0, 1])
      expect((await run([look('900', 'PUBLISHED'), listed('media')], { lost }).reconcile(ready())).kind).toBe('retry')
  })

  it("doesn't lead to a second send if preparing again finds the post", async () => {
    const again = await run([look('900', 'PUBLISHED')]).prepare(ready())
    if (again.kind !== 'prepared') throw new Error(again.kind)
    const { fetch, send } = run([
      look('900', 'PUBLISHED'),
      listed('media', { id: '555', caption: 'Good morning', timestamp: at }),
    ])
    expect(await send(ready({ progress: again.progress }))).toMatchObject({ kind: 'sent', remoteId: '555' })
    expect(forms(fetch)).toEqual([])
  })
})

describe('after publishing', () => {
  const post = ready({ firstComment: 'First' })

  it("adds a first comment, except to stories, and reconciles it by the account's text", async () => {
    expect(publish.followUps?.(post)).toEqual([{ key: 'comment', kind: 'comment' }])
    expect(publish.followUps?.({ ...post, postType: 'story' })).toEqual([])
    const { fetch, part } = run([{ on: `POST ${I}/555/comments`, json: { id: '12' } }])
    expect(await part(post)).toMatchObject({ kind: 'sent', remoteId: '12' })
    expect(forms(fetch)).toEqual([{ message: 'First' }])
    expect(await run([{ json: { id: '12' } }], { lost: 0 }).part(post)).toMatchObject({ kind: 'unknown' })
    const comments = (username: string): Step => ({
      on: `GET ${I}/555/comments`,
      json: { data: [{ id: '12', text: 'First', username, timestamp: at }] },
    })
    expect(await run([comments('rook')]).reconcileFollowUp(post)).toMatchObject({ kind: 'sent', remoteId: '12' })
    expect(await run([comments('jay')]).reconcileFollowUp(post)).toEqual({ kind: 'absent' })
  })

  it('deletes posts only for accounts connected through Facebook', async () => {
    expect(await run([]).remove('555')).toMatchObject({ kind: 'rejected', reason: { platformCode: 'no-delete' } })
    expect(
      await run([{ on: 'DELETE graph.facebook.com/v25.0/555', json: { success: true } }], { secret: linked }).remove(
        '555',
      ),
    ).toEqual({ kind: 'removed' })
    expect(await run([graphError(100, { error_subcode: 33 })], { secret: linked }).remove('555')).toEqual({
      kind: 'removed',
    })
  })

  it('finds people by their exact name, or uses it as typed', async () => {
    const found = run(
      [
        {
          on: 'GET graph.facebook.com/v25.0/77',
          json: {
            id: '77',
            business_discovery: { username: 'crow', name: 'The Crow', profile_picture_url: 'https://cdn.test/c.jpg' },
          },
        },
      ],
      { secret: linked },
    )
    expect(await found.people('@Crow')).toEqual({
      kind: 'found',
      items: [{ id: 'crow', name: 'The Crow', detail: '@crow', pictureUrl: 'https://cdn.test/c.jpg', insert: '@crow' }],
    })
    expect(found.fetch.asked[0]?.url.searchParams.get('fields')).toContain('business_discovery.username(crow)')
    expect(await run([graphError(110)], { secret: linked }).people('nobody')).toEqual({ kind: 'found', items: [] })
    expect(await run([], { secret: linked }).people('a){x}')).toEqual({ kind: 'found', items: [] })
    expect(await run([]).people('crow')).toMatchObject({ kind: 'found', items: [{ id: 'crow', insert: '@crow' }] })
  })

  it('reads metrics with names that fit the kind of post', async () => {
    const value = (name: string, count: number) => ({ name, values: [{ value: count }] })
    const { fetch, reach } = run([
      {
        json: {
          data: [
            value('views', 90),
            value('reach', 70),
            value('likes', 8),
            value('comments', 3),
            value('shares', 2),
            value('saved', 1),
            value('reposts', 1),
            value('ig_reels_video_view_total_time', 411_800),
            value('ig_reels_avg_watch_time', 8150),
            value('reels_skip_rate', 31.25),
            { name: 'total_interactions', values: [] },
          ],
        },
      },
      { json: { data: [value('views', 20), value('reach', 10), value('replies', 1), value('shares', 0)] } },
      graphError(100, { error_subcode: 33 }),
    ])
    const of = (remoteId: string, postType: 'reel' | 'story' | 'post') => ({
      remoteId,
      postType,
      publishedAt: PLANNED_AT,
    })
    expect(await metrics?.read(reach, own, account, [of('1', 'reel'), of('2', 'story'), of('3', 'post')])).toEqual({
      kind: 'metrics',
      of: new Map([
        [
          '1',
          {
            views: 90,
            reach: 70,
            reactions: 8,
            comments: 3,
            shares: 3,
            sends: 2,
            reposts: 1,
            saves: 1,
            watchSeconds: 412,
            averageWatchMs: 8150,
            skipRate: 3125,
          },
        ],
        [
          '2',
          {
            views: 20,
            reach: 10,
            comments: 1,
            shares: 0,
            sends: 0,
          },
        ],
      ]),
    })
    expect(fetch.asked.map(({ url }) => url.searchParams.get('metric')).join()).not.toMatch(/impressions|plays/)
  })

  it('reads the names that every post has when one of the others is refused', async () => {
    const { fetch, reach } = run([graphError(100), { json: { data: [{ name: 'views', values: [{ value: 7 }] }] } }])
    const posts = [{ remoteId: '1', postType: 'post' as const, publishedAt: PLANNED_AT }]
    expect(await metrics?.read(reach, own, account, posts)).toEqual({
      kind: 'metrics',
      of: new Map([['1', { views: 7 }]]),
    })
    expect(fetch.asked[1]?.url.searchParams.get('metric')).toBe('views,reach,likes,comments,shares,saved')
  })

  it('knows nothing of a story with fewer than 5 viewers, and is refused for a post without the permission', async () => {
    const of = (postType: 'story' | 'post') => [{ remoteId: '1', postType, publishedAt: PLANNED_AT }]
    expect(await metrics?.read(run([graphError(10)]).reach, own, account, of('story'))).toEqual({
      kind: 'metrics',
      of: new Map([['1', {}]]),
    })
    expect(await metrics?.read(run([graphError(10)]).reach, own, account, of('post'))).toMatchObject({
      kind: 'rejected',
    })
  })

  it('lists posts, without one that has no time', async () => {
    const { reach } = run([
      listed('media', { id: '1', caption: 'One', timestamp: '2026-11-21T10:00:00+0000' }, { id: '2' }),
      listed('stories'),
    ])
    expect(await ownPosts?.list(reach, own, account, { cursor: null })).toMatchObject({
      kind: 'posts',
      posts: [{ text: 'One', publishedAt: PLANNED_AT }],
    })
  })
})
