import type { Refusal, Secret } from '../platform.ts'
import { BlueskySecret } from './schemas.ts'
import type { Token } from './xrpc.ts'

/** Reads a channel's secret; one that is not ours any more needs a person. */
export function readSecret(secret: Secret): { kind: 'secret'; value: BlueskySecret } | Refusal {
  const parsed = BlueskySecret.safeParse(secret)
  if (parsed.success) return { kind: 'secret', value: parsed.data }
  return { kind: 'reconnect', reason: { text: 'The saved sign-in of this channel cannot be read.', advice: 'Reconnect the channel.', platformCode: 'unreadable-secret' } }
}

/** What calls for the account are signed in with. */
export const tokenOf = (session: BlueskySecret): Token => ('oauth' in session ? { token: session.accessJwt, key: session.oauth.key } : { token: session.accessJwt })
