import { because } from '#contract/failures/catalog.ts'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { Account, ConnectByPage, Reach, Refusal, RenewAnswer } from '../platform.ts'
import { keyName, SCOPE, type OAuthClient } from './client.ts'
import { serverOf } from './directory.ts'
import { dpopOf, DpopKey, newDpopKey, wireOf, withNonce } from './dpop.ts'
import { accountOf, expiryOf, inactive, issuedOf } from './account.ts'
import { refusalOf, rejected } from './refusals.ts'
import { AuthorizationServer, CurrentSession, Did, type PageSecret } from './schemas.ts'
import { tokenOf } from './secret.ts'
import { describe, findServer, issuerOf } from './server.ts'
import { failedBy, xrpc } from './xrpc.ts'

/*
 * Sign-in on the page of the account's own server: pushed requests, PKCE and key-bound tokens (the AT Protocol's OAuth
 * profile, atproto.com/specs/oauth). The library composes and checks messages; safeFetch sends them.
 */

const TOKEN_TIMEOUT_MS = 15_000
const SESSION_TIMEOUT_MS = 8_000
const MAX_ANSWER = 100_000
/** Servers end the sign-ins of clients without their own key after two weeks (atproto.com/specs/oauth). */
const PUBLIC_SESSION_SECONDS = 14 * 86_400

const Keep = z.object({
  server: AuthorizationServer.extend({ authorization_response_iss_parameter_supported: z.boolean().optional() }),
  clientId: z.string(),
  proven: z.boolean(),
  redirectUri: z.string(),
  verifier: z.string(),
  state: z.string(),
  key: DpopKey,
})
type Settings = { plcDirectory: string; client: OAuthClient }
type Talk = { server: z.infer<typeof AuthorizationServer>; key: DpopKey }

export const pageOf = (settings: Settings): ConnectByPage => ({
  begin: begin(settings),
  answer: answer(settings),
  ...(settings.client.metadata && { metadata: settings.client.metadata }),
})

const begin =
  ({ plcDirectory, client }: Settings): ConnectByPage['begin'] =>
  async (reach, { state, domain, login }) => {
    const found = await findServer(reach, domain, (did) => serverOf(reach, plcDirectory, did))
    if (found.kind !== 'issuer') return found
    const described = await describe(reach, found.issuer)
    if (described.kind !== 'server') return described
    const { server } = described
    const [key, verifier] = [await newDpopKey(), oauth.generateRandomCodeVerifier()]
    const hint =
      login?.replace(/^@/, '') ??
      (domain && !found.issuer.endsWith(domain) && domain.includes('.') ? domain.replace(/^@/, '') : undefined)
    const asked = {
      response_type: 'code',
      redirect_uri: client.redirectUri,
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(hint && { login_hint: hint }),
    }
    const proof = await proofOf(client)
    const pushed = await talk(reach, { server, key }, async (options) =>
      oauth.processPushedAuthorizationResponse(
        server,
        clientOf(client.clientId),
        await oauth.pushedAuthorizationRequest(server, clientOf(client.clientId), proof, asked, options),
      ),
    )
    if (pushed.kind !== 'done') return refusalOfPage(pushed, server.issuer)
    const url = new URL(server.authorization_endpoint)
    url.searchParams.set('client_id', client.clientId)
    url.searchParams.set('request_uri', pushed.value.request_uri)
    const keep = {
      server,
      clientId: client.clientId,
      proven: client.key !== undefined,
      redirectUri: client.redirectUri,
      verifier,
      state,
      key,
    } satisfies z.input<typeof Keep>
    return { kind: 'begun', url: url.href, keep: Keep.parse(keep) }
  }

const answer =
  ({ plcDirectory, client: we }: Settings): ConnectByPage['answer'] =>
  async (reach, kept, params) => {
    const read = Keep.safeParse(kept)
    if (!read.success) return rejected('lost-flow', because('connection-outdated'))
    const { server, clientId, proven, redirectUri, verifier, state, key } = read.data
    const client = clientOf(clientId)
    const proof = await proofOf(proven ? we : undefined)
    const granted = await talk(reach, { server, key }, async (options) => {
      const checked = oauth.validateAuthResponse(server, client, new URLSearchParams(params), state)
      return await oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(server, client, proof, checked, redirectUri, verifier, options),
      )
    })
    if (granted.kind !== 'done') return refusalOfPage(granted, server.issuer)
    const tokens = tokensIn(granted.value)
    if (!tokens)
      return rejected('no-tokens', because('bluesky-sign-in-incomplete', { host: new URL(server.issuer).host }))
    const place = await placeOf(reach, plcDirectory, server.issuer, tokens.did)
    if (place.kind !== 'server') return place
    const secret: PageSecret = {
      accessJwt: tokens.accessToken,
      did: tokens.did,
      pds: place.origin,
      oauth: {
        server,
        clientId,
        proven,
        refreshToken: tokens.refreshToken,
        key,
        endsAt: proven ? null : endOf(tokens.accessToken),
      },
    }
    const account = await whoIs(reach, secret)
    if (account.kind !== 'account') return account
    return {
      kind: 'accounts',
      accounts: [{ account: account.account, secret, expiresAt: expiryOf(secret.accessJwt), endsAt: endsAtOf(secret) }],
    }
  }

/**
 * The account's own server, which must name the issuer as its authorization server. Any server can claim any account;
 * only the directory and the account's server together say who may sign it in.
 */
async function placeOf(
  reach: Reach,
  plcDirectory: string,
  issuer: string,
  did: string,
): Promise<{ kind: 'server'; origin: string } | Refusal> {
  const place = await serverOf(reach, plcDirectory, did)
  if (place.kind !== 'server') return place
  const own = await issuerOf(reach, place.origin)
  if (own.kind !== 'issuer') return own
  return own.issuer === new URL(issuer).origin
    ? place
    : rejected(
        'other-server',
        because('bluesky-other-sign-in-server', { host: new URL(issuer).host, server: new URL(place.origin).host }),
      )
}

async function whoIs(reach: Reach, secret: PageSecret): Promise<{ kind: 'account'; account: Account } | Refusal> {
  const session = await xrpc(reach, {
    service: secret.pds,
    nsid: 'com.atproto.server.getSession',
    as: tokenOf(secret),
    reply: CurrentSession,
    timeoutMs: SESSION_TIMEOUT_MS,
  })
  if (session.kind !== 'ok') return refusalOf(session, { doing: 'identify-account', irreversible: false })
  if (session.value.did !== secret.did) return rejected('other-account', because('bluesky-answered-for-other'))
  if (session.value.active === false) return inactive(session.value.status)
  return {
    kind: 'account',
    account: await accountOf(reach, session.value, secret, secret.oauth.server.issuer, session.value.handle),
  }
}

/**
 * Uses the refresh token. If the response is lost, the token may be used up, and using it again makes the server end
 * the sign-in.
 */
export async function refreshByPage(
  reach: Reach,
  we: OAuthClient | undefined,
  secret: PageSecret,
): Promise<RenewAnswer> {
  const { server, clientId, proven, refreshToken, key } = secret.oauth
  const client = clientOf(clientId)
  const proof = await proofOf(proven ? we : undefined)
  const renewed = await talk(reach, secret.oauth, async (options) =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, options),
    ),
  )
  if (renewed.kind !== 'done') return refusalOfRefresh(renewed)
  const tokens = tokensIn(renewed.value)
  if (!tokens || tokens.did !== secret.did)
    return { kind: 'reconnect', reason: { ...because('other-account'), platformCode: 'other-account' } }
  const next: PageSecret = {
    ...secret,
    accessJwt: tokens.accessToken,
    oauth: { ...secret.oauth, refreshToken: tokens.refreshToken, key },
  }
  return { kind: 'refreshed', secret: next, expiresAt: expiryOf(next.accessJwt) }
}

/** Ends a sign-in if its server has a call for it. */
export async function revokeByPage(
  reach: Reach,
  we: OAuthClient | undefined,
  { oauth: { server, clientId, proven, refreshToken, key } }: PageSecret,
): Promise<{ kind: 'revoked' } | Refusal> {
  if (!server.revocation_endpoint) return { kind: 'revoked' }
  // the server only revokes with a key proof, which the library adds to token requests; without one it answers 200 and
  // does nothing (oauth-provider, revoke; test "ends at the server")
  const proof = await proofOf(proven ? we : undefined)
  const endpoint = { issuer: server.issuer, token_endpoint: server.revocation_endpoint }
  const ended = await talk(reach, { server, key }, async (options) =>
    oauth.processRevocationResponse(
      await oauth.genericTokenEndpointRequest(
        endpoint,
        clientOf(clientId),
        proof,
        'revocation',
        { token: refreshToken },
        options,
      ),
    ),
  )
  return ended.kind === 'done' ? { kind: 'revoked' } : refusalOf(ended, { doing: 'end-sign-in', irreversible: false })
}

/** When the server ends the sign-in in any case. */
export const endsAtOf = ({ oauth: { endsAt } }: PageSecret): Date | null =>
  endsAt === null ? null : new Date(endsAt * 1000)

function endOf(accessToken: string): number | null {
  const issued = issuedOf(accessToken)
  return issued === null ? null : issued + PUBLIC_SESSION_SECONDS
}

const clientOf = (clientId: string): oauth.Client => ({ client_id: clientId })

/** How we authenticate: with our key, or only by our ID. */
async function proofOf(client: OAuthClient | undefined): Promise<oauth.ClientAuth> {
  const own = await client?.key?.()
  if (!own) return oauth.None()
  const key = await crypto.subtle.importKey('jwk', own, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  return oauth.PrivateKeyJwt({ key, kid: keyName(own) })
}

type Options = {
  DPoP: oauth.DPoPHandle
  [oauth.customFetch]: ReturnType<typeof wireOf>['fetch']
  [oauth.allowInsecureRequests]: boolean
}

/** One exchange with the authorization server. Refusals and invalid responses are returned as failures of a call. */
async function talk<T>(
  reach: Reach,
  { server, key }: Talk,
  call: (options: Options) => Promise<T>,
): Promise<{ kind: 'done'; value: T } | ReturnType<typeof failedBy>> {
  const wire = wireOf(reach, { timeoutMs: TOKEN_TIMEOUT_MS, maxBytes: MAX_ANSWER })
  const options = {
    DPoP: await dpopOf(key),
    [oauth.customFetch]: wire.fetch,
    [oauth.allowInsecureRequests]: server.issuer.startsWith('http:'),
  }
  try {
    return { kind: 'done', value: await withNonce(() => call(options)) }
  } catch (error) {
    if (wire.last && (wire.last.kind !== 'answer' || wire.last.status >= 400)) return failedBy(wire.last)
    return { kind: 'failed', cause: 'garbled', detail: error instanceof Error ? error.message : 'no sense' }
  }
}

const Granted = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  sub: Did,
  scope: z.string(),
  token_type: z.string(),
})

/** Undefined if the response lacks what the AT Protocol requires: the account, its scope, a refresh token. */
function tokensIn(answered: unknown): { accessToken: string; refreshToken: string; did: string } | undefined {
  const { data } = Granted.safeParse(answered)
  if (
    !data ||
    data.token_type.toLowerCase() !== 'dpop' ||
    !SCOPE.split(' ').every((part) => data.scope.split(' ').includes(part))
  )
    return undefined
  return { accessToken: data.access_token, refreshToken: data.refresh_token, did: data.sub }
}

/** The refusal of a sign-in on the page, with what the person can do about it. */
function refusalOfPage(failed: ReturnType<typeof failedBy>, issuer: string): Refusal {
  const at = new URL(issuer).host
  if (failed.cause === 'garbled') return rejected('bad-answer', because('bluesky-unknown-answer', { host: at }))
  if (failed.cause === 'answered' && failed.status < 500 && failed.status !== 429)
    return rejected(
      failed.code || String(failed.status),
      because('bluesky-sign-in-rejected', { host: at, error: failed.code || undefined }),
    )
  return refusalOf(failed, { doing: 'accept-sign-in', irreversible: false })
}

function refusalOfRefresh(failed: ReturnType<typeof failedBy>): Refusal {
  // the token may be used up: try once more, and count it
  if (failed.cause === 'lost' || failed.cause === 'garbled')
    return { kind: 'unknown', reason: { ...because('renewal-answer-lost'), platformCode: failed.cause } }
  const dead = failed.cause === 'answered' && failed.status < 500 && failed.status !== 429 && failed.code !== ''
  if (dead)
    return {
      kind: 'reconnect',
      reason: { ...because('sign-in-refused', { platform: 'Bluesky' }), platformCode: failed.code },
    }
  return refusalOf(failed, { doing: 'renew-sign-in', irreversible: false })
}
