import type { Doing } from '#contract/failures/calls.ts'
import { rest, type RestCall, type RestFailed } from '../jsonCalls.ts'
import type { Reach, Refusal } from '../platform.ts'
import { withSecretOf } from '../secretReader.ts'
import { refusalOf } from './refusals.ts'
import { MastodonSecret } from './schemas.ts'

export const READ_TIMEOUT_MS = 15_000

export const withSecret = withSecretOf(MastodonSecret)

export const hostOf = ({ origin }: Pick<MastodonSecret, 'origin'>): string => new URL(origin).host

/** A call to the account's own server. Reads unless a method is named. */
export const call = <T>(
  reach: Reach,
  { origin, accessToken }: Pick<MastodonSecret, 'origin' | 'accessToken'>,
  { path, ...more }: Omit<RestCall<T>, 'url' | 'token' | 'timeoutMs'> & { path: string; timeoutMs?: number },
) => rest(reach, { timeoutMs: READ_TIMEOUT_MS, ...more, url: `${origin}${path}`, token: accessToken })

export const refused = (failed: RestFailed, secret: MastodonSecret, doing: Doing, irreversible = false): Refusal =>
  refusalOf(failed, { host: hostOf(secret), doing, irreversible })
