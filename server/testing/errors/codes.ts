import type { ReasonCode } from '#contract/failures/catalog.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Step } from '../scriptedFetch.ts'
import { CANARY, localPost, ofTikTok, type stages } from './stages.ts'

/*
 * Every known error code of a platform, the response that contains it, and what a person then reads. If the collected
 * facts about the platforms are available, the test compares their codes (section 7) with these.
 */

export type Column = 'dead' | 'slow' | 'duplicate' | 'permanent'
/** `renew` and `prepare` are temporary refusals with what has to be done first; `close` closes the account's budget. */
type Outcome = 'retry' | 'close' | 'renew' | 'prepare' | 'reconnect' | 'rejected' | 'unknown' | 'preparing'
export type Known<P extends PlatformKey = PlatformKey> = {
  /** Its name in the collected facts. */
  code: string
  column: Column
  at: keyof (typeof stages)[P] & string
  says: Step | readonly Step[]
  outcome: Outcome
  /** What a person reads, as a code of the catalog. */
  told: ReasonCode
}

type Row<P extends PlatformKey> = readonly [
  code: string,
  at: keyof (typeof stages)[P] & string,
  says: Known['says'],
  outcome: Outcome,
  told: ReasonCode,
]
const rows = <P extends PlatformKey>(column: Column, ...list: readonly Row<P>[]): Known<P>[] =>
  list.map(([code, at, says, outcome, told]) => ({ code, column, at, says, outcome, told }))

const words = `Words of the platform about ${CANARY}`
const graph = (code: number, subcode?: number, message = words, status = 400): Step => ({
  status,
  json: { error: { message, type: 'OAuthException', code, ...(subcode !== undefined && { error_subcode: subcode }) } },
})

/** What Meta's three platforms share. `at` creates nothing, `send` creates a post. */
const ofMeta = <P extends 'facebook' | 'instagram' | 'threads'>(at: Row<P>[1], send: Row<P>[1]): Known<P>[] => [
  ...rows<P>(
    'dead',
    ['190', at, graph(190), 'reconnect', 'sign-in-refused'],
    ['458', at, graph(190, 458), 'reconnect', 'app-removed'],
    ['459', at, graph(190, 459), 'reconnect', 'sign-in-there-first'],
    ['460', at, graph(190, 460), 'reconnect', 'password-changed'],
    ['463', at, graph(190, 463), 'reconnect', 'sign-in-expired'],
    ['464', at, graph(190, 464), 'reconnect', 'sign-in-there-first'],
    ['467', at, graph(190, 467), 'reconnect', 'sign-in-refused'],
    ['492', at, graph(190, 492), 'reconnect', 'page-role-lost'],
    ['102', at, graph(102), 'reconnect', 'sign-in-refused'],
  ),
  ...rows<P>(
    'slow',
    ['1', at, graph(1), at === send ? 'unknown' : 'retry', at === send ? 'trouble-maybe-done' : 'platform-trouble'],
    ['1', send, graph(1), 'unknown', 'trouble-maybe-done'],
    [
      '2',
      at,
      graph(2, undefined, words, 500),
      at === send ? 'unknown' : 'retry',
      at === send ? 'trouble-maybe-done' : 'platform-trouble',
    ],
    ...[4, 17, 32, 341, 613].map((code): Row<P> => [
      String(code),
      at,
      graph(code),
      'close',
      code === 4 ? 'slow-down-app' : 'slow-down',
    ]),
    ['80000-80014', at, graph(80_000), 'close', 'slow-down'],
    [
      '80000-80014',
      send,
      {
        ...graph(80_014),
        headers: { 'x-business-use-case-usage': '{"77":[{"type":"pages","estimated_time_to_regain_access":4}]}' },
      },
      'close',
      'slow-down',
    ],
  ),
  ...rows<P>(
    'permanent',
    ['10', at, graph(10), 'rejected', 'meta-permission-missing'],
    ['200-299', at, graph(200), 'rejected', 'meta-permission-missing'],
    ['200-299', send, graph(299), 'rejected', 'meta-permission-missing'],
    ['100', at, graph(100), 'rejected', 'refused'],
    ['368', at, graph(368), 'rejected', 'meta-account-blocked'],
  ),
]

const ofContainer = (status: string): Step => ({
  json: { id: '900', status_code: 'ERROR', status: `Error: ${status}` },
})
const onThreads = (problem: string): Step => ({ json: { id: '900', status: 'ERROR', error_message: problem } })

const linkedin = (status: number, message: string, extra: Record<string, unknown> = {}): Step => ({
  status,
  json: { status, message, ...extra },
  headers: { date: 'Sat, 21 Nov 2026 10:00:00 GMT' },
})
const x = (status: number, extra: Record<string, unknown> = {}, headers: Record<string, string> = {}): Step => ({
  status,
  headers,
  json: { title: 'Title', detail: words, type: 'about:blank', status, ...extra },
})
const oauth = (error: string, status = 400): Step => ({ status, json: { error, error_description: words } })
const google = (status: number, reason: string, extra: Record<string, unknown> = {}): Step => ({
  status,
  json: { error: { code: status, message: words, errors: [{ reason, message: 'w', domain: 'youtube' }], ...extra } },
})
const business = (status: number, name: string, detail?: { code: string; message: string }): Step => ({
  status,
  json: {
    error: {
      code: status,
      message: words,
      status: name,
      ...(detail && {
        details: [{ '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError', errorDetails: [detail] }],
      }),
    },
  },
})
const pinterest = (status: number, code: number, headers: Record<string, string> = {}): Step => ({
  status,
  headers,
  json: { code, message: words },
})
const tiktok = (status: number, code: string): Step => ({
  status,
  json: { error: { code, message: words, log_id: 'x' } },
})
const failed = (reason: string): Step => ofTikTok({ status: 'FAILED', fail_reason: reason })
const mastodon = (status: number, error: string, headers: Record<string, string> = {}): Step => ({
  status,
  json: { error },
  headers,
})
const bluesky = (status: number, error: string, headers: Record<string, string> = {}): Step => ({
  status,
  json: { error, message: words },
  headers,
})

export const known: { [P in PlatformKey]: readonly Known<P>[] } = {
  facebook: [
    ...ofMeta<'facebook'>('send', 'send'),
    ...rows<'facebook'>('duplicate', ['506', 'send', [graph(506), { json: { data: [] } }], 'rejected', 'duplicate']),
    ...rows<'facebook'>(
      'permanent',
      ['1609005', 'send', graph(1_609_005), 'rejected', 'link-unreadable'],
      ['1609005', 'send', graph(100, 1_609_005), 'rejected', 'link-unreadable'],
    ),
  ],
  instagram: [
    ...ofMeta<'instagram'>('container', 'send'),
    ...rows<'instagram'>(
      'slow',
      ['2207001', 'container', graph(-1, 2_207_001), 'retry', 'platform-trouble'],
      ['2207001', 'send', graph(-1, 2_207_001), 'unknown', 'trouble-maybe-done'],
      ['2207003', 'container', graph(-2, 2_207_003), 'retry', 'platform-trouble'],
      ['2207032', 'container', graph(-1, 2_207_032), 'retry', 'platform-trouble'],
      ['2207053', 'container', graph(-1, 2_207_053), 'retry', 'platform-trouble'],
      ['2207053', 'send', graph(-1, 2_207_053), 'prepare', 'platform-trouble'],
      ['2207006', 'send', graph(24, 2_207_006), 'prepare', 'prepared-gone'],
      ['2207008', 'send', graph(24, 2_207_008), 'prepare', 'prepared-gone'],
      ['2207027', 'send', graph(9007, 2_207_027), 'prepare', 'files-in-progress'],
      ['2207042', 'send', graph(9, 2_207_042), 'close', 'instagram-daily-limit'],
    ),
    ...rows<'instagram'>(
      'permanent',
      ['2207004', 'container', graph(36_000, 2_207_004), 'rejected', 'instagram-picture-too-large'],
      ['36000', 'container', graph(36_000), 'rejected', 'instagram-picture-too-large'],
      ['2207026', 'state', ofContainer('2207026'), 'rejected', 'instagram-video-type'],
      ['2207050', 'container', graph(25, 2_207_050), 'rejected', 'instagram-account-restricted'],
      ['2207051', 'container', graph(4, 2_207_051), 'rejected', 'instagram-spam'],
      // according to one report, the post may have been published all the same
      ['2207051', 'send', graph(4, 2_207_051), 'unknown', 'instagram-spam-maybe-done'],
      ['2207028', 'container', graph(100, 2_207_028), 'rejected', 'instagram-mixed-files'],
    ),
  ],
  threads: [
    ...ofMeta<'threads'>('container', 'send'),
    ...rows<'threads'>(
      'permanent',
      ['FAILED_DOWNLOADING_VIDEO', 'state', onThreads('FAILED_DOWNLOADING_VIDEO'), 'rejected', 'fetch-failed'],
      ['INVALID_DURATION', 'state', onThreads('INVALID_DURATION'), 'rejected', 'threads-video-too-long'],
      ['INVALID_ASPEC_RATIO', 'state', onThreads('INVALID_ASPEC_RATIO'), 'rejected', 'threads-video-shape'],
      [
        'THREADS_API__LINK_LIMIT_EXCEEDED',
        'container',
        graph(100, undefined, `THREADS_API__LINK_LIMIT_EXCEEDED ${CANARY}`),
        'rejected',
        'threads-links',
      ],
      [
        'THREADS_API__FEATURE_NOT_AVAILABLE',
        'container',
        graph(10, undefined, 'THREADS_API__FEATURE_NOT_AVAILABLE'),
        'rejected',
        'threads-feature-missing',
      ],
    ),
  ],
  linkedin: [
    ...rows<'linkedin'>(
      'dead',
      ['401', 'send', linkedin(401, words), 'reconnect', 'sign-in-refused'],
      ['65600', 'send', linkedin(401, words, { serviceErrorCode: 65_600 }), 'reconnect', 'sign-in-refused'],
      ['65601', 'send', linkedin(401, words, { serviceErrorCode: 65_601 }), 'reconnect', 'sign-in-revoked'],
      ['65602', 'send', linkedin(401, words, { serviceErrorCode: 65_602 }), 'reconnect', 'sign-in-expired'],
    ),
    ...rows<'linkedin'>(
      'slow',
      ['429', 'send', linkedin(429, words), 'close', 'daily-limit'],
      ['5xx', 'send', linkedin(503, words), 'unknown', 'maybe-done'],
    ),
    ...rows<'linkedin'>('duplicate', [
      '422',
      'send',
      [linkedin(422, 'Content is a duplicate of urn:li:share:7000000000000000000'), linkedin(404, 'Not found')],
      'rejected',
      'duplicate',
    ]),
    ...rows<'linkedin'>(
      'permanent',
      ['403', 'send', linkedin(403, words), 'rejected', 'linkedin-permission-missing'],
      [
        'LENGTH_TOO_LONG',
        'send',
        linkedin(400, words, { errorDetails: { inputErrors: [{ code: 'FIELD_LENGTH_TOO_LONG' }] } }),
        'rejected',
        'linkedin-text-too-long',
      ],
      ['426', 'send', linkedin(426, words), 'rejected', 'linkedin-version'],
      [
        '400',
        'send',
        linkedin(400, 'Requested version 20250701 is not active', { code: 'NONEXISTENT_VERSION' }),
        'rejected',
        'linkedin-version',
      ],
    ),
  ],
  x: [
    ...rows<'x'>(
      'dead',
      ['401', 'send', x(401), 'renew', 'sign-in-refused'],
      ['invalid_grant', 'renew', oauth('invalid_grant'), 'reconnect', 'sign-in-refused'],
      ['invalid_request', 'renew', oauth('invalid_request'), 'reconnect', 'sign-in-refused'],
    ),
    ...rows<'x'>(
      'slow',
      [
        '429',
        'send',
        x(429, {}, { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'x-rate-limit-reset': '1795255500' }),
        'close',
        'slow-down',
      ],
      ['503', 'send', x(503), 'unknown', 'maybe-done'],
      [
        'usage-capped',
        'send',
        x(429, { type: 'https://api.x.com/2/problems/usage-capped' }),
        'rejected',
        'x-no-credits',
      ],
    ),
    ...rows<'x'>('duplicate', [
      '403',
      'send',
      [
        x(403, { detail: 'You are not allowed to create a Tweet with duplicate content.' }),
        { json: { data: [], meta: { result_count: 0 } } },
      ],
      'rejected',
      'duplicate',
    ]),
    ...rows<'x'>(
      'permanent',
      [
        '403',
        'comment',
        x(403, {
          detail:
            'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
        }),
        'rejected',
        'x-reply-not-allowed',
      ],
      [
        'cashtag',
        'send',
        x(403, { detail: 'Posts with more than 1 cashtag are not allowed.' }),
        'rejected',
        'x-cashtags',
      ],
      [
        'client-forbidden',
        'send',
        x(403, { type: 'https://api.x.com/2/problems/client-forbidden', reason: 'client-not-enrolled' }),
        'rejected',
        'x-app-not-allowed',
      ],
      [
        'invalid-request',
        'send',
        x(400, { type: 'https://api.x.com/2/problems/invalid-request' }),
        'rejected',
        'refused',
      ],
    ),
  ],
  youtube: [
    ...rows<'youtube'>(
      'dead',
      ['401', 'begin', google(401, 'authError'), 'renew', 'sign-in-refused'],
      ['invalid_grant', 'renew', oauth('invalid_grant'), 'reconnect', 'sign-in-refused'],
    ),
    ...rows<'youtube'>(
      'slow',
      ['quotaExceeded', 'begin', google(403, 'quotaExceeded'), 'close', 'google-quota-used-up'],
      ['rateLimitExceeded', 'begin', google(403, 'rateLimitExceeded'), 'close', 'slow-down'],
      ['5xx', 'begin', google(503, 'backendError'), 'retry', 'platform-trouble'],
      ['5xx', 'comment', google(500, 'backendError'), 'unknown', 'maybe-done'],
    ),
    ...rows<'youtube'>(
      'permanent',
      ['uploadLimitExceeded', 'begin', google(400, 'uploadLimitExceeded'), 'rejected', 'youtube-daily-limit'],
      ['invalidTitle', 'begin', google(400, 'invalidTitle'), 'rejected', 'youtube-title'],
      ['invalidDescription', 'begin', google(400, 'invalidDescription'), 'rejected', 'youtube-description'],
      ['invalidCategoryId', 'begin', google(400, 'invalidCategoryId'), 'rejected', 'youtube-category'],
      ['invalidPublishAt', 'begin', google(400, 'invalidPublishAt'), 'rejected', 'youtube-publish-time'],
      ['forbidden', 'begin', google(403, 'forbidden'), 'rejected', 'youtube-not-allowed'],
      ['commentsDisabled', 'comment', google(403, 'commentsDisabled'), 'rejected', 'youtube-comments-off'],
      ['youtubeSignupRequired', 'begin', google(401, 'youtubeSignupRequired'), 'rejected', 'youtube-no-channel'],
    ),
  ],
  googlemybusiness: [
    ...rows<'googlemybusiness'>(
      'dead',
      ['401', 'send', business(401, 'UNAUTHENTICATED'), 'renew', 'sign-in-refused'],
      ['invalid_grant', 'renew', oauth('invalid_grant'), 'reconnect', 'sign-in-refused'],
    ),
    ...rows<'googlemybusiness'>(
      'slow',
      ['429', 'send', business(429, 'RESOURCE_EXHAUSTED'), 'close', 'slow-down'],
      ['RESOURCE_EXHAUSTED', 'send', business(429, 'RESOURCE_EXHAUSTED'), 'close', 'slow-down'],
    ),
    ...rows<'googlemybusiness'>(
      'permanent',
      [
        '400',
        'send',
        business(400, 'INVALID_ARGUMENT', { code: '4', message: 'Must be at most 1500 characters' }),
        'rejected',
        'refused',
      ],
      [
        'LOCATION_DISABLED_FOR_LOCAL_POST_API',
        'send',
        business(400, 'INVALID_ARGUMENT', { code: 'LOCATION_DISABLED_FOR_LOCAL_POST_API', message: 'm' }),
        'rejected',
        'google-location-closed',
      ],
      [
        'PHOTO_FETCH_FAILED',
        'send',
        business(400, 'INVALID_ARGUMENT', { code: 'PHOTO_FETCH_FAILED', message: 'm' }),
        'rejected',
        'fetch-failed',
      ],
      ['REJECTED', 'poll', { json: { name: localPost, state: 'REJECTED' } }, 'rejected', 'google-post-rejected'],
    ),
  ],
  pinterest: [
    ...rows<'pinterest'>(
      'dead',
      ['401', 'send', pinterest(401, 2), 'renew', 'sign-in-refused'],
      ['invalid_grant', 'renew', oauth('invalid_grant'), 'reconnect', 'sign-in-refused'],
    ),
    ...rows<'pinterest'>('slow', [
      '429',
      'send',
      pinterest(429, 8, { 'x-ratelimit-reset': '30' }),
      'close',
      'slow-down',
    ]),
    ...rows<'pinterest'>(
      'permanent',
      ['400', 'send', pinterest(400, 1), 'rejected', 'refused'],
      ['403', 'send', pinterest(403, 29), 'rejected', 'pinterest-not-allowed'],
      ['404', 'send', pinterest(404, 40), 'rejected', 'pinterest-board-gone'],
    ),
  ],
  tiktok: [
    ...rows<'tiktok'>(
      'dead',
      ['401', 'creator', tiktok(401, 'access_token_invalid'), 'renew', 'sign-in-refused'],
      ['access_token_invalid', 'send', tiktok(401, 'access_token_invalid'), 'renew', 'sign-in-refused'],
      ['scope_not_authorized', 'creator', tiktok(401, 'scope_not_authorized'), 'reconnect', 'permission-missing'],
      ['auth_removed', 'poll', failed('auth_removed'), 'rejected', 'tiktok-app-removed'],
    ),
    ...rows<'tiktok'>(
      'slow',
      ['429', 'creator', tiktok(429, 'rate_limit_exceeded'), 'close', 'slow-down'],
      ['rate_limit_exceeded', 'send', tiktok(429, 'rate_limit_exceeded'), 'close', 'slow-down'],
      ['403', 'send', tiktok(403, 'spam_risk_too_many_posts'), 'close', 'tiktok-daily-limit'],
      ['spam_risk_too_many_posts', 'send', tiktok(403, 'spam_risk_too_many_posts'), 'close', 'tiktok-daily-limit'],
      ['reached_active_user_cap', 'creator', tiktok(403, 'reached_active_user_cap'), 'close', 'tiktok-app-limit'],
      // the post was already being published: only a person may start over
      ['internal', 'poll', failed('internal'), 'rejected', 'tiktok-trouble'],
      ['video_pull_failed', 'poll', failed('video_pull_failed'), 'rejected', 'fetch-failed'],
      ['photo_pull_failed', 'poll', failed('photo_pull_failed'), 'rejected', 'fetch-failed'],
    ),
    ...rows<'tiktok'>(
      'permanent',
      ['spam_risk', 'send', tiktok(403, 'spam_risk'), 'rejected', 'tiktok-spam'],
      ['spam_risk_text', 'send', tiktok(403, 'spam_risk_text'), 'rejected', 'tiktok-spam-text'],
      [
        'spam_risk_user_banned_from_posting',
        'send',
        tiktok(403, 'spam_risk_user_banned_from_posting'),
        'rejected',
        'tiktok-banned',
      ],
      [
        'url_ownership_unverified',
        'send',
        tiktok(403, 'url_ownership_unverified'),
        'rejected',
        'tiktok-address-unverified',
      ],
      [
        'privacy_level_option_mismatch',
        'send',
        tiktok(403, 'privacy_level_option_mismatch'),
        'rejected',
        'tiktok-viewers',
      ],
      [
        'unaudited_client_can_only_post_to_private_accounts',
        'send',
        tiktok(403, 'unaudited_client_can_only_post_to_private_accounts'),
        'rejected',
        'tiktok-app-unaudited',
      ],
      ...(
        [
          ['file_format_check_failed', 'tiktok-file-type'],
          ['duration_check_failed', 'tiktok-duration'],
          ['frame_rate_check_failed', 'frame-rate'],
          ['picture_size_check_failed', 'tiktok-pixels'],
        ] as const
      ).map(([code, told]): Row<'tiktok'> => ['check_failed', 'poll', failed(code), 'rejected', told]),
      // an error can have status 200
      ['200', 'send', tiktok(200, 'url_ownership_unverified'), 'rejected', 'tiktok-address-unverified'],
    ),
  ],
  mastodon: [
    ...rows<'mastodon'>('dead', [
      '401',
      'send',
      mastodon(401, 'The access token was revoked'),
      'reconnect',
      'sign-in-refused',
    ]),
    ...rows<'mastodon'>(
      'slow',
      [
        '429',
        'send',
        mastodon(429, 'Too many requests', {
          date: 'Sat, 21 Nov 2026 10:00:00 GMT',
          'x-ratelimit-reset': '2026-11-21T10:05:00.000Z',
        }),
        'close',
        'slow-down',
      ],
      ['503', 'send', mastodon(503, 'Remote data could not be fetched'), 'unknown', 'maybe-done'],
    ),
    ...rows<'mastodon'>(
      'permanent',
      ['422', 'send', mastodon(422, `Validation failed: ${words}`), 'rejected', 'refused'],
      ['403', 'send', mastodon(403, 'This action is not allowed'), 'rejected', 'mastodon-not-allowed'],
      ['404', 'send', mastodon(404, 'Record not found'), 'rejected', 'mastodon-reference-gone'],
    ),
  ],
  bluesky: [
    ...rows<'bluesky'>(
      'dead',
      ['400', 'send', bluesky(400, 'ExpiredToken'), 'renew', 'sign-in-outdated'],
      ['ExpiredToken', 'upload', bluesky(400, 'ExpiredToken'), 'renew', 'sign-in-outdated'],
      ['InvalidToken', 'send', bluesky(400, 'InvalidToken'), 'renew', 'sign-in-outdated'],
      ['AccountTakedown', 'send', bluesky(401, 'AccountTakedown'), 'reconnect', 'bluesky-account-taken-down'],
    ),
    ...rows<'bluesky'>('slow', [
      '429',
      'send',
      bluesky(429, 'RateLimitExceeded', { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'ratelimit-reset': '1795255500' }),
      'close',
      'slow-down',
    ]),
    ...rows<'bluesky'>(
      'permanent',
      ['400', 'send', [bluesky(400, 'InvalidRequest'), bluesky(400, 'RecordNotFound')], 'rejected', 'refused'],
      [
        'InvalidRequest',
        'send',
        [bluesky(400, 'InvalidRequest'), bluesky(400, 'RecordNotFound')],
        'rejected',
        'refused',
      ],
      ['BlobTooLarge', 'upload', bluesky(400, 'BlobTooLarge'), 'rejected', 'file-too-large'],
    ),
  ],
}
