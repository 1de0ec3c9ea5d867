import { expect, it } from 'vitest'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import { createBluesky } from './adapter.ts'

const { metrics } = createBluesky({ plcDirectory: 'https://plc.directory' })
const secret = { accessJwt: 'access', refreshJwt: 'refresh', did: 'did:plc:rook', pds: 'https://pds.example' }
const account = { remoteId: 'did:plc:rook', handle: '@rook.example', service: 'https://pds.example' }
const uriOf = (n: number): string => `at://did:plc:rook/app.bsky.feed.post/${n}`
const asked = (...ns: number[]) =>
  ns.map((n) => ({ remoteId: uriOf(n), postType: 'post' as const, publishedAt: new Date('2026-11-21T10:00:00Z') }))
const read = async (steps: Step[], posts = asked(1)) => {
  const fetch = scriptedFetch('bluesky', steps)
  return { answer: await metrics?.read({ fetch, signal: new AbortController().signal }, secret, account, posts), fetch }
}
const view = (n: number, more: Record<string, unknown> = {}) => ({
  uri: uriOf(n),
  cid: 'bafy',
  author: { did: 'did:plc:rook', handle: 'rook.example' },
  record: {},
  indexedAt: '2026-11-21T10:00:00Z',
  ...more,
})

it('reads 25 posts per call, each by its URI', async () => {
  const many = Array.from({ length: 25 }, (_, n) => n)
  const { answer, fetch } = await read(
    [
      {
        on: 'GET pds.example/xrpc/app.bsky.feed.getPosts',
        json: { posts: many.map((n) => view(n, { likeCount: n })) },
      },
    ],
    asked(...many),
  )
  expect(metrics?.most).toBe(25)
  expect(fetch.asked[0]?.url.searchParams.getAll('uris')).toEqual(many.map(uriOf))
  expect(fetch.asked[0]?.headers.authorization).toBe('Bearer access')
  expect(answer?.kind === 'metrics' ? [...answer.of.values()].map(({ reactions }) => reactions) : answer).toEqual(many)
})

it("returns the network's counts, null for missing ones, and leaves out deleted posts", async () => {
  const { answer } = await read(
    [
      {
        json: {
          posts: [view(1, { likeCount: 5, replyCount: 2, repostCount: 3, quoteCount: 1, bookmarkCount: 4 }), view(2)],
        },
      },
    ],
    asked(1, 2, 3),
  )
  expect(answer).toEqual({
    kind: 'metrics',
    of: new Map([
      [
        uriOf(1),
        {
          reactions: 5,
          comments: 2,
          shares: 4,
          reposts: 3,
          quotes: 1,
          saves: 4,
        },
      ],
      [uriOf(2), {}],
    ]),
  })
})

it.each<[string, Step, object]>([
  [
    'slow down',
    { status: 429, json: { error: 'RateLimitExceeded', message: 'm' }, headers: { 'retry-after': '120' } },
    { kind: 'retry', afterSeconds: 120, closesBudget: true },
  ],
  ['an old token', { status: 400, json: { error: 'ExpiredToken', message: 'm' } }, { kind: 'retry', first: 'renew' }],
  ['a lost answer', { fails: 'lost' }, { kind: 'retry' }],
  ['something else', { json: { posts: 'many' } }, { kind: 'retry' }],
])('classifies a refusal: %s', async (_, step, expected) => {
  expect((await read([step])).answer).toMatchObject(expected)
})
