import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Outgoing, FollowUp, FollowUpToSend, Reach } from '../platform.ts'
import { createThreads } from './adapter.ts'
import type { ThreadsSecret } from './schemas.ts'

const { publish, metrics, ownPosts } = createThreads()
const secret: ThreadsSecret = { accessToken: 'token', userId: '77', issuedAt: null, clientId: 'app', scopes: [] }
const account = { remoteId: '77', handle: '@rook', service: null }
const reachOf = (fetch: Reach['fetch']): Reach => ({ fetch, signal: new AbortController().signal })

const HOST = 'graph.threads.net/v1.0'
const create = (id: string): Step => ({ on: `POST ${HOST}/77/threads`, json: { id } })
const look = (id: string, status: string, error_message?: string): Step => ({
  on: `GET ${HOST}/${id}`,
  json: { id, status, error_message },
})
const publishes = (id: string): Step => ({ on: `POST ${HOST}/77/threads_publish`, json: { id } })
const listed = (edge: string, ...data: { id: string; text: string; timestamp: string }[]): Step => ({
  on: `GET ${HOST}/77/${edge}`,
  json: { data },
})
const graphError = (code: number, more: Record<string, unknown> = {}, status = 400): Step => ({
  status,
  json: { error: { message: 'Words of the platform', type: 'OAuthException', code, ...more } },
})

const run = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('threads', steps, lost === undefined ? {} : { lost })
  const reach = reachOf(fetch)
  return {
    fetch,
    prepare: (post: Outgoing) => publish.prepare(reach, secret, account, post),
    send: (post: Outgoing) => publish.send(reach, secret, account, post),
    reconcile: (post: Outgoing) => publish.reconcile(reach, secret, account, post),
    part: async (post: Outgoing, part: FollowUpToSend) =>
      await publish.sendFollowUp?.(reach, secret, account, post, part),
    reconcileFollowUp: async (post: Outgoing, part: FollowUpToSend) =>
      await publish.reconcileFollowUp?.(reach, secret, account, post, part),
    readBack: (id: string) => publish.readBack(reach, secret, account, outgoingPost({}), id),
    remove: async (id: string) => await publish.remove?.(reach, secret, account, id),
    reach,
  }
}
/** What was sent in forms, as text: a check against a description may have read numbers and flags out of it. */
const forms = (fetch: ReturnType<typeof scriptedFetch>) =>
  fetch.asked
    .filter(({ method }) => method === 'POST')
    .map(({ body }) =>
      Object.fromEntries(Object.entries(body.value ?? {}).map(([name, value]) => [name, String(value)])),
    )
/** A post whose container is ready. */
const ready = (post: Partial<Parameters<typeof outgoingPost>[0]> = {}) =>
  outgoingPost({ text: 'Good morning', progress: { container: '900' }, ...post })

describe('the content of a post', () => {
  const photo = () => syntheticFile('image/jpeg', { name: 'a.jpg', altText: 'A rook' })
  const video = () => syntheticFile('video/mp4', { name: 'v.mp4' })

  it.each([
    [
      'text with a card',
      { text: 'Look', details: { link: 'https://example.com' } },
      [{ media_type: 'TEXT', text: 'Look', link_attachment: 'https://example.com' }],
    ],
    [
      'a picture with its alternative text',
      { text: 'Look', media: [photo()] },
      [{ media_type: 'IMAGE', image_url: 'https://media.rookery.test/a.jpg', alt_text: 'A rook', text: 'Look' }],
    ],
    ['a video', { media: [video()] }, [{ media_type: 'VIDEO', video_url: 'https://media.rookery.test/v.mp4' }]],
    [
      'a link beside a picture, in the text',
      { text: 'Look', media: [photo()], details: { link: 'https://example.com' } },
      [
        {
          media_type: 'IMAGE',
          image_url: 'https://media.rookery.test/a.jpg',
          alt_text: 'A rook',
          text: 'Look\nhttps://example.com',
        },
      ],
    ],
  ])('%s', async (_, post, expected) => {
    const { fetch, prepare } = run([create('900'), look('900', 'FINISHED')])
    expect(await prepare(outgoingPost(post))).toMatchObject({ kind: 'prepared', progress: { container: '900' } })
    expect(forms(fetch)).toEqual(expected)
  })

  it('has up to the maximum of files in a carousel, one container each', async () => {
    const media = Array.from({ length: 20 }, (_, index) => (index % 2 ? video() : photo()))
    const children = media.map((_, index) => String(100 + index))
    const { fetch, prepare } = run([
      ...children.map(create),
      ...children.map((id) => look(id, 'FINISHED')),
      create('900'),
      look('900', 'FINISHED'),
    ])
    expect(await prepare(outgoingPost({ text: 'All', media }))).toMatchObject({
      kind: 'prepared',
      progress: { container: '900' },
    })
    expect(forms(fetch).slice(0, 2)).toMatchObject([
      { is_carousel_item: 'true', media_type: 'IMAGE' },
      { is_carousel_item: 'true', media_type: 'VIDEO' },
    ])
    expect(forms(fetch).at(-1)).toEqual({ media_type: 'CAROUSEL', children: children.join(','), text: 'All' })
  })

  it("is refused if the platform can't fetch files", async () => {
    const { prepare } = run([])
    expect(await prepare(outgoingPost({ media: [syntheticFile('image/png', { url: () => null })] }))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'threads-no-public-address' },
    })
  })
})

describe('a container in progress', () => {
  it('is checked again, and no container is created twice', async () => {
    const post = outgoingPost({ media: [syntheticFile('video/mp4')] })
    const first = await run([create('900'), look('900', 'IN_PROGRESS')]).prepare(post)
    expect(first).toMatchObject({ kind: 'preparing', checkAfterSeconds: 30, progress: { container: '900', looks: 1 } })
    if (first.kind !== 'preparing') return
    expect(await run([look('900', 'FINISHED')]).prepare({ ...post, progress: first.progress })).toMatchObject({
      kind: 'prepared',
    })
  })

  it('is created again if it expired or never finishes; after three attempts the post fails', async () => {
    expect(await run([look('900', 'EXPIRED')]).prepare(ready())).toMatchObject({
      kind: 'preparing',
      progress: { container: null, failed: 0 },
    })
    expect(await run([graphError(100, { error_subcode: 33 })]).prepare(ready())).toMatchObject({
      kind: 'preparing',
      progress: { container: null },
    })
    expect(
      await run([look('900', 'IN_PROGRESS')]).prepare(ready({ progress: { container: '900', looks: 118 } })),
    ).toMatchObject({ kind: 'preparing', progress: { container: '900', looks: 119 } })
    expect(
      await run([look('900', 'IN_PROGRESS')]).prepare(ready({ progress: { container: '900', looks: 119 } })),
    ).toMatchObject({ kind: 'rejected' })
    expect(
      await run([look('900', 'ERROR', 'UNKNOWN')]).prepare(ready({ progress: { container: '900', failed: 2 } })),
    ).toMatchObject({ kind: 'rejected' })
  })

  it.each([
    'FAILED_DOWNLOADING_VIDEO',
    'FAILED_PROCESSING_AUDIO',
    'FAILED_PROCESSING_VIDEO',
    'INVALID_ASPEC_RATIO',
    'INVALID_BIT_RATE',
    'INVALID_DURATION',
    'INVALID_FRAME_RATE',
    'INVALID_AUDIO_CHANNELS',
    'INVALID_AUDIO_CHANNEL_LAYOUT',
  ])('is refused for %s', async (problem) => {
    expect(await run([look('900', 'ERROR', problem)]).prepare(ready())).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: problem },
    })
  })
})

describe('sending', () => {
  it('publishes the container once, and reads the post back', async () => {
    const { fetch, send } = run([publishes('555')])
    expect(await send(ready())).toEqual({ kind: 'sent', remoteId: '555', progress: { container: '900' } })
    expect(forms(fetch)).toEqual([{ creation_id: '900' }])
    expect(
      await run([{ json: { id: '555', permalink: 'https://www.threads.net/@rook/post/abc' } }]).readBack('555'),
    ).toEqual({ kind: 'live', permalink: 'https://www.threads.net/@rook/post/abc' })
    expect(await run([graphError(100, { error_subcode: 33 })]).readBack('555')).toEqual({ kind: 'missing' })
  })

  it('asks to prepare again if there is no container anymore', async () => {
    expect(await run([]).send(outgoingPost({ text: 'x' }))).toMatchObject({ kind: 'retry', first: 'prepare' })
    expect(await run([graphError(24, { error_subcode: 4279009 })]).send(ready())).toMatchObject({
      kind: 'retry',
      first: 'prepare',
    })
  })

  it.each([
    ['dead token', graphError(190, { error_subcode: 463 }), 'reconnect'],
    ['app removed', graphError(190, { error_subcode: 458 }), 'reconnect'],
    ['session gone', graphError(102), 'reconnect'],
    ['throttled', graphError(4), 'retry'],
    ['throttled by page', graphError(32), 'retry'],
    ['throttled by use case', graphError(80_002), 'retry'],
    ['no right', graphError(10), 'rejected'],
    ['no right either', graphError(200), 'rejected'],
    ['bad parameter', graphError(100), 'rejected'],
    ['blocked', graphError(368), 'rejected'],
    ['too many links', graphError(100, { message: 'THREADS_API__LINK_LIMIT_EXCEEDED: too many' }), 'rejected'],
    ['no such feature', graphError(10, { message: 'THREADS_API__FEATURE_NOT_AVAILABLE' }), 'rejected'],
    ['trouble of its own', graphError(2, { is_transient: true }, 500), 'unknown'],
    ['no words at all', { status: 502, text: 'Bad gateway' }, 'unknown'],
    ['a lost answer', { fails: 'lost' }, 'unknown'],
    ['nothing sent', { fails: 'unsent' }, 'retry'],
    ['an answer without sense', { json: { hello: 1 } }, 'unknown'],
  ] as const)('%s', async (_, step, kind) => {
    const answer = await run([step]).send(ready())
    expect(answer.kind).toBe(kind)
    expect(JSON.stringify(answer)).not.toContain('token"')
  })
})

describe('a lost response', () => {
  const at = PLANNED_AT.toISOString().replace('.000Z', '+0000')

  it('to any call of preparing is temporary: nothing was published', async () => {
    for (const lost of [0, 1])
      expect(
        await run([create('900'), look('900', 'FINISHED')], lost).prepare(outgoingPost({ text: 'x' })),
      ).toMatchObject({ kind: 'retry' })
  })

  it('is reconciled by the container: PUBLISHED means sent, and the account says where', async () => {
    expect(await run([publishes('555')], 0).send(ready())).toMatchObject({ kind: 'unknown' })
    const older = { id: '1', text: 'Good morning', timestamp: '2026-11-14T10:00:00+0000' }
    expect(
      await run([
        look('900', 'PUBLISHED'),
        listed(
          'threads',
          { id: '556', text: 'Other', timestamp: at },
          { id: '555', text: ' Good  morning ', timestamp: at },
          older,
        ),
      ]).reconcile(ready()),
    ).toMatchObject({ kind: 'sent', remoteId: '555' })
  })

  it("stays unresolved while the account doesn't show the published post", async () => {
    expect(await run([look('900', 'PUBLISHED'), listed('threads')]).reconcile(ready())).toMatchObject({
      kind: 'unknown',
    })
  })

  it.each(['FINISHED', 'IN_PROGRESS'])('reports a container in %s as not published', async (status) => {
    expect(await run([look('900', status)]).reconcile(ready())).toEqual({ kind: 'absent' })
  })

  it('is reconciled by the account if the container is gone', async () => {
    expect(await run([look('900', 'EXPIRED'), listed('threads')]).reconcile(ready())).toEqual({ kind: 'absent' })
    expect(
      await run([
        look('900', 'EXPIRED'),
        listed('threads', { id: '555', text: 'Good morning', timestamp: at }),
      ]).reconcile(ready()),
    ).toMatchObject({ kind: 'sent', remoteId: '555' })
  })

  it("isn't resolved by a failed lookup", async () => {
    for (const lost of [0, 1])
      expect((await run([look('900', 'PUBLISHED'), listed('threads')], lost).reconcile(ready())).kind).toBe('retry')
    expect((await run([graphError(10)]).reconcile(ready())).kind).toBe('unknown')
  })

  it("doesn't lead to a second send if preparing again finds the post", async () => {
    const again = await run([look('900', 'PUBLISHED')]).prepare(ready())
    expect(again).toMatchObject({ kind: 'prepared', progress: { published: true } })
    if (again.kind !== 'prepared') return
    const { fetch, send } = run([
      look('900', 'PUBLISHED'),
      listed('threads', { id: '555', text: 'Good morning', timestamp: at }),
    ])
    expect(await send(ready({ progress: again.progress }))).toMatchObject({ kind: 'sent', remoteId: '555' })
    expect(forms(fetch)).toEqual([])
  })
})

describe('the follow-ups of a post', () => {
  const post = outgoingPost({
    contents: ['One', 'Two', 'Three'].map((text) => ({ text, media: [] })),
    firstComment: 'And this',
  })
  const toSend = (part: FollowUp, more: Partial<Pick<FollowUpToSend, 'progress' | 'sent'>> = {}): FollowUpToSend => ({
    ...part,
    sendKey: 'key',
    progress: {},
    sent: [{ key: 'post', remoteId: '1', progress: {} }],
    ...more,
  })

  it("are the thread's items in order, then the comment", () => {
    expect(publish.followUps?.(post).map(({ key }) => key)).toEqual(['item 1', 'item 2', 'comment'])
    expect(publish.followUps?.(outgoingPost({ text: 'One' }))).toEqual([])
  })

  it('reply to what was before them, and are stored before publishing', async () => {
    const item = toSend(
      { key: 'item 2', kind: 'item', item: 2 },
      {
        sent: [
          { key: 'post', remoteId: '1', progress: {} },
          { key: 'item 1', remoteId: '2', progress: {} },
        ],
      },
    )
    const first = run([create('901'), look('901', 'FINISHED')])
    const answer = await first.part(post, item)
    expect(answer).toMatchObject({ kind: 'preparing', progress: { container: '901', ready: true } })
    expect(forms(first.fetch)).toEqual([{ media_type: 'TEXT', text: 'Three', reply_to_id: '2' }])
    if (answer?.kind !== 'preparing') return
    expect(await run([publishes('3')]).part(post, { ...item, progress: answer.progress })).toMatchObject({
      kind: 'sent',
      remoteId: '3',
    })
    const comment = run([create('902'), look('902', 'FINISHED')])
    await comment.part(
      post,
      toSend(
        { key: 'comment', kind: 'comment' },
        { sent: [...item.sent, { key: 'item 2', remoteId: '3', progress: {} }] },
      ),
    )
    expect(forms(comment.fetch)).toEqual([{ media_type: 'TEXT', text: 'And this', reply_to_id: '1' }])
  })

  it("are reconciled by their own container and the account's replies", async () => {
    const item = toSend({ key: 'item 1', kind: 'item', item: 1 }, { progress: { container: '901', ready: true } })
    expect(await run([publishes('2')], 0).part(post, item)).toMatchObject({ kind: 'unknown' })
    expect(
      await run([
        look('901', 'PUBLISHED'),
        listed('replies', { id: '2', text: 'Two', timestamp: PLANNED_AT.toISOString() }),
      ]).reconcileFollowUp(post, item),
    ).toMatchObject({ kind: 'sent', remoteId: '2' })
    expect(await run([look('901', 'FINISHED')]).reconcileFollowUp(post, item)).toEqual({ kind: 'absent' })
    // the item before it says the same: that one is known
    const alike = outgoingPost({ contents: ['One', 'Same', 'Same'].map((text) => ({ text, media: [] })) })
    const third = toSend(
      { key: 'item 2', kind: 'item', item: 2 },
      {
        progress: item.progress,
        sent: [
          { key: 'post', remoteId: '1', progress: {} },
          { key: 'item 1', remoteId: '2', progress: {} },
        ],
      },
    )
    const at = (seconds: number) => new Date(PLANNED_AT.getTime() + seconds * 1000).toISOString()
    const second = { id: '2', text: 'Same', timestamp: at(1) }
    expect(
      await run([
        look('901', 'PUBLISHED'),
        listed('replies', { id: '3', text: 'Same', timestamp: at(9) }, second),
      ]).reconcileFollowUp(alike, third),
    ).toMatchObject({ kind: 'sent', remoteId: '3' })
    expect(await run([look('901', 'EXPIRED'), listed('replies', second)]).reconcileFollowUp(alike, third)).toEqual({
      kind: 'absent',
    })
  })

  it("check the container again if it can't be published", async () => {
    const item = toSend({ key: 'item 1', kind: 'item', item: 1 }, { progress: { container: '901', ready: true } })
    expect(await run([graphError(24)]).part(post, item)).toMatchObject({
      kind: 'preparing',
      progress: { ready: false },
    })
  })
})

describe('after publishing', () => {
  it("deletes the post with the account's own replies below it", async () => {
    const reply = (id: string, to: string) => ({
      id,
      timestamp: `2026-11-21T10:0${id}:00+0000`,
      replied_to: { id: to },
    })
    const { fetch, remove } = run([
      { json: { data: [reply('3', '2'), reply('2', '1'), reply('4', '99')] } },
      { json: { success: true } },
      graphError(100, { error_subcode: 33 }),
      { json: { success: true } },
    ])
    expect(await remove('1')).toEqual({ kind: 'removed' })
    expect(fetch.calls().slice(1)).toEqual([3, 2, 1].map((id) => `DELETE ${HOST}/${id}`))
  })

  it("reads a post's metrics; a deleted one is missing", async () => {
    const value = (name: string, count: number) => ({ name, period: 'lifetime', values: [{ value: count }] })
    const { reach } = run([
      {
        json: {
          data: [
            value('views', 90),
            value('likes', 8),
            value('replies', 3),
            value('reposts', 2),
            value('quotes', 1),
            value('shares', 4),
          ],
        },
      },
      graphError(100, { error_subcode: 33 }),
    ])
    const posts = ['1', '2'].map((remoteId) => ({ remoteId, postType: 'post' as const, publishedAt: PLANNED_AT }))
    const answer = await metrics?.read(reach, secret, account, posts)
    expect(answer).toEqual({
      kind: 'metrics',
      of: new Map([
        [
          '1',
          {
            views: 90,
            reactions: 8,
            comments: 3,
            shares: 7,
            reposts: 2,
            quotes: 1,
            sends: 4,
          },
        ],
      ]),
    })
  })

  it('lists posts, without one that has no time', async () => {
    const { reach } = run([
      listed(
        'threads',
        { id: '1', text: 'One', timestamp: '2026-11-21T10:00:00+0000' },
        { id: '2', text: '', timestamp: 'x' },
      ),
    ])
    expect(await ownPosts?.list(reach, secret, account, { cursor: null })).toMatchObject({
      kind: 'posts',
      posts: [{ text: 'One', publishedAt: PLANNED_AT }],
    })
  })
})
