import type { Refusal, Secret } from '../platform.ts'
import { BlueskySecret } from './schemas.ts'

/** Reads a channel's secret; one that is not ours any more needs a person. */
export function readSecret(secret: Secret): { kind: 'secret'; value: BlueskySecret } | Refusal {
  const parsed = BlueskySecret.safeParse(secret)
  if (parsed.success) return { kind: 'secret', value: parsed.data }
  return { kind: 'reconnect', reason: { text: 'The saved sign-in of this channel cannot be read.', advice: 'Reconnect the channel with an app password.', platformCode: 'unreadable-secret' } }
}
