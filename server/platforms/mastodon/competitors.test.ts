import { expect, it } from 'vitest'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import { createMastodon } from './adapter.ts'

const { competitors } = createMastodon()
const secret = {
  accessToken: 'access',
  origin: 'https://birdhouse.example',
  domain: 'birdhouse.example',
  userId: '1',
  username: 'rook',
  clientId: 'id',
  clientSecret: 'hush',
  scopes: ['read'],
  limits: { attachments: null, imageBytes: null, videoBytes: null, types: null, description: null },
}
const own = { remoteId: '1@birdhouse.example', handle: '@rook@birdhouse.example', service: 'https://birdhouse.example' }
const person = (acct: string, more: Record<string, unknown> = {}) => ({
  id: '7',
  username: acct.split('@')[0],
  acct,
  display_name: 'Rye',
  url: 'https://bread.example/@rye',
  avatar: 'https://bread.example/rye.png',
  followers_count: 120,
  statuses_count: 9,
  ...more,
})
const LOOKUP = 'GET birdhouse.example/api/v1/accounts/lookup'
const SEARCH = 'GET birdhouse.example/api/v1/accounts/search'
const missing: Step = { on: LOOKUP, status: 404, json: { error: 'Record not found' } }

async function find(text: string, steps: Step[]) {
  const fetch = scriptedFetch('mastodon', steps)
  const reach = { fetch, signal: new AbortController().signal }
  return {
    answer: await competitors?.find(reach, secret, own, text),
    asked: fetch.asked.map(({ url }) => url.searchParams),
  }
}

it.each([
  ['rye', 'rye', 'rye@birdhouse.example'],
  ['@Rye@Birdhouse.example', 'rye', 'rye@birdhouse.example'],
  ['@rye@bread.example', 'rye@bread.example', 'rye@bread.example'],
  ['https://bread.example/@rye', 'rye@bread.example', 'rye@bread.example'],
  ['https://birdhouse.example/@rye@bread.example', 'rye@bread.example', 'rye@bread.example'],
  ['bread.example/users/rye/', 'rye@bread.example', 'rye@bread.example'],
])('knows whom %s means, the same on every server', async (text, acct, remoteId) => {
  const { answer, asked } = await find(text, [{ on: LOOKUP, json: person(acct) }])
  expect(asked[0]?.get('acct')).toBe(acct)
  expect(answer).toMatchObject({
    kind: 'account',
    account: { remoteId, handle: `@${remoteId}`, figures: { followers: 120, posts: 9 } },
  })
})

it("looks an account up on its own server if the channel's doesn't know it yet", async () => {
  const { answer, asked } = await find('@rye@bread.example', [
    missing,
    { on: SEARCH, json: [person('rye@bread.example')] },
  ])
  expect(asked[1]?.get('resolve')).toBe('true')
  expect(answer).toMatchObject({ kind: 'account', account: { remoteId: 'rye@bread.example' } })
})

it.each([
  ['another account that the search found', [missing, { on: SEARCH, json: [person('ryebread@bread.example')] }]],
  ['nothing', [missing, { on: SEARCH, json: [] }]],
  ['a suspended account', [{ on: LOOKUP, json: person('rye@bread.example', { suspended: true }) }]],
] satisfies [string, Step[]][])('takes %s for gone', async (_what, steps) => {
  expect((await find('@rye@bread.example', steps)).answer).toEqual({ kind: 'none', why: 'gone' })
})

it.each(['', 'two words', 'https://bread.example/about'])('asks nobody about "%s"', async (text) => {
  const { answer, asked } = await find(text, [])
  expect(answer).toEqual({ kind: 'none', why: 'gone' })
  expect(asked).toEqual([])
})
