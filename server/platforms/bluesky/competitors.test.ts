import { expect, it } from 'vitest'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import { createBluesky } from './adapter.ts'

const { competitors } = createBluesky({ plcDirectory: 'https://plc.directory' })
const secret = { accessJwt: 'access', refreshJwt: 'refresh', did: 'did:plc:rook', pds: 'https://pds.example' }
const own = { remoteId: 'did:plc:rook', handle: '@rook.example', service: 'https://pds.example' }
const THEIRS = `did:plc:${'t'.repeat(24)}`
const ask = (steps: Step[]) => {
  const fetch = scriptedFetch('bluesky', steps)
  return { reach: { fetch, signal: new AbortController().signal }, fetch }
}
const find = async (text: string, steps: Step[]) => {
  const { reach, fetch } = ask(steps)
  return { answer: await competitors?.find(reach, secret, own, text), fetch }
}
const read = async (steps: Step[]) =>
  await competitors?.read(ask(steps).reach, secret, own, { remoteId: THEIRS, handle: '@rye.example' }, 25)

const profile = {
  did: THEIRS,
  handle: 'rye.example',
  displayName: 'Rye',
  avatar: 'https://cdn.example/rye.png',
  followersCount: 120,
  postsCount: 9,
}
const view = (n: number, more: Record<string, unknown> = {}) => ({
  post: {
    uri: `at://${THEIRS}/app.bsky.feed.post/${n}`,
    cid: 'bafyreihm2t7z3u6j7k3s5n5q2y3y4z5a6b7c2d3e4f5g6h7i2j3k4l5m6n',
    author: { did: THEIRS, handle: 'rye.example' },
    record: { $type: 'app.bsky.feed.post', text: `Loaf ${n}`, createdAt: '2026-11-20T10:00:00.000Z' },
    likeCount: n,
    replyCount: 1,
    repostCount: 2,
    quoteCount: 3,
    indexedAt: '2026-11-20T10:00:01.000Z',
    ...more,
  },
})

it.each([
  ['rye.example', 'rye.example'],
  ['@Rye.Example', 'rye.example'],
  ['https://bsky.app/profile/rye.example', 'rye.example'],
  ['bsky.app/profile/rye.example/post/1', 'rye.example'],
  [THEIRS, THEIRS],
])('finds the account of %s', async (text, actor) => {
  const { answer, fetch } = await find(text, [{ on: 'GET pds.example/xrpc/app.bsky.actor.getProfile', json: profile }])
  expect(fetch.asked[0]?.url.searchParams.get('actor')).toBe(actor)
  expect(answer).toEqual({
    kind: 'account',
    account: {
      remoteId: THEIRS,
      name: 'Rye',
      handle: '@rye.example',
      pictureUrl: 'https://cdn.example/rye.png',
      profileUrl: `https://bsky.app/profile/${THEIRS}`,
      figures: { followers: 120, posts: 9 },
    },
  })
})

it.each([
  'no handle',
  'https://elsewhere.example/profile/rye.example',
  'https://bsky.app/about',
  'https://bsky.app/profile/%zz',
  '',
])('asks nobody about "%s"', async (text) => {
  const { answer, fetch } = await find(text, [])
  expect(answer).toEqual({ kind: 'none', why: 'gone' })
  expect(fetch.asked).toEqual([])
})

it('reads posts with the figures of the network, without reposts of others and replies', async () => {
  const answer = await read([
    { on: 'GET pds.example/xrpc/app.bsky.actor.getProfile', json: profile },
    {
      on: 'GET pds.example/xrpc/app.bsky.feed.getAuthorFeed',
      json: {
        feed: [
          view(1),
          {
            ...view(2),
            reason: { $type: 'app.bsky.feed.defs#reasonRepost', by: profile, indexedAt: '2026-11-20T10:00:01.000Z' },
          },
          view(3, { author: { did: `did:plc:${'o'.repeat(24)}`, handle: 'other.example' } }),
          view(4, { likeCount: undefined }),
        ],
      },
    },
  ])
  if (answer?.kind !== 'read') throw new Error(JSON.stringify(answer))
  expect(answer.isAll).toBe(true)
  expect(answer.posts.map(({ remoteId, figures }) => [remoteId.split('/').at(-1), figures])).toEqual([
    ['1', { reactions: 1, comments: 1, shares: 5, reposts: 2, quotes: 3 }],
    ['4', { comments: 1, shares: 5, reposts: 2, quotes: 3 }],
  ])
})

it.each([
  [
    { status: 400, json: { error: 'InvalidRequest', message: 'Profile not found' } },
    { kind: 'none', why: 'gone' },
  ],
  [
    { status: 400, json: { error: 'AccountTakedown', message: 'Account has been suspended' } },
    { kind: 'none', why: 'gone' },
  ],
  [
    { status: 400, json: { error: 'AccountDeactivated', message: 'Account is deactivated' } },
    { kind: 'none', why: 'gone' },
  ],
  [{ status: 400, json: { error: 'InvalidRequest', message: 'no app view' } }, { kind: 'rejected' }],
  [
    { status: 429, json: { error: 'RateLimitExceeded', message: 'Slow' } },
    { kind: 'retry', closesBudget: true },
  ],
  [
    { status: 400, json: { error: 'ExpiredToken', message: 'Old' } },
    { kind: 'retry', first: 'renew' },
  ],
])('says what an answer means: %o', async (step, expected) => {
  expect((await find('rye.example', [step])).answer).toMatchObject(expected)
})

it('is private if the account blocks ours', async () => {
  const blocked = { status: 400, json: { error: 'BlockedByActor', message: 'Requester is blocked' } }
  expect(await read([{ json: profile }, blocked])).toEqual({ kind: 'none', why: 'private' })
})
