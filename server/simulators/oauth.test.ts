import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simulators } from './registry.ts'
import { asking, madeUp, visitPlatforms, type Said, type Visitor } from '../testing/visitor.ts'

let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

type Way = {
  name: string
  page: string
  token: string
  scope: string
  id?: string
  basic?: boolean
  pkce?: boolean
  more?: Record<string, string>
}
const ways: Way[] = [
  {
    name: 'facebook',
    page: 'https://www.facebook.com/v25.0/dialog/oauth',
    token: 'https://graph.facebook.com/v25.0/oauth/access_token',
    scope: 'pages_show_list',
    pkce: true,
  },
  {
    name: 'instagram',
    page: 'https://www.instagram.com/oauth/authorize',
    token: 'https://api.instagram.com/oauth/access_token',
    scope: 'instagram_business_basic',
  },
  {
    name: 'threads',
    page: 'https://threads.net/oauth/authorize',
    token: 'https://graph.threads.net/oauth/access_token',
    scope: 'threads_basic',
  },
  {
    name: 'x',
    page: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    scope: 'tweet.read offline.access',
    basic: true,
    pkce: true,
  },
  {
    name: 'google',
    page: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    scope: 'https://www.googleapis.com/auth/youtube',
    pkce: true,
    more: { access_type: 'offline' },
  },
  {
    name: 'linkedin',
    page: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    scope: 'openid profile',
  },
  {
    name: 'pinterest',
    page: 'https://www.pinterest.com/oauth/',
    token: 'https://api.pinterest.com/v5/oauth/token',
    scope: 'boards:read',
    basic: true,
  },
  {
    name: 'tiktok',
    page: 'https://www.tiktok.com/v2/auth/authorize/',
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    scope: 'user.info.basic',
    id: 'client_key',
    pkce: true,
  },
]
const back = 'http://localhost:3000/back'
const verifier = 'v'.repeat(43)
const challenge = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}

describe.each(ways)(
  'signing in at $name',
  ({ page, token, scope, id = 'client_id', basic = false, pkce = false, more = {} }) => {
    const url = asking(page, {
      [id]: 'app',
      redirect_uri: back,
      state: 'st',
      response_type: 'code',
      scope,
      ...(pkce && challenge),
      ...more,
    })
    const consent = async (): Promise<string> => (await visit.consent(url)).searchParams.get('code') ?? ''
    const exchange = (
      code: string,
      { client = 'app', secret = 's', redirect = back, verified = verifier } = {},
    ): Promise<Said> =>
      visit.ask('POST', token, {
        form: {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirect,
          ...(pkce && { code_verifier: verified }),
          ...(!basic && { [id]: client, client_secret: secret }),
        },
        ...(basic && { headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` } }),
      })

    it('gives a token for a code once', async () => {
      const code = await consent()
      expect(visit.field(await exchange(code), 'access_token')).toMatch(/^sim-/)
      expect((await exchange(code)).status).toBe(400)
    })

    it('refuses a wrong secret, another app, another way back and another verifier', async () => {
      expect((await exchange(await consent(), { secret: 'wrong' })).status).toBeGreaterThanOrEqual(400)
      expect((await exchange(await consent(), { client: 'other' })).status).toBe(400)
      expect((await exchange(await consent(), { redirect: 'http://localhost:3000/elsewhere' })).status).toBe(400)
      if (pkce) expect((await exchange(await consent(), { verified: 'w'.repeat(43) })).status).toBe(400)
    })

    it('comes back with a reason when the person says no, and with the state either way', async () => {
      const { searchParams } = await visit.consent(url, { deny: true })
      expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')]).toEqual([
        'access_denied',
        'st',
        null,
      ])
    })

    it('refuses a token that is over', async () => {
      const given = visit.field(await exchange(await consent()), 'access_token')
      const owner = (['facebook', 'instagram', 'threads', 'x', 'youtube', 'linkedin', 'pinterest', 'tiktok'] as const)
        .map((key) => visit.platform(key).state)
        .find(({ tokens }) => tokens.has(given))
      const held = owner?.tokens.get(given)
      expect(held?.expiresAt).toBeGreaterThan(visit.clock.now)
      visit.clock.now += 61 * 24 * 3_600_000
      expect(held?.expiresAt).toBeLessThan(visit.clock.now)
      expect(() =>
        owner?.who({
          method: 'GET',
          url: new URL(page),
          headers: { authorization: `Bearer ${given}` },
          path: {},
          query: {},
          body: { kind: 'none', value: undefined, files: {}, bytes: 0, sha256: '', contentType: '' },
          fields: {},
          text: () => '',
          now: visit.clock.now,
        }),
      ).toThrow('refused')
    })
  },
)

it('redirects only for registered apps, and shows a page that is marked as simulated', async () => {
  expect((await visit.ask('GET', 'https://x.com/i/oauth2/authorize?redirect_uri=http://localhost/back')).status).toBe(
    400,
  )
  const { json, status } = await visit.ask(
    'GET',
    asking('https://threads.net/oauth/authorize', {
      client_id: 'a"><script>',
      redirect_uri: back,
      state: 's',
      response_type: 'code',
      scope: 'threads_basic',
    }),
  )
  expect(status).toBe(200)
  expect(json).toContain('Simulated Threads')
  expect(json).not.toContain('<script>')
})

it('knows the tokens of a simulator before it, and none that were made up', async () => {
  const { world: before } = simulators({ pull: madeUp }).find(({ world }) => world.key === 'threads') ?? {}
  const given = before?.issue(
    'access',
    { account: before.accounts[0]?.id ?? '', scopes: ['threads_basic'], asked: ['threads_basic'], clientId: 'app' },
    3600,
    visit.clock.now,
  )
  expect(
    (
      await visit.ask('GET', asking('https://graph.threads.net/v1.0/me', { fields: 'id' }), {
        token: given?.text ?? '',
      })
    ).status,
  ).toBe(200)
  const other = given?.text.replace(/\.[\w-]+$/, '.e30') ?? ''
  expect(
    (await visit.ask('GET', asking('https://graph.threads.net/v1.0/me', { fields: 'id' }), { token: other })).status,
  ).toBe(400)
})
