import { because } from '#contract/failures/catalog.ts'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { Reach, Refusal } from '../platform.ts'
import { wireOf } from './dpop.ts'
import { originOf } from './directory.ts'
import { refusalOf, rejected } from './refusals.ts'
import { ResolvedHandle } from './schemas.ts'
import { failedBy, readJson, xrpc } from './xrpc.ts'

/** Where Bluesky's own accounts sign in; it's the authorization server of its many data servers. */
export const ENTRYWAY = 'https://bsky.social'
const TIMEOUT_MS = 8_000
const MAX_METADATA = 100_000

/** An authorization server with everything that the AT Protocol requires. */
export type SignInServer = oauth.AuthorizationServer & {
  authorization_endpoint: string
  pushed_authorization_request_endpoint: string
  token_endpoint: string
}

const ProtectedResource = z.object({ authorization_servers: z.array(z.string()).min(1) })
const readingMetadata = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_METADATA }

/** The authorization server of the accounts at this origin, as the server itself publishes it (RFC 9728). */
export async function issuerOf(reach: Reach, origin: string): Promise<{ kind: 'issuer'; issuer: string } | Refusal> {
  const answer = await reach.fetch(`${origin}/.well-known/oauth-protected-resource`, {
    ...readingMetadata,
    headers: { accept: 'application/json' },
    signal: reach.signal,
  })
  const at = new URL(origin).host
  if (answer.kind === 'unsent' && answer.why === 'address-refused')
    return rejected('address-refused', because('bluesky-address-not-public', { host: at }))
  if (answer.kind !== 'answer') return refusalOf(failedBy(answer), { doing: 'accept-sign-in', irreversible: false })
  const read = answer.status === 200 ? ProtectedResource.safeParse(readJson(answer.body)) : undefined
  const issuer = originOf(read?.data?.authorization_servers[0] ?? '')
  return issuer
    ? { kind: 'issuer', issuer }
    : rejected('not-a-server', because('bluesky-no-sign-in-page', { host: at }))
}

/** The authorization server's metadata (RFC 8414), with everything in it that we rely on. */
export async function describe(
  reach: Reach,
  issuer: string,
): Promise<{ kind: 'server'; server: SignInServer } | Refusal> {
  const wire = wireOf(reach, readingMetadata)
  const options = {
    algorithm: 'oauth2',
    [oauth.customFetch]: wire.fetch,
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  } as const
  try {
    const server = await oauth.processDiscoveryResponse(
      new URL(issuer),
      await oauth.discoveryRequest(new URL(issuer), options),
    )
    const { authorization_endpoint: page, pushed_authorization_request_endpoint: push, token_endpoint: token } = server
    // the browser is sent to the first, codes and tokens to the others
    if (page && push && token && [page, push, token].every(originOf))
      return {
        kind: 'server',
        server: {
          ...server,
          authorization_endpoint: page,
          pushed_authorization_request_endpoint: push,
          token_endpoint: token,
        },
      }
  } catch {
    // failures of the server's response are described below
    if (wire.last && wire.last.kind !== 'answer')
      return refusalOf(failedBy(wire.last), { doing: 'accept-sign-in', irreversible: false })
  }
  return rejected('not-a-server', because('bluesky-no-sign-in-description', { host: new URL(issuer).host }))
}

/** The origin that a person means by a server or a handle: `bsky.social`, `pds.example.com`, `name.example.com`. */
export async function findServer(
  reach: Reach,
  typed: string | undefined,
  serverOfDid: (did: string) => Promise<{ kind: 'server'; origin: string } | Refusal>,
): Promise<{ kind: 'issuer'; issuer: string } | Refusal> {
  if (!typed) return await issuerOf(reach, ENTRYWAY)
  const name = typed.replace(/^@/, '')
  const origin = originOf(name) ?? originOf(`https://${name}`)
  const isLocal = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(name)
  const direct = origin ? await issuerOf(reach, isLocal ? `http://${name}` : origin) : undefined
  if (direct?.kind === 'issuer' || isLocal) return direct ?? noServer(name)
  // a handle: its account says which server it's on
  const found = await xrpc(reach, {
    service: ENTRYWAY,
    nsid: 'com.atproto.identity.resolveHandle',
    params: { handle: name.toLowerCase() },
    reply: ResolvedHandle,
    timeoutMs: TIMEOUT_MS,
  })
  if (found.kind !== 'ok') return direct ?? noServer(name)
  const server = await serverOfDid(found.value.did)
  return server.kind === 'server' ? await issuerOf(reach, server.origin) : server
}

const noServer = (name: string): Refusal => rejected('not-a-server', because('bluesky-nobody', { name }))
