import { createHash, randomBytes } from 'node:crypto'
import { consentPage } from './consentPage.ts'
import { Refused, type Call, type Reply, type Route, type Token, type World } from './world.ts'

/*
 * OAuth 2 as platforms implement it: a consent page, codes that are valid once and for the client that asked, PKCE,
 * tokens that expire, refresh tokens that may rotate. Differences between platforms are in their rules.
 */

export type OAuthRules = {
  /** Routes of the consent page. */
  page: readonly string[]
  /** Routes where codes and refresh tokens are exchanged for tokens. */
  token: readonly string[]
  revoke?: string
  label: string
  clientField?: 'client_id' | 'client_key'
  /** Between scopes in a response; null if it has none. */
  separator: ' ' | ',' | null
  pkce: 'required' | 'optional' | 'none'
  codeSeconds: number
  /** Null: doesn't expire. */
  accessSeconds: number | null
  refresh: null | {
    seconds: number | null
    rotates: boolean
    /** Whether this sign-in gets one. */ when?: (asked: Record<string, string>) => boolean
  }
  /** Appended to the redirect URL. */
  suffix?: string
  /** How the page refuses an app that requests permissions it doesn't have; undefined if it has them all. */
  refusesScope?: (clientId: string, scopes: readonly string[]) => Record<string, string> | undefined
  /** Which accounts can be chosen on the page. */
  accounts?: (call: Call) => { id: string; name: string; detail: string }[]
  /** Whether an app gets the same token again for an account, as long as it's valid. */
  reuses?: boolean
  /** The account of a signed-in person who is sent back without a page. */
  passes?: (call: Call) => string | undefined
  /** Additional fields of the token response. */
  more?: (token: Token) => Record<string, unknown>
  wrong: (error: string, description: string) => Reply
}

const plainWrong = (error: string, description: string): Reply => ({
  status: error === 'invalid_client' ? 401 : 400,
  json: { error, error_description: description },
})
export const standardWrong = plainWrong

type Code = {
  clientId: string
  redirectUri: string
  challenge: string
  account: string
  scopes: string[]
  asked: string[]
  until: number
  refreshes: boolean
}

export function oauthRoutes(world: World, rules: OAuthRules): Route[] {
  const clientField = rules.clientField ?? 'client_id'
  return [
    ...rules.page.map((pattern): Route => [`GET ${pattern}`, (call) => authorize(world, rules, clientField, call)]),
    ...rules.token.map((pattern): Route => [pattern, (call) => token(world, rules, clientField, call)]),
    ...(rules.revoke ? [[rules.revoke, (call) => revoke(world, call)] satisfies Route] : []),
  ]
}

function authorize(world: World, rules: OAuthRules, clientField: string, call: Call): Reply {
  const { query } = call
  const redirectUri = query.redirect_uri ?? ''
  if (!query[clientField] || !URL.canParse(redirectUri))
    return { status: 400, html: 'This app is not known here, or its way back is missing.' }
  if (rules.pkce === 'required' && !query.code_challenge)
    return back(rules, query, { error: 'invalid_request', error_description: 'code_challenge is missing' })
  if (query.sim_deny)
    return back(rules, query, { error: 'access_denied', error_description: 'The user denied the request' })
  const accounts =
    rules.accounts?.(call) ?? world.accounts.map(({ id, name, handle }) => ({ id, name, detail: `@${handle}` }))
  const scopes = (query.scope ?? '').split(/[ ,]+/).filter(Boolean)
  const refused = rules.refusesScope?.(query[clientField], scopes)
  if (refused) return back(rules, query, refused)
  const account = rules.passes?.(call) ?? query.sim_account
  if (!account) return { html: consentPage({ label: rules.label, accounts, scopes, query }) }
  if (!accounts.some(({ id }) => id === account)) return { status: 400, html: 'There is no such account.' }
  const code = randomBytes(16).toString('base64url')
  const without = (query.sim_without ?? '').split(/[ ,]+/)
  const kept: Code = {
    clientId: query[clientField] ?? '',
    redirectUri,
    challenge: query.code_challenge ?? '',
    account,
    scopes: scopes.filter((scope) => !without.includes(scope)),
    asked: scopes,
    until: call.now + rules.codeSeconds * 1000,
    refreshes: rules.refresh !== null && (rules.refresh.when?.(query) ?? true),
  }
  world.pending.set(`code ${code}`, kept)
  return back(rules, query, { code, ...(rules.clientField === 'client_key' && { scopes: kept.scopes.join(',') }) })
}

function back(rules: OAuthRules, query: Record<string, string>, answer: Record<string, string>): Reply {
  const url = new URL(query.redirect_uri ?? '')
  for (const [name, value] of Object.entries({ ...answer, ...(query.state !== undefined && { state: query.state }) }))
    url.searchParams.set(name, value)
  return { status: 302, headers: { location: `${url.href}${rules.suffix ?? ''}` } }
}

/** The client's ID, after checking its secret in Basic or in the body: a secret `wrong` is wrong. */
function clientOf(call: Call, clientField: string): string | undefined {
  const basic = /^Basic (.+)$/.exec(call.headers.authorization ?? '')?.[1]
  const [id = '', secret = ''] =
    basic === undefined
      ? [call.text(clientField), call.text('client_secret')]
      : Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
  return id && secret !== 'wrong' ? id : undefined
}

function token(world: World, rules: OAuthRules, clientField: string, call: Call): Reply | undefined {
  const grant = call.text('grant_type') || 'authorization_code'
  if (grant !== 'authorization_code' && grant !== 'refresh_token') return undefined
  const clientId = clientOf(call, clientField)
  if (clientId === undefined) return rules.wrong('invalid_client', 'The client is not known, or its secret is wrong.')
  return grant === 'refresh_token' ? renew(world, rules, clientId, call) : exchange(world, rules, clientId, call)
}

function exchange(world: World, rules: OAuthRules, clientId: string, call: Call): Reply {
  const key = `code ${call.text('code')}`
  // we stored it above, in this format
  const code = world.pending.get(key) as Code | undefined
  world.pending.delete(key)
  if (!code || code.clientId !== clientId || code.until <= call.now)
    return rules.wrong('invalid_grant', 'The code is not valid, was used already, or is too old.')
  if (code.redirectUri !== call.text('redirect_uri'))
    return rules.wrong('invalid_grant', 'redirect_uri is not the one that was asked with.')
  const verifier = call.text('code_verifier')
  if (code.challenge && createHash('sha256').update(verifier).digest('base64url') !== code.challenge)
    return rules.wrong('invalid_grant', 'code_verifier does not fit.')
  const of = { account: code.account, scopes: code.scopes, asked: code.asked, clientId }
  const refresh =
    code.refreshes && rules.refresh ? world.issue('refresh', of, rules.refresh.seconds, call.now) : undefined
  const again = rules.reuses
    ? liveToken(
        world,
        (token) =>
          token.account === of.account && token.clientId === clientId && token.scopes.join() === of.scopes.join(),
      )
    : undefined
  return issued(rules, again ?? world.issue('access', of, rules.accessSeconds, call.now), refresh)
}

/** The newest valid token that matches. */
export const liveToken = (world: World, fits: (token: Token) => boolean): Token | undefined =>
  [...world.tokens.values()].findLast((token) => !token.revoked && fits(token))

function renew(world: World, rules: OAuthRules, clientId: string, call: Call): Reply {
  const old = world.tokens.get(call.text('refresh_token'))
  const good =
    old &&
    old.kind === 'refresh' &&
    !old.revoked &&
    old.clientId === clientId &&
    (old.expiresAt === null || old.expiresAt > call.now)
  if (!rules.refresh || !good) return rules.wrong('invalid_grant', 'The refresh token is not valid.')
  if (rules.refresh.rotates) old.revoked = true
  const next = rules.refresh.rotates ? world.issue('refresh', old, rules.refresh.seconds, call.now) : undefined
  return issued(rules, world.issue('access', old, rules.accessSeconds, call.now), next)
}

function issued(rules: OAuthRules, access: Token, refresh: Token | undefined): Reply {
  const life = ({ expiresAt, issuedAt }: Token): number => Math.round(((expiresAt ?? issuedAt) - issuedAt) / 1000)
  return {
    json: {
      access_token: access.text,
      token_type: 'bearer',
      ...(access.expiresAt !== null && { expires_in: life(access) }),
      ...(rules.separator !== null && { scope: access.scopes.join(rules.separator) }),
      ...(refresh && { refresh_token: refresh.text }),
      ...rules.more?.(access),
      ...(refresh && refresh.expiresAt !== null && { refresh_expires_in: life(refresh) }),
    },
  }
}

/** Ends every token of the same sign-in. Succeeds if it has already ended. */
function revoke(world: World, call: Call): Reply {
  const given = world.tokens.get(call.text('token'))
  for (const token of world.tokens.values())
    if (given && token.account === given.account && token.clientId === given.clientId) token.revoked = true
  return { json: {} }
}

/** Exchanges a token for one with a longer lifetime (Meta's exchange). */
export function lengthen(world: World, call: Call, from: string, seconds: number | null): Token {
  const old = world.tokens.get(call.text(from))
  if (!old || old.revoked || (old.expiresAt !== null && old.expiresAt <= call.now))
    throw new Refused(world.refuse('token', 'Error validating access token.'))
  return world.issue('long', old, seconds, call.now)
}
