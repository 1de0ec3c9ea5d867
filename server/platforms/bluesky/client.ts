import type { ClientKey } from '../platform.ts'

/*
 * What we are to an account's server: a client of OAuth that is named by the address of its description
 * (atproto.com/specs/oauth). On this machine there is no such address, and the protocol has a name for that too: the
 * loopback client, whose description is its name. Anywhere else without https there is no way to be one.
 *
 * A client that proves itself by a key of its own keeps its sign-ins for as long as it uses them; those of one that anyone
 * could be, as the loopback client is, end after two weeks.
 */

/** All that an app password may, with its access to chat: there is no smaller scope that every server knows. */
export const SCOPE = 'atproto transition:generic transition:chat.bsky'

export type OAuthClient = {
  clientId: string
  /** Where the browser comes back to; the loopback client is not allowed the name localhost there. */
  redirectUri: string
  /** The description that servers read; the loopback client needs none. */
  metadata?: () => Promise<Record<string, unknown>>
  /** The key that proves who we are; the loopback client has none. */
  key?: () => Promise<ClientKey>
}

/** The name of a key among those of the description. */
export const keyName = (key: ClientKey): string => key.x.slice(0, 16)

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The client of an installation at this address; undefined where it can be none. */
export function clientAt(publicUrl: string, key?: () => Promise<ClientKey>): OAuthClient | undefined {
  const { protocol, hostname, port } = new URL(publicUrl)
  const redirectUri = `${publicUrl}/oauth/bluesky/callback`
  if (protocol === 'https:') return describedClient(publicUrl, redirectUri, key)
  if (!LOOPBACK.includes(hostname)) return undefined
  const local = new URL(redirectUri)
  local.hostname = hostname === 'localhost' ? '127.0.0.1' : hostname
  local.port = port
  return {
    clientId: `http://localhost?${new URLSearchParams({ redirect_uri: local.href, scope: SCOPE }).toString()}`,
    redirectUri: local.href,
  }
}

function describedClient(
  publicUrl: string,
  redirectUri: string,
  key: (() => Promise<ClientKey>) | undefined,
): OAuthClient {
  const clientId = `${publicUrl}/oauth/bluesky/client-metadata.json`
  const metadata = async () => ({
    client_id: clientId,
    client_name: 'Rookery',
    client_uri: publicUrl,
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: SCOPE,
    redirect_uris: [redirectUri],
    dpop_bound_access_tokens: true,
    ...(key ? provenBy(await key()) : { token_endpoint_auth_method: 'none' }),
  })
  return { clientId, redirectUri, metadata, ...(key && { key }) }
}

function provenBy(key: ClientKey): Record<string, unknown> {
  const { d: _, ...shared } = key
  return {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks: { keys: [{ ...shared, kid: keyName(key), use: 'sig', alg: 'ES256' }] },
  }
}
