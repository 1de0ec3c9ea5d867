/*
 * What we are to an account's server: a client of OAuth that is named by the address of its description
 * (atproto.com/specs/oauth). On this machine there is no such address, and the protocol has a name for that too: the
 * loopback client, whose description is its name. Anywhere else without https there is no way to be one.
 */

/** All that an app password may: there is no smaller scope that every server knows. */
export const SCOPE = 'atproto transition:generic'

export type OAuthClient = {
  clientId: string
  /** Where the browser comes back to; the loopback client is not allowed the name localhost there. */
  redirectUri: string
  /** The description that servers read; the loopback client needs none. */
  metadata?: Record<string, unknown>
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The client of an installation at this address; undefined where it can be none. */
export function clientAt(publicUrl: string): OAuthClient | undefined {
  const { protocol, hostname, port } = new URL(publicUrl)
  const redirectUri = `${publicUrl}/oauth/bluesky/callback`
  if (protocol === 'https:') return publicClient(publicUrl, redirectUri)
  if (!LOOPBACK.includes(hostname)) return undefined
  const local = new URL(redirectUri)
  local.hostname = hostname === 'localhost' ? '127.0.0.1' : hostname
  local.port = port
  return { clientId: `http://localhost?${new URLSearchParams({ redirect_uri: local.href, scope: SCOPE }).toString()}`, redirectUri: local.href }
}

function publicClient(publicUrl: string, redirectUri: string): OAuthClient {
  const clientId = `${publicUrl}/oauth/bluesky/client-metadata.json`
  return {
    clientId,
    redirectUri,
    metadata: {
      client_id: clientId,
      client_name: 'Rookery',
      client_uri: publicUrl,
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: SCOPE,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      dpop_bound_access_tokens: true,
    },
  }
}
