import { because } from '#contract/failures/catalog.ts'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { AppCredentials, Connect, Reach, Refusal, RenewAnswer, Secret } from './platform.ts'
import type { SafeAnswer } from './safeHttp.ts'
import { codeWord, sentence } from './quotes.ts'
import { dateOf } from './wire.ts'

/*
 * OAuth 2 sign-in with an app that was registered at the platform. The library composes and checks messages; safeFetch
 * sends them. Responses are parsed here, since platforms leave out required fields (Threads has no token_type) and add
 * their own.
 */

export type OAuthServer = {
  /** The platform's `iss`, if it sends one. */
  issuer: string
  /** The URL that the browser is sent to. */
  authorize: string
  /** Where codes and refresh tokens are exchanged for tokens. */
  token: string
  /** Whether the platform supports Proof Key for Code Exchange with S256. */
  pkce: boolean
  /** How the app authenticates: both values in the form, or HTTP Basic. */
  clientAuth?: 'post' | 'basic'
  /** The platform's name for `client_id`, if it differs. */
  clientIdName?: string
  /** The separator between scopes; by the standard, a space. */
  scopeSeparator?: string
}

/** A token endpoint's response. `raw` has the platform's additional fields. */
export type Tokens = {
  accessToken: string
  refreshToken: string | null
  /** Seconds until each token expires; null if the platform doesn't say. */
  expiresIn: number | null
  refreshExpiresIn: number | null
  /** The granted scopes; null if the platform doesn't say. */
  scopes: string[] | null
  /** The time of the response by the platform's own clock; null if it doesn't say. */
  answeredAt: Date | null
  raw: Record<string, unknown>
}

/** Why there are no tokens. `code` is the platform's, empty if it has none; `message` is in its own words. */
export type OAuthFailed = {
  kind: 'failed'
  cause: 'unsent' | 'lost' | 'garbled' | 'answered' | 'declined' | 'foreign'
  status: number
  code: string
  message: string
}

const TIMEOUT_MS = 20_000
const MAX_ANSWER = 200_000

const Keep = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  state: z.string(),
  verifier: z.string().nullable(),
  more: z.record(z.string(), z.unknown()),
})

export const notSetUp: Refusal = {
  kind: 'rejected',
  reason: { ...because('not-set-up'), platformCode: 'not-set-up' },
}

/**
 * Returns the URL to send the browser to, and what has to be stored until it returns. `extra` is added to the URL;
 * `more` is stored too and returned by `finishSignIn`.
 */
export async function startSignIn(
  server: OAuthServer,
  reach: Reach,
  ask: { redirectUri: string; state: string },
  scopes: readonly string[],
  { extra = {}, more = {} }: { extra?: Record<string, string>; more?: Record<string, unknown> } = {},
): Promise<{ kind: 'begun'; url: string; keep: Secret } | Refusal> {
  if (!reach.app) return notSetUp
  const verifier = server.pkce ? oauth.generateRandomCodeVerifier() : null
  const url = new URL(server.authorize)
  const asked = {
    [server.clientIdName ?? 'client_id']: reach.app.clientId,
    redirect_uri: ask.redirectUri,
    response_type: 'code',
    scope: scopes.join(server.scopeSeparator ?? ' '),
    state: ask.state,
    ...(verifier && {
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
    ...extra,
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  const keep: z.infer<typeof Keep> = {
    clientId: reach.app.clientId,
    redirectUri: ask.redirectUri,
    state: ask.state,
    verifier,
    more,
  }
  return { kind: 'begun', url: url.href, keep }
}

/**
 * Exchanges what the browser returned with for tokens. Uses up the code. The credentials must be those that the sign-in
 * began with. `extra` is added to the form.
 */
export async function finishSignIn(
  server: OAuthServer,
  reach: Reach,
  kept: Secret,
  params: Record<string, string>,
  extra: Record<string, string> = {},
): Promise<
  { kind: 'tokens'; tokens: Tokens; app: AppCredentials; more: Record<string, unknown> } | Refusal | OAuthFailed
> {
  if (!reach.app) return notSetUp
  const keep = Keep.safeParse(kept)
  if (!keep.success || keep.data.clientId !== reach.app.clientId)
    return { kind: 'rejected', reason: { ...because('connection-outdated'), platformCode: 'lost-flow' } }
  const { redirectUri, state, verifier, more } = keep.data
  const { app } = reach
  const as = described(server)
  const client = { client_id: app.clientId }
  let checked: URLSearchParams
  try {
    checked = oauth.validateAuthResponse(as, client, new URLSearchParams(cleaned(params)), state)
  } catch (error) {
    return refusedOnPage(error, params)
  }
  if (!checked.has('code')) return withoutCode(params)
  const granted = await askForTokens(reach, (options) =>
    oauth.authorizationCodeGrantRequest(
      as,
      client,
      proofOf(server, app),
      checked,
      redirectUri,
      verifier ?? oauth.nopkce,
      { ...options, additionalParameters: extra },
    ),
  )
  return granted.kind === 'tokens' ? { ...granted, app, more } : granted
}

/**
 * Uses a refresh token. An `OAuthFailed` with cause `answered` and a status below 500 other than 429 means that it's
 * invalid.
 */
export async function renewTokens(
  server: OAuthServer,
  reach: Reach,
  refreshToken: string,
  extra: Record<string, string> = {},
): Promise<{ kind: 'tokens'; tokens: Tokens } | Refusal | OAuthFailed> {
  const { app } = reach
  if (!app) return notSetUp
  return await askForTokens(reach, (options) =>
    oauth.refreshTokenGrantRequest(described(server), { client_id: app.clientId }, proofOf(server, app), refreshToken, {
      ...options,
      additionalParameters: extra,
    }),
  )
}

/** What a renewal replaces in an adapter's secret. */
type Renewable = { accessToken: string; refreshToken: string | null; scopes: readonly string[] }

/**
 * Renews a secret whose refresh token is used up by it: the response has the successor, so a lost response may end the
 * sign-in. `more` are further fields that the response changes. Without a refresh token, a person has to reconnect.
 */
export async function renewSecret<Own extends Renewable>(
  server: OAuthServer,
  reach: Reach,
  own: Own,
  label: string,
  more: (tokens: Tokens) => Partial<Own> = () => ({}),
): Promise<RenewAnswer> {
  if (own.refreshToken === null)
    return {
      kind: 'reconnect',
      reason: { ...because('sign-in-expired', { platform: label }), platformCode: 'no-refresh-token' },
    }
  const renewed = await renewTokens(server, reach, own.refreshToken)
  if (renewed.kind === 'failed') return refusalOfRenewal(renewed, label)
  if (renewed.kind !== 'tokens') return renewed
  const { accessToken, refreshToken, scopes, answeredAt, expiresIn } = renewed.tokens
  const next = { accessToken, refreshToken: refreshToken ?? own.refreshToken, scopes: scopes ?? own.scopes }
  return {
    kind: 'refreshed',
    secret: { ...own, ...next, ...more(renewed.tokens) },
    expiresAt: endOf(answeredAt, expiresIn),
  }
}

/** Whether an access token should be renewed: this many milliseconds before it expires. */
export const renewBefore =
  (ms: number): Connect['needsRefresh'] =>
  (_secret, expiresAt, now) =>
    expiresAt !== null && expiresAt.getTime() - now.getTime() < ms

/** The refusal of a sign-in on the page, with what the person can do about it. `label` is the platform's name. */
export function refusalOfSignIn(failed: OAuthFailed, label: string): Refusal {
  const platformCode = codeWord(failed.code) || failed.cause
  if (failed.cause === 'declined')
    return { kind: 'rejected', reason: { ...because('sign-in-declined', { platform: label }), platformCode } }
  if (failed.cause === 'foreign') return { kind: 'rejected', reason: { ...because('sign-in-foreign'), platformCode } }
  if (failed.cause === 'unsent')
    return { kind: 'retry', reason: { ...because('sign-in-unreachable', { platform: label }), platformCode } }
  if (failed.cause === 'lost' || failed.status >= 500)
    return { kind: 'retry', reason: { ...because('sign-in-unfinished', { platform: label }), platformCode } }
  if (failed.status === 429)
    return {
      kind: 'retry',
      afterSeconds: 60,
      reason: { ...because('sign-in-slow-down', { platform: label }), platformCode },
    }
  return {
    kind: 'rejected',
    reason: {
      ...because('sign-in-rejected', {
        platform: label,
        words: failed.message ? sentence(failed.message) : undefined,
      }),
      platformCode,
    },
  }
}

/** What a failed renewal means for a channel: invalid tokens need a person, everything else is temporary. */
export function refusalOfRenewal(failed: OAuthFailed, label: string): Refusal {
  const platformCode = codeWord(failed.code) || failed.cause
  // the token may be used up: try once more, and count it
  if (failed.cause === 'lost' || failed.cause === 'garbled')
    return { kind: 'unknown', reason: { ...because('renewal-answer-lost'), platformCode } }
  if (failed.cause === 'answered' && failed.status < 500 && failed.status !== 429)
    return { kind: 'reconnect', reason: { ...because('sign-in-refused', { platform: label }), platformCode } }
  return {
    kind: 'retry',
    ...(failed.status === 429 && { afterSeconds: 60 }),
    reason: { ...because('renewal-failed', { platform: label }), platformCode },
  }
}

/** The same for reusable refresh tokens: a lost response costs nothing, so it's tried again. */
export function refusalOfUnspent(failed: OAuthFailed, label: string): Refusal {
  const refusal = refusalOfRenewal(failed, label)
  return refusal.kind === 'unknown'
    ? { kind: 'retry', reason: { ...refusal.reason, ...because('renewal-unanswered', { platform: label }) } }
    : refusal
}

/** When a token with this lifetime expires; null if the platform didn't say enough. */
export const endOf = (answeredAt: Date | null, seconds: number | null): Date | null =>
  answeredAt === null || seconds === null ? null : new Date(answeredAt.getTime() + seconds * 1000)

const described = ({ issuer, authorize, token }: OAuthServer): oauth.AuthorizationServer => ({
  issuer,
  authorization_endpoint: authorize,
  token_endpoint: token,
})

function proofOf({ clientAuth, clientIdName }: OAuthServer, app: AppCredentials): oauth.ClientAuth {
  if (clientAuth === 'basic') return basic(app)
  const proof = oauth.ClientSecretPost(app.clientSecret)
  if (!clientIdName) return proof
  return async (as, client, body, headers) => {
    await proof(as, client, body, headers)
    body.delete('client_id')
    body.set(clientIdName, app.clientId)
  }
}

/**
 * HTTP Basic (RFC 6749, 2.3.1). The library also escapes characters that don't need it, such as `-` and `_`, which are
 * common in secrets; servers that don't decode them would reject us.
 */
function basic({ clientId, clientSecret }: AppCredentials): oauth.ClientAuth {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  return (_as, _client, _body, headers) => headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
}

/** Meta appends `#_` to the redirect URL, and some browsers keep it in the last parameter. */
const cleaned = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replace(/#_(=_)?$/, '')]))

function refusedOnPage(error: unknown, params: Record<string, string>): OAuthFailed {
  const answered = error instanceof oauth.AuthorizationResponseError
  const declined = answered && /denied|cancel/i.test(error.error)
  const message = params.error_description ?? params.error_message ?? ''
  return {
    kind: 'failed',
    cause: declined ? 'declined' : answered ? 'answered' : 'foreign',
    status: 400,
    code: answered ? error.error : '',
    message,
  }
}

/** Facebook sometimes uses its own parameters for errors instead of the standard's. */
function withoutCode({ error_code: code = '', error_message: message = '' }: Record<string, string>): OAuthFailed {
  return { kind: 'failed', cause: code || message ? 'answered' : 'foreign', status: 400, code, message }
}

const Text = z.string().min(1)
const Seconds = z.coerce.number().nonnegative().nullable().catch(null)
const Granted = z.looseObject({
  access_token: Text,
  refresh_token: Text.nullable().catch(null),
  expires_in: Seconds,
  refresh_token_expires_in: Seconds,
  refresh_expires_in: Seconds,
  scope: z.string().nullable().catch(null),
})
/** Instagram wraps its response in a list of one. */
const Wrapped = z.object({ data: z.tuple([z.record(z.string(), z.unknown())]) })

type Options = {
  [oauth.customFetch]: (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: unknown },
  ) => Promise<Response>
}

/** Ends the library's call; the response is stored separately. */
class Answered extends Error {}

async function askForTokens(
  reach: Reach,
  call: (options: Options) => Promise<Response>,
): Promise<{ kind: 'tokens'; tokens: Tokens } | OAuthFailed> {
  let last: SafeAnswer | undefined
  const options: Options = {
    [oauth.customFetch]: async (url, { headers, body }) => {
      last = await reach.fetch(url, {
        method: 'POST',
        headers,
        ...(body instanceof URLSearchParams && { body: body.toString() }),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER,
        signal: reach.signal,
      })
      throw new Answered()
    },
  }
  try {
    await call(options)
  } catch (error) {
    if (!last) throw error
  }
  return last ? read(last) : { kind: 'failed', cause: 'garbled', status: 0, code: '', message: '' }
}

function read(answer: SafeAnswer): { kind: 'tokens'; tokens: Tokens } | OAuthFailed {
  if (answer.kind !== 'answer') return { kind: 'failed', cause: answer.kind, status: 0, code: '', message: '' }
  const body = jsonOf(answer.body)
  if (answer.status >= 400) return { kind: 'failed', cause: 'answered', status: answer.status, ...errorIn(body) }
  const wrapped = Wrapped.safeParse(body)
  const granted = Granted.safeParse(wrapped.success ? wrapped.data.data[0] : body)
  if (!granted.success) {
    const { code, message } = errorIn(body)
    // TikTok responds with 200 and an error in the body
    return code
      ? { kind: 'failed', cause: 'answered', status: 400, code, message }
      : { kind: 'failed', cause: 'garbled', status: answer.status, code: '', message: '' }
  }
  const {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: expiresIn,
    refresh_token_expires_in: long,
    refresh_expires_in: other,
    scope,
  } = granted.data
  const scopes = scope === null ? null : scope.split(/[\s,]+/).filter(Boolean)
  return {
    kind: 'tokens',
    tokens: {
      accessToken,
      refreshToken,
      expiresIn,
      refreshExpiresIn: long ?? other,
      scopes,
      answeredAt: dateOf(answer.headers),
      raw: granted.data,
    },
  }
}

const Problem = z.union([
  z
    .object({ error: z.string(), error_description: z.string().catch('') })
    .transform(({ error, error_description }) => ({ code: error, message: error_description })),
  z
    .object({ error: z.object({ code: z.union([z.string(), z.number()]).catch(''), message: z.string().catch('') }) })
    .transform(({ error }) => ({ code: String(error.code), message: error.message })),
  z
    .object({ error_type: z.string(), error_message: z.string().catch('') })
    .transform(({ error_type, error_message }) => ({ code: error_type, message: error_message })),
])
/** Errors in OAuth's own format, the Graph API's, and Instagram's. */
const errorIn = (body: unknown): { code: string; message: string } =>
  Problem.safeParse(body).data ?? { code: '', message: '' }

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    // invalid JSON fails the schema that it's parsed with next
    return undefined
  }
}
