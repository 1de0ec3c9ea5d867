import { rest, type RestCall } from '../jsonCalls.ts'
import type { Reach } from '../platform.ts'
import { secretReader, withSecretOf } from '../secretReader.ts'
import { LinkedInSecret } from './schemas.ts'

export const API = 'https://api.linkedin.com'
export const READ_TIMEOUT_MS = 15_000
/** Required; a version ends about a year after its month (learn.microsoft.com/linkedin, versioning). */
const VERSION = '202605'

export const readSecret = secretReader(LinkedInSecret)
export const withSecret = withSecretOf(LinkedInSecret)

/** A call to the versioned API. Reads unless a method is named. */
export const call = <T>(
  reach: Reach,
  { accessToken }: Pick<LinkedInSecret, 'accessToken'>,
  { path, headers, ...more }: Omit<RestCall<T>, 'url' | 'token' | 'timeoutMs'> & { path: string; timeoutMs?: number },
) =>
  rest(reach, {
    timeoutMs: READ_TIMEOUT_MS,
    ...more,
    url: `${API}${path}`,
    token: accessToken,
    headers: { 'LinkedIn-Version': VERSION, 'X-Restli-Protocol-Version': '2.0.0', ...headers },
  })

/** URNs are percent-encoded in paths and queries, but the parentheses and commas of lists aren't (Rest.li 2.0). */
export const encoded = (urn: string): string => encodeURIComponent(urn)
/** Whether the channel is a Page; else it is a member's profile. */
export const isOrganization = ({ author }: Pick<LinkedInSecret, 'author'>): boolean =>
  author.startsWith('urn:li:organization:')
