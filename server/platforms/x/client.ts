import { rest, unsure, type RestAnswer, type RestCall, type RestFailed } from '../jsonCalls.ts'
import type { Reach, Refusal } from '../platform.ts'
import { secretReader, withSecretOf } from '../secretReader.ts'
import { refusalOf } from './refusals.ts'
import { XSecret } from './schemas.ts'

const HOST = 'https://api.x.com'
export const READ_TIMEOUT_MS = 10_000

export const readSecret = secretReader(XSecret)
export const withSecret = withSecretOf(XSecret)

/** One call of the API. Reads unless a method is named. */
export const call = <T>(
  reach: Reach,
  { accessToken }: Pick<XSecret, 'accessToken'>,
  { path, ...more }: Omit<RestCall<T>, 'url' | 'token' | 'timeoutMs'> & { path: string; timeoutMs?: number },
): Promise<RestAnswer<T>> =>
  rest(reach, { timeoutMs: READ_TIMEOUT_MS, ...more, url: `${HOST}${path}`, token: accessToken })

/** A failed lookup refuses no post. */
export const unclear = (failed: RestFailed): Refusal =>
  unsure(refusalOf(failed, { doing: 'show-post', irreversible: false }))
