import type { AudienceBreakdown } from '#contract/analytics/catalog/define.ts'
import type { InsightsAudience } from '#contract/analytics/overview.ts'

type Buckets = InsightsAudience['breakdowns'][number]['buckets']
type Unit = InsightsAudience['breakdowns'][number]['unit']

const names: Record<AudienceBreakdown, string> = {
  age: 'Age',
  gender: 'Gender',
  country: 'Country',
  city: 'City',
  industry: 'Industry',
  seniority: 'Seniority',
  trafficSource: 'Traffic source',
}
/** What a breakdown is called. */
export const breakdownName = (breakdown: string): string => (isKnown(breakdown) ? names[breakdown] : inWords(breakdown))
const isKnown = (breakdown: string): breakdown is AudienceBreakdown => Object.hasOwn(names, breakdown)

/** What the values of a breakdown are. */
export const unitNames: Record<Unit, string> = { people: 'Followers', views: 'Views', share: 'Share' }

const genders: Record<string, string> = {
  f: 'Women',
  female: 'Women',
  m: 'Men',
  male: 'Men',
  u: 'Not known',
  user_specified: 'Other',
}
const sources: Record<string, string> = {
  YT_SEARCH: 'YouTube search',
  SUBSCRIBER: 'Subscriptions and home',
  RELATED_VIDEO: 'Suggested videos',
  EXT_URL: 'Other sites',
  SHORTS: 'Shorts feed',
  YT_CHANNEL: 'Channel pages',
  YT_OTHER_PAGE: 'Other YouTube pages',
  NO_LINK_OTHER: 'Direct or unknown',
  NO_LINK_EMBEDDED: 'Embedded players',
  PLAYLIST: 'Playlists',
  NOTIFICATION: 'Notifications',
  END_SCREEN: 'End screens',
  HASHTAGS: 'Hashtag pages',
  ADVERTISING: 'Ads',
}
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** What a bucket is called; platforms say codes for some. */
export function bucketName(breakdown: string, bucket: string): string {
  if (breakdown === 'country') return /^[A-Z]{2}$/.test(bucket) ? (regions.of(bucket) ?? bucket) : bucket
  if (breakdown === 'gender') return genders[bucket.toLowerCase()] ?? inWords(bucket)
  if (breakdown === 'trafficSource') return sources[bucket] ?? inWords(bucket)
  return breakdown === 'age' ? bucket.replace(/^age/, '') : bucket
}

/** "SOME_NEW_ONE" as "Some new one" */
function inWords(code: string): string {
  const words = code.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Ages from the youngest, everything else from the largest. */
export const bucketsInOrder = (breakdown: string, buckets: Buckets): Buckets =>
  breakdown === 'age'
    ? buckets.toSorted((one, other) =>
        bucketName('age', one.bucket).localeCompare(bucketName('age', other.bucket), 'en', { numeric: true }),
      )
    : buckets
