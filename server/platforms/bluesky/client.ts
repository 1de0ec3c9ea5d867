import type { ClientKey } from '../platform.ts'

/*
 * Our OAuth client for accounts' servers. Its ID is the URL of its metadata (atproto.com/specs/oauth). On a local
 * address there is no such URL, so we use the protocol's loopback client, whose ID contains its metadata. Other
 * addresses without https can't have a client.
 *
 * A client that authenticates with its own key keeps its sign-ins as long as it uses them. Those of public clients,
 * such as the loopback client, end after two weeks.
 */

/** Everything that an app password allows, with chat: no smaller scope is known to all servers. */
export const SCOPE = 'atproto transition:generic transition:chat.bsky'

export type OAuthClient = {
  clientId: string
  /** Where the browser returns; the loopback client can't use the name localhost here. */
  redirectUri: string
  /** The client metadata that servers read; the loopback client needs none. */
  metadata?: () => Promise<Record<string, unknown>>
  /** The key that authenticates us; the loopback client has none. */
  key?: () => Promise<ClientKey>
}

/** The key's ID in the client metadata. */
export const keyName = (key: ClientKey): string => key.x.slice(0, 16)

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The client of an installation at this address; undefined if it can't have one. */
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
