import { secretReader, withSecretOf } from '../secretReader.ts'
import { BlueskySecret } from './schemas.ts'
import type { Token } from './xrpc.ts'

export const readSecret = secretReader(BlueskySecret)
export const withSecret = withSecretOf(BlueskySecret)

/** The token for calls on the account's behalf. */
export const tokenOf = (session: BlueskySecret): Token =>
  'oauth' in session ? { token: session.accessJwt, key: session.oauth.key } : { token: session.accessJwt }
