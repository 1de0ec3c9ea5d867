import { expect, it } from 'vitest'
import { scriptedFetch, type Step } from '../testing/scriptedFetch.ts'
import { createFacebook } from './facebook/adapter.ts'
import { createInstagram } from './instagram/adapter.ts'
import type { Lookup, Reach } from './platform.ts'

const page = { accessToken: 'page-token', pageId: '77', clientId: 'app', scopes: [] }
const linked = {
  login: 'facebook',
  accessToken: 'page-token',
  userId: '77',
  issuedAt: null,
  clientId: 'app',
  scopes: [],
}
const app = { clientId: 'app', clientSecret: 'hush' }
const account = { remoteId: '77', handle: '@rook', service: null }
const SEARCH = 'GET graph.facebook.com/v25.0/pages/search'
const refused = (code: number): Step => ({
  on: SEARCH,
  status: 400,
  json: { error: { message: `(#${code}) no`, type: 'OAuthException', code } },
})
const two: Step = {
  on: SEARCH,
  json: {
    data: [
      {
        id: '309968765748101',
        name: 'Harbour Market',
        location: { street: '1 Quay Street', city: 'Bristol', country: 'United Kingdom' },
      },
      { id: '5', name: 'Harbour fans' },
      { id: '6', name: 'Harbour', location: {} },
    ],
  },
}

const lookUp = async (
  steps: Step[],
  {
    query = 'Harbour',
    key = 'facebook',
    secret = key === 'facebook' ? page : linked,
    withApp = true,
  }: { query?: string; key?: 'facebook' | 'instagram'; secret?: Record<string, unknown>; withApp?: boolean } = {},
) => {
  const fetch = scriptedFetch(key, steps)
  const reach: Reach = { fetch, signal: new AbortController().signal, ...(withApp && { app }) }
  const places: Lookup | undefined = (key === 'facebook' ? createFacebook() : createInstagram()).lookups?.places
  return { fetch, answer: await places?.(reach, secret, account, { query, limit: 20 }) }
}

it.each(['facebook', 'instagram'] as const)(
  'finds places for %s by name: only Pages that have a location',
  async (key) => {
    const { fetch, answer } = await lookUp([two], { key })
    expect(answer).toEqual({
      kind: 'found',
      items: [
        {
          id: '309968765748101',
          name: 'Harbour Market',
          detail: '1 Quay Street, Bristol, United Kingdom',
          pictureUrl: null,
          insert: null,
        },
        { id: '6', name: 'Harbour', detail: null, pictureUrl: null, insert: null },
      ],
    })
    expect(fetch.asked[0]?.url.searchParams.get('q')).toBe('Harbour')
    // the search belongs to the app, not to a Page
    expect(fetch.asked[0]?.headers.authorization).toBe('Bearer app|hush')
  },
)

it("searches nothing while nothing is typed, and uses the account's token if no app is registered", async () => {
  expect(await lookUp([], { query: '  ' })).toMatchObject({ answer: { kind: 'found', items: [] } })
  expect((await lookUp([two], { withApp: false })).fetch.asked[0]?.headers.authorization).toBe('Bearer page-token')
})

it.each([10, 200, 190, 100])(
  "doesn't treat an app that may not search (%i) as an invalid sign-in: people type the ID",
  async (code) => {
    expect((await lookUp([refused(code)])).answer).toMatchObject({
      kind: 'rejected',
      reason: { code: 'facebook-no-place-search' },
    })
  },
)

it("doesn't delay the account's posts if the app is limited", async () => {
  expect((await lookUp([refused(4)])).answer).toMatchObject({ kind: 'retry', closesBudget: false })
})

it("says without a call that accounts connected with Instagram itself can't search", async () => {
  expect(
    (await lookUp([], { key: 'instagram', secret: { ...linked, login: 'instagram' }, query: '' })).answer,
  ).toMatchObject({ kind: 'rejected', reason: { platformCode: 'no-search' } })
})
