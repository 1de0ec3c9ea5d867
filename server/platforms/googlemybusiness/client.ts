import { because, type Reason } from '#contract/failures/catalog.ts'
import { refusalOfGoogle } from '../google.ts'
import { rest, unsure, type RestAnswer, type RestCall, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Reach, Refusal } from '../platform.ts'
import { withSecretOf } from '../secretReader.ts'
import { BusinessSecret } from './schemas.ts'

export const LABEL = 'Google Business Profile'
export const HOSTS = [
  'mybusiness.googleapis.com',
  'mybusinessaccountmanagement.googleapis.com',
  'mybusinessbusinessinformation.googleapis.com',
  'businessprofileperformance.googleapis.com',
] as const
const [POSTS, ACCOUNTS, LOCATIONS, PERFORMANCE] = HOSTS
export const READ_TIMEOUT_MS = 15_000

export const withSecret = withSecretOf(BusinessSecret)

type Asking<T> = Omit<RestCall<T>, 'url' | 'token' | 'timeoutMs'> & { path: string; timeoutMs?: number }
type Token = Pick<BusinessSecret, 'accessToken'>
const at =
  (base: string) =>
  <T>(reach: Reach, { accessToken }: Token, { path, ...more }: Asking<T>): Promise<RestAnswer<T>> =>
    rest(reach, { timeoutMs: READ_TIMEOUT_MS, ...more, url: `https://${base}/${path}`, token: accessToken })
/** Posts are in the old API; accounts and locations each have one of their own. */
export const call = at(`${POSTS}/v4`)
export const callAccounts = at(`${ACCOUNTS}/v1`)
export const callLocations = at(`${LOCATIONS}/v1`)
export const callPerformance = at(`${PERFORMANCE}/v1`)

/** The reason for each refusal by Google (My Business API, error details). */
const named: Partial<Record<string, Reason>> = {
  LOCATION_DISABLED_FOR_LOCAL_POST_API: because('google-location-closed'),
  PHOTO_FETCH_FAILED: because('fetch-failed', { platform: 'Google', file: 'picture' }),
  FETCH_MEDIA_FAILED: because('fetch-failed', { platform: 'Google', file: 'picture' }),
  INVALID_PHONE_NUMBER: because('google-phone-number'),
}

/** What a failed call means for this action. */
export const refusalOf = (failed: RestFailed, step: Step): Refusal =>
  refusalOfGoogle(failed, { label: LABEL, ...step }, named)
/** A failed lookup refuses no post. */
export const unclear = (failed: RestFailed): Refusal =>
  unsure(refusalOf(failed, { doing: 'show-post', irreversible: false }))
