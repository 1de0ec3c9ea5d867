import { rest, unsure, type RestAnswer, type RestCall, type RestFailed } from '../jsonCalls.ts'
import type { Reach, Refusal, Secret } from '../platform.ts'
import { refusalOf } from './refusals.ts'
import { XSecret } from './schemas.ts'

const HOST = 'https://api.x.com'
export const READ_TIMEOUT_MS = 10_000

/** Reads a channel's secret; one that is not ours any more needs a person. */
export function readSecret(secret: Secret): { kind: 'secret'; value: XSecret } | Refusal {
  const parsed = XSecret.safeParse(secret)
  if (parsed.success) return { kind: 'secret', value: parsed.data }
  return { kind: 'reconnect', reason: { text: 'The saved sign-in of this channel cannot be read.', advice: 'Reconnect the channel.', platformCode: 'unreadable-secret' } }
}

/** One call of the API. Reads unless a method is named. */
export const call = <T>(reach: Reach, { accessToken }: Pick<XSecret, 'accessToken'>, { path, ...more }: Omit<RestCall<T>, 'url' | 'token' | 'timeoutMs'> & { path: string; timeoutMs?: number }): Promise<RestAnswer<T>> =>
  rest(reach, { timeoutMs: READ_TIMEOUT_MS, ...more, url: `${HOST}${path}`, token: accessToken })

/** A look that failed refuses no post. */
export const unclear = (failed: RestFailed): Refusal => unsure(refusalOf(failed, { doing: 'show the post', irreversible: false }))
