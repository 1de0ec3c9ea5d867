import { describe, expect, it } from 'vitest'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { windowFigures, type FigureName } from '#contract/analytics/catalog/names.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { scriptedFetch, type Step } from '../testing/scriptedFetch.ts'
import { secondsOfDay } from './graphInsights.ts'
import type { AccountFigures } from './account.ts'
import { composePlatforms } from './registry.ts'

/* What each platform reports about an account, with its gaps, delays, missing rights and retired names. */

const platforms = composePlatforms({ plcDirectory: 'https://plc.directory', publicUrl: 'https://rookery.test' })
const account = { remoteId: '77', handle: '@rook', service: null }
const range = { from: '2026-11-18', to: '2026-11-19' }
const later = '2027-01-01T00:00:00.000Z'
const RIGHTS = {
  facebook: ['read_insights'],
  instagram: ['instagram_business_manage_insights'],
  threads: ['threads_manage_insights'],
  linkedin: ['rw_organization_admin'],
  tiktok: ['user.info.stats'],
  youtube: ['https://www.googleapis.com/auth/yt-analytics.readonly'],
} as const
const common = {
  accessToken: 'token_1',
  refreshToken: 'refresh_1',
  endsAt: later,
  refreshEndsAt: later,
  clientId: 'app',
}
const secretOf = (key: PlatformKey, scopes: readonly string[]) => ({
  ...common,
  issuedAt: '2026-11-01T00:00:00.000Z',
  login: 'instagram',
  pageId: '77',
  userId: '77',
  author: 'urn:li:organization:77',
  sandbox: false,
  channelId: 'UC77',
  parent: 'accounts/1/locations/77',
  mapsUri: null,
  openId: '77',
  origin: 'https://birds.example',
  clientSecret: 'hush',
  domain: 'birds.example',
  username: 'rook',
  limits: { attachments: 4, imageBytes: 1, videoBytes: 1, types: null, description: 1 },
  scopes: [...scopes],
  ...(key === 'bluesky' && {
    did: 'did:plc:rook',
    pds: 'https://pds.example',
    accessJwt: 'a',
    refreshJwt: 'b',
    appPassword: 'c',
  }),
})

function on(
  key: PlatformKey,
  steps: Step[],
  scopes: readonly string[] = Object.entries(RIGHTS).find(([own]) => own === key)?.[1] ?? [],
) {
  const fetch = scriptedFetch(key, steps)
  const reach = { fetch, signal: new AbortController().signal, app: { clientId: 'app', clientSecret: 'hush' } }
  const figures: AccountFigures = platforms(key)?.account ?? {}
  const secret = secretOf(key, scopes)
  return {
    fetch,
    series: () => figures.series?.read(reach, secret, account, range),
    windows: () => figures.windows?.read(reach, secret, account, '2026-11-19'),
    snapshot: () => figures.snapshot?.(reach, secret, account),
    audience: () => figures.audience?.(reach, secret, account, '2026-11-21'),
  }
}
const graphError = (code: number): Step => ({
  status: 400,
  json: { error: { message: 'No', type: 'OAuthException', code, fbtrace_id: 'x' } },
})
const total = (name: string, value: unknown) => ({ name, period: 'day', total_value: { value } })

describe('facebook', () => {
  const values = (name: string, ...told: (number | null)[]) => ({
    name,
    values: told.map((value, i) => ({ ...(value !== null && { value }), end_time: `2026-11-${19 + i}T08:00:00+0000` })),
  })
  it('has a day of values under the day that ends at their time, and gaps where there are none', async () => {
    const { series, fetch } = on('facebook', [
      { json: { data: [values('page_media_view', 40, null), values('page_follows', 120, 121)] } },
    ])
    expect(await series()).toEqual({
      kind: 'series',
      days: [
        { day: '2026-11-18', figures: { views: 40, followers: 120 } },
        { day: '2026-11-19', figures: { followers: 121 } },
      ],
    })
    expect(fetch.asked[0]?.url.searchParams.get('until')).toBe('2026-11-20')
  })
  it('reads name by name when Facebook has retired one, which fails the whole call', async () => {
    const { series, fetch } = on('facebook', [
      graphError(100),
      { json: { data: [values('page_media_view', 40)] } },
      graphError(100),
      ...[1, 2, 3, 4].map(() => ({ json: { data: [] } })),
    ])
    expect(await series()).toEqual({ kind: 'series', days: [{ day: '2026-11-18', figures: { views: 40 } }] })
    expect(fetch.asked).toHaveLength(7)
  })
  it('has the people of 7 and of 28 days as Facebook counts them, or none where it tells none', async () => {
    const { windows, fetch } = on('facebook', [
      { json: { data: [values('page_total_media_view_unique', 4100, 4200)] } },
      { json: { data: [] } },
    ])
    expect(await windows()).toEqual({ kind: 'windows', figures: { reach7: 4200 } })
    expect(fetch.asked.map(({ url }) => Object.fromEntries(url.searchParams))).toMatchObject(
      ['week', 'days_28'].map((period) => ({ period, since: '2026-11-19', until: '2026-11-20' })),
    )
    const retired = on('facebook', [graphError(100), graphError(100)])
    expect(await retired.windows()).toEqual({ kind: 'windows', figures: {} })
    expect(await on('facebook', [graphError(190)]).windows()).toMatchObject({ kind: 'reconnect' })
    expect(await on('facebook', [graphError(4)]).windows()).toMatchObject({ kind: 'retry' })
    expect(await on('facebook', [], []).windows()).toEqual({ kind: 'rights', missing: ['read_insights'] })
  })
})

describe('instagram', () => {
  it('has each day as a call of its own, from midnight to midnight in California, and follows by type', async () => {
    const follows = {
      name: 'follows_and_unfollows',
      total_value: {
        breakdowns: [
          {
            dimension_keys: ['follow_type'],
            results: [
              { dimension_values: ['FOLLOWER'], value: 6 },
              { dimension_values: ['NON_FOLLOWER'], value: 2 },
            ],
          },
        ],
      },
    }
    const { series, fetch } = on('instagram', [
      { json: { data: [total('views', 90), total('likes', -1)] } },
      { json: { data: [follows] } },
      // an empty set, and an account with too few followers for the rest
      { json: { data: [{ name: 'views', values: [] }] } },
      graphError(10),
    ])
    expect(await series()).toEqual({
      kind: 'series',
      days: [
        { day: '2026-11-18', figures: { views: 90, reactions: -1, followersGained: 6, followersLost: 2 } },
        { day: '2026-11-19', figures: {} },
      ],
    })
    const { since, until } = Object.fromEntries(fetch.asked[0]?.url.searchParams ?? [])
    expect([since, until]).toEqual([String(Date.UTC(2026, 10, 18, 8) / 1000), String(Date.UTC(2026, 10, 19, 8) / 1000)])
  })
  it('has the accounts of 7 and of 28 days as the total of one range each, or none of small accounts', async () => {
    const { windows, fetch } = on('instagram', [
      { json: { data: [total('reach', 2100)] } },
      { json: { data: [{ name: 'reach', values: [] }] } },
    ])
    expect(await windows()).toEqual({ kind: 'windows', figures: { reach7: 2100 } })
    const asked = fetch.asked.map(({ url }) => Object.fromEntries(url.searchParams))
    const until = String(Date.UTC(2026, 10, 20, 8) / 1000)
    // from midnight to midnight in California, across the change of its clocks
    expect(asked).toMatchObject([
      {
        metric: 'reach',
        period: 'day',
        metric_type: 'total_value',
        since: String(Date.UTC(2026, 10, 13, 8) / 1000),
        until,
      },
      { since: String(Date.UTC(2026, 9, 23, 7) / 1000), until },
    ])
    const small = on('instagram', [graphError(10), graphError(10)])
    expect(await small.windows()).toEqual({ kind: 'windows', figures: {} })
    expect(await on('instagram', [graphError(4)]).windows()).toMatchObject({ kind: 'retry' })
    expect(await on('instagram', [], []).windows()).toMatchObject({ kind: 'rights' })
  })
  it('has days of 23 and 25 hours when clocks change', () => {
    const hours = (day: string) => (Number(secondsOfDay(day).until) - Number(secondsOfDay(day).since)) / 3600
    expect([hours('2026-03-08'), hours('2026-03-09'), hours('2026-11-01')]).toEqual([23, 24, 25])
  })
  it('has an audience by age, gender, country and city, or none for small accounts', async () => {
    const ages = {
      name: 'follower_demographics',
      total_value: { breakdowns: [{ results: [{ dimension_values: ['25-34'], value: 40 }] }] },
    }
    const { audience } = on('instagram', [{ json: { data: [ages] } }, graphError(10), graphError(10), graphError(10)])
    expect(await audience()).toEqual({ kind: 'audience', buckets: [{ breakdown: 'age', bucket: '25-34', value: 40 }] })
  })
})

it('threads has the totals of each day, and the followers of now', async () => {
  const { series } = on('threads', [
    {
      json: {
        data: [{ name: 'views', values: [{ value: 12 }] }, total('likes', 3), total('reposts', 1), total('quotes', 2)],
      },
    },
    { json: { data: [] } },
  ])
  expect(await series()).toEqual({
    kind: 'series',
    days: [
      { day: '2026-11-18', figures: { profileViews: 12, reactions: 3, shares: 3, reposts: 1, quotes: 2 } },
      { day: '2026-11-19', figures: {} },
    ],
  })
  const { snapshot } = on('threads', [{ json: { data: [total('followers_count', 512)] } }])
  expect(await snapshot()).toEqual({ kind: 'snapshot', figures: { followers: 512 } })
})

it('youtube has rows of the days with data, in whole units, and hides hidden subscribers', async () => {
  const header = (name: string) => ({ name, columnType: 'METRIC', dataType: 'INTEGER' })
  const { series, fetch } = on('youtube', [
    {
      json: {
        kind: 'youtubeAnalytics#resultTable',
        columnHeaders: [
          'day',
          'views',
          'estimatedMinutesWatched',
          'averageViewDuration',
          'averageViewPercentage',
          'subscribersLost',
        ].map(header),
        rows: [['2026-11-18', 10, 7, 42, 38.25, 1]],
      },
    },
  ])
  expect(await series()).toEqual({
    kind: 'series',
    days: [
      {
        day: '2026-11-18',
        figures: { views: 10, watchSeconds: 420, averageWatchMs: 42_000, averageWatchedShare: 3825, followersLost: 1 },
      },
    ],
  })
  expect(fetch.asked[0]?.url.searchParams.get('ids')).toBe('channel==MINE')
  const { snapshot } = on('youtube', [
    { json: { items: [{ statistics: { subscriberCount: '0', hiddenSubscriberCount: true, videoCount: '12' } }] } },
  ])
  expect(await snapshot()).toEqual({ kind: 'snapshot', figures: { posts: 12 } })
})

it('google business profile adds desktop and mobile, and leaves out days that Google has no value for yet', async () => {
  const metric = (dailyMetric: string, ...values: (string | undefined)[]) => ({
    dailyMetric,
    timeSeries: {
      datedValues: values.map((value, i) => ({
        date: { year: 2026, month: 11, day: 18 + i },
        ...(value !== undefined && { value }),
      })),
    },
  })
  const { series } = on('googlemybusiness', [
    {
      json: {
        multiDailyMetricTimeSeries: [
          {
            dailyMetricTimeSeries: [
              metric('BUSINESS_IMPRESSIONS_DESKTOP_SEARCH', '5', undefined),
              metric('BUSINESS_IMPRESSIONS_MOBILE_SEARCH', '7', undefined),
              metric('WEBSITE_CLICKS', '2', undefined),
            ],
          },
        ],
      },
    },
  ])
  expect(await series()).toEqual({
    kind: 'series',
    days: [
      {
        day: '2026-11-18',
        figures: { impressions: 12, searchImpressions: 12, profileActions: 2, websiteClicks: 2 },
      },
    ],
  })
})

it('pinterest has the days that are ready, and no others', async () => {
  const day = (date: string, data_status: string) => ({
    date,
    data_status,
    metrics: { IMPRESSION: 40, PIN_CLICK: 3, OUTBOUND_CLICK: 1 },
  })
  const { series } = on('pinterest', [
    { json: { all: { daily_metrics: [day('2026-11-18', 'READY'), day('2026-11-19', 'PROCESSING')] } } },
  ])
  expect(await series()).toEqual({
    kind: 'series',
    days: [{ day: '2026-11-18', figures: { impressions: 40, clicks: 4, linkClicks: 1 } }],
  })
})

it('linkedin has shares, followers and page views of a Page, of which reactions can be negative', async () => {
  const timeRange = { start: Date.UTC(2026, 10, 18), end: Date.UTC(2026, 10, 19) }
  const shares = {
    impressionCount: 40,
    uniqueImpressionsCount: 30,
    clickCount: 2,
    likeCount: -1,
    commentCount: 0,
    shareCount: 1,
  }
  const { series } = on('linkedin', [
    { json: { elements: [{ timeRange, totalShareStatistics: shares }] } },
    { json: { elements: [{ timeRange, followerGains: { organicFollowerGain: 4, paidFollowerGain: 1 } }] } },
    { json: { elements: [] } },
  ])
  expect(await series()).toEqual({
    kind: 'series',
    days: [
      {
        day: '2026-11-18',
        figures: { impressions: 40, reach: 30, clicks: 2, reactions: -1, comments: 0, shares: 1, followersGained: 5 },
      },
    ],
  })
})

it.each([
  [
    'x',
    { data: { id: '77', name: 'Rook', username: 'rook', public_metrics: { followers_count: 9, tweet_count: 4 } } },
    { followers: 9, posts: 4 },
  ],
  ['mastodon', { followers_count: 9, statuses_count: 4 }, { followers: 9, posts: 4 }],
  [
    'tiktok',
    { data: { user: { follower_count: 9, likes_count: 80, video_count: 4 } }, error: { code: 'ok', message: '' } },
    { followers: 9, likesReceived: 80, posts: 4 },
  ],
  ['pinterest', { username: 'rook', follower_count: 9, pin_count: 4 }, { followers: 9, posts: 4 }],
] as const)('%s has the values of now', async (key, json, figures) => {
  expect(await on(key, [{ json }]).snapshot()).toEqual({ kind: 'snapshot', figures })
})

it.each(Object.entries(RIGHTS))('%s names the right that a sign-in lacks, without a call', async (name, rights) => {
  const key = platformKeys.find((one) => one === name) ?? 'x'
  const { series, snapshot, fetch } = on(key, [], [])
  expect(await (platforms(key)?.account?.series ? series() : snapshot())).toEqual({ kind: 'rights', missing: rights })
  expect(fetch.asked).toEqual([])
})

const isWindow = ({ name }: { name: FigureName }) => windowFigures.some((one) => one.name === name)
it('every platform that has figures of channels in the catalog can read them', () => {
  for (const key of platformKeys) {
    const { series, snapshot, audience, windows } = platforms(key)?.account ?? {}
    const { channel: all, audience: told } = platformFigures[key]
    const [over, channel] = [all.filter(isWindow), all.filter((one) => !isWindow(one))]
    expect(windows !== undefined, key).toBe(over.length > 0)
    expect(series !== undefined, key).toBe(channel.some(({ historyDays }) => historyDays !== 0))
    expect(snapshot !== undefined, key).toBe(channel.some(({ historyDays }) => historyDays === 0))
    expect(audience !== undefined, key).toBe(told !== undefined)
  }
})
