import { refusalOfGoogle } from '../google.ts'
import { rest, unsure, type RestAnswer, type RestCall, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Reach, Reason, Refusal } from '../platform.ts'
import { withSecretOf } from '../secretReader.ts'
import { BusinessSecret } from './schemas.ts'

export const LABEL = 'Google Business Profile'
export const HOSTS = [
  'mybusiness.googleapis.com',
  'mybusinessaccountmanagement.googleapis.com',
  'mybusinessbusinessinformation.googleapis.com',
] as const
const [POSTS, ACCOUNTS, LOCATIONS] = HOSTS
export const READ_TIMEOUT_MS = 15_000

export const withSecret = withSecretOf(BusinessSecret)

type Asking<T> = Omit<RestCall<T>, 'url' | 'token' | 'timeoutMs'> & { path: string; timeoutMs?: number }
type Token = Pick<BusinessSecret, 'accessToken'>
const at =
  (base: string) =>
  <T>(reach: Reach, { accessToken }: Token, { path, ...more }: Asking<T>): Promise<RestAnswer<T>> =>
    rest(reach, { timeoutMs: READ_TIMEOUT_MS, ...more, url: `https://${base}/${path}`, token: accessToken })
/** Posts live in the old API; accounts and locations each in one of their own. */
export const call = at(`${POSTS}/v4`)
export const callAccounts = at(`${ACCOUNTS}/v1`)
export const callLocations = at(`${LOCATIONS}/v1`)

/** What Google will not take, by its own reasons (My Business API, error details). */
const named: Partial<Record<string, Omit<Reason, 'platformCode'>>> = {
  LOCATION_DISABLED_FOR_LOCAL_POST_API: {
    text: 'Google does not let this location publish posts from outside.',
    advice: 'Chains of ten locations and more, and some kinds of business, cannot. Publish at Google itself.',
  },
  PHOTO_FETCH_FAILED: {
    text: 'Google could not fetch the picture from here.',
    advice:
      'Whoever runs this installation checks that its address can be reached from the outside. Then send the post again.',
  },
  FETCH_MEDIA_FAILED: {
    text: 'Google could not fetch the picture from here.',
    advice:
      'Whoever runs this installation checks that its address can be reached from the outside. Then send the post again.',
  },
  INVALID_PHONE_NUMBER: {
    text: 'Google takes no phone number in the text.',
    advice: 'Take it out, and use the button "Call now".',
  },
}

/** What a failed call means for what was being done. */
export const refusalOf = (failed: RestFailed, step: Step): Refusal =>
  refusalOfGoogle(failed, { label: LABEL, ...step }, named)
/** A look that failed refuses no post. */
export const unclear = (failed: RestFailed): Refusal =>
  unsure(refusalOf(failed, { doing: 'show the post', irreversible: false }))
