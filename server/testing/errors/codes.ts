import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Step } from '../scriptedFetch.ts'
import { CANARY, localPost, ofTikTok, type stages } from './stages.ts'

/*
 * Every code that a platform is known to refuse with, what it is sent as, and what a person then reads: why, and one thing to
 * do. The same codes stand in the facts about the platforms, section 7, which the test holds beside these where they are.
 */

export type Column = 'dead' | 'slow' | 'duplicate' | 'permanent'
/** `renew` and `prepare` are passing refusals that say what has to be done first; `close` closes the budget of the account. */
type Outcome = 'retry' | 'close' | 'renew' | 'prepare' | 'reconnect' | 'rejected' | 'unknown' | 'preparing'
export type Known<P extends PlatformKey = PlatformKey> = {
  /** As the facts name it. */
  code: string
  column: Column
  at: keyof (typeof stages)[P] & string
  says: Step | readonly Step[]
  outcome: Outcome
  why: RegExp
  action: RegExp
}

type Row<P extends PlatformKey> = readonly [
  code: string,
  at: keyof (typeof stages)[P] & string,
  says: Known['says'],
  outcome: Outcome,
  why: RegExp,
  action: RegExp,
]
const rows = <P extends PlatformKey>(column: Column, ...list: readonly Row<P>[]): Known<P>[] =>
  list.map(([code, at, says, outcome, why, action]) => ({ code, column, at, says, outcome, why, action }))

const words = `Words of the platform about ${CANARY}`
const again = /try again/
const reconnect = /reconnects? the channel|Reconnect the channel/
const graph = (code: number, subcode?: number, message = words, status = 400): Step => ({
  status,
  json: { error: { message, type: 'OAuthException', code, ...(subcode !== undefined && { error_subcode: subcode }) } },
})

/** What Meta's three platforms say alike. `at` makes nothing, `send` makes a post. */
const ofMeta = <P extends 'facebook' | 'instagram' | 'threads'>(at: Row<P>[1], send: Row<P>[1]): Known<P>[] => [
  ...rows<P>(
    'dead',
    ['190', at, graph(190), 'reconnect', /no longer accepts our sign-in/, reconnect],
    ['458', at, graph(190, 458), 'reconnect', /app was removed/, reconnect],
    ['459', at, graph(190, 459), 'reconnect', /to sign in there/, /Sign in at/],
    ['460', at, graph(190, 460), 'reconnect', /password/, reconnect],
    ['463', at, graph(190, 463), 'reconnect', /run out/, reconnect],
    ['464', at, graph(190, 464), 'reconnect', /to sign in there/, /Sign in at/],
    ['467', at, graph(190, 467), 'reconnect', /no longer accepts/, reconnect],
    ['492', at, graph(190, 492), 'reconnect', /no longer has a role/, reconnect],
    ['102', at, graph(102), 'reconnect', /no longer accepts/, reconnect],
  ),
  ...rows<P>(
    'slow',
    ['1', at, graph(1), at === send ? 'unknown' : 'retry', /trouble/, at === send ? /look/ : again],
    ['1', send, graph(1), 'unknown', /may have managed/, /We look/],
    [
      '2',
      at,
      graph(2, undefined, words, 500),
      at === send ? 'unknown' : 'retry',
      /trouble/,
      at === send ? /look/ : again,
    ],
    ...[4, 17, 32, 341, 613].map((code): Row<P> => [String(code), at, graph(code), 'close', /slow down/, again]),
    ['80000-80014', at, graph(80_000), 'close', /slow down/, again],
    [
      '80000-80014',
      send,
      {
        ...graph(80_014),
        headers: { 'x-business-use-case-usage': '{"77":[{"type":"pages","estimated_time_to_regain_access":4}]}' },
      },
      'close',
      /slow down/,
      again,
    ],
  ),
  ...rows<P>(
    'permanent',
    ['10', at, graph(10), 'rejected', /did not give us the right/, reconnect],
    ['200-299', at, graph(200), 'rejected', /did not give us the right/, reconnect],
    ['200-299', send, graph(299), 'rejected', /did not give us the right/, reconnect],
    ['100', at, graph(100), 'rejected', /refused to .*Words of the platform/, /Change the post/],
    ['368', at, graph(368), 'rejected', /blocked this account/, /Wait/],
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
    ...rows<'facebook'>('duplicate', [
      '506',
      'send',
      [graph(506), { json: { data: [] } }],
      'rejected',
      /same as the post before/,
      /Change the text/,
    ]),
    ...rows<'facebook'>(
      'permanent',
      ['1609005', 'send', graph(1_609_005), 'rejected', /link/, /Check the link/],
      ['1609005', 'send', graph(100, 1_609_005), 'rejected', /link/, /Check the link/],
    ),
  ],
  instagram: [
    ...ofMeta<'instagram'>('container', 'send'),
    ...rows<'instagram'>(
      'slow',
      ['2207001', 'container', graph(-1, 2_207_001), 'retry', /trouble/, again],
      ['2207001', 'send', graph(-1, 2_207_001), 'unknown', /may have managed/, /We look/],
      ['2207003', 'container', graph(-2, 2_207_003), 'retry', /trouble/, again],
      ['2207032', 'container', graph(-1, 2_207_032), 'retry', /trouble/, again],
      ['2207053', 'container', graph(-1, 2_207_053), 'retry', /trouble/, again],
      ['2207053', 'send', graph(-1, 2_207_053), 'prepare', /trouble/, again],
      ['2207006', 'send', graph(24, 2_207_006), 'prepare', /does not have/, /made ready again/],
      ['2207008', 'send', graph(24, 2_207_008), 'prepare', /does not have/, /made ready again/],
      ['2207027', 'send', graph(9007, 2_207_027), 'prepare', /still working/, again],
      ['2207042', 'send', graph(9, 2_207_042), 'close', /as many posts in 24 hours/, /every hour/],
    ),
    ...rows<'instagram'>(
      'permanent',
      ['2207004', 'container', graph(36_000, 2_207_004), 'rejected', /larger than the 8 MB/, /Shrink/],
      ['36000', 'container', graph(36_000), 'rejected', /larger than the 8 MB/, /Shrink/],
      ['2207026', 'state', ofContainer('2207026'), 'rejected', /kind of video/, /MP4/],
      ['2207050', 'container', graph(25, 2_207_050), 'rejected', /restricted this account/, /Instagram app/],
      ['2207051', 'container', graph(4, 2_207_051), 'rejected', /spam/, /Wait/],
      // one report: the post may still have gone out
      ['2207051', 'send', graph(4, 2_207_051), 'unknown', /spam/, /We look/],
      ['2207028', 'container', graph(100, 2_207_028), 'rejected', /files together/, /2 to 10/],
    ),
  ],
  threads: [
    ...ofMeta<'threads'>('container', 'send'),
    ...rows<'threads'>(
      'permanent',
      [
        'FAILED_DOWNLOADING_VIDEO',
        'state',
        onThreads('FAILED_DOWNLOADING_VIDEO'),
        'rejected',
        /could not fetch/,
        /address/,
      ],
      ['INVALID_DURATION', 'state', onThreads('INVALID_DURATION'), 'rejected', /longer/, /5 minutes/],
      ['INVALID_ASPEC_RATIO', 'state', onThreads('INVALID_ASPEC_RATIO'), 'rejected', /shape/, /Cut the video/],
      [
        'THREADS_API__LINK_LIMIT_EXCEEDED',
        'container',
        graph(100, undefined, `THREADS_API__LINK_LIMIT_EXCEEDED ${CANARY}`),
        'rejected',
        /5 different links/,
        /Take some links out/,
      ],
      [
        'THREADS_API__FEATURE_NOT_AVAILABLE',
        'container',
        graph(10, undefined, 'THREADS_API__FEATURE_NOT_AVAILABLE'),
        'rejected',
        /cannot do that/,
        /Threads app/,
      ],
    ),
  ],
  linkedin: [
    ...rows<'linkedin'>(
      'dead',
      ['401', 'send', linkedin(401, words), 'reconnect', /no longer accepts/, reconnect],
      [
        '65600',
        'send',
        linkedin(401, words, { serviceErrorCode: 65_600 }),
        'reconnect',
        /no longer accepts/,
        reconnect,
      ],
      ['65601', 'send', linkedin(401, words, { serviceErrorCode: 65_601 }), 'reconnect', /revoked/, reconnect],
      ['65602', 'send', linkedin(401, words, { serviceErrorCode: 65_602 }), 'reconnect', /run out/, reconnect],
    ),
    ...rows<'linkedin'>(
      'slow',
      ['429', 'send', linkedin(429, words), 'close', /no more from this account today/, again],
      ['5xx', 'send', linkedin(503, words), 'unknown', /may have managed/, /We look/],
    ),
    ...rows<'linkedin'>('duplicate', [
      '422',
      'send',
      [linkedin(422, 'Content is a duplicate of urn:li:share:7000000000000000000'), linkedin(404, 'Not found')],
      'rejected',
      /same as an earlier post/,
      /Change the text/,
    ]),
    ...rows<'linkedin'>(
      'permanent',
      ['403', 'send', linkedin(403, words), 'rejected', /did not give us the right/, reconnect],
      [
        'LENGTH_TOO_LONG',
        'send',
        linkedin(400, words, { errorDetails: { inputErrors: [{ code: 'FIELD_LENGTH_TOO_LONG' }] } }),
        'rejected',
        /longer than LinkedIn takes/,
        /Shorten/,
      ],
      ['426', 'send', linkedin(426, words), 'rejected', /version/, /updates Rookery/],
      [
        '400',
        'send',
        linkedin(400, 'Requested version 20250701 is not active', { code: 'NONEXISTENT_VERSION' }),
        'rejected',
        /version/,
        /updates Rookery/,
      ],
    ),
  ],
  x: [
    ...rows<'x'>(
      'dead',
      ['401', 'send', x(401), 'renew', /no longer accepts/, reconnect],
      ['invalid_grant', 'renew', oauth('invalid_grant'), 'reconnect', /no longer accepts/, reconnect],
      ['invalid_request', 'renew', oauth('invalid_request'), 'reconnect', /no longer accepts/, reconnect],
    ),
    ...rows<'x'>(
      'slow',
      [
        '429',
        'send',
        x(429, {}, { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'x-rate-limit-reset': '1795255500' }),
        'close',
        /slow down/,
        again,
      ],
      ['503', 'send', x(503), 'unknown', /may have managed/, /We look/],
      [
        'usage-capped',
        'send',
        x(429, { type: 'https://api.x.com/2/problems/usage-capped' }),
        'rejected',
        /used up what it paid for/,
        /credits/,
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
      /same as a post before/,
      /Change the text/,
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
        /mentioned or quoted/,
        /Add it on X/,
      ],
      [
        'cashtag',
        'send',
        x(403, { detail: 'Posts with more than 1 cashtag are not allowed.' }),
        'rejected',
        /one cashtag/,
        /Take out/,
      ],
      [
        'client-forbidden',
        'send',
        x(403, { type: 'https://api.x.com/2/problems/client-forbidden', reason: 'client-not-enrolled' }),
        'rejected',
        /registered app/,
        /developer portal/,
      ],
      [
        'invalid-request',
        'send',
        x(400, { type: 'https://api.x.com/2/problems/invalid-request' }),
        'rejected',
        /refused to take the post: Words of the platform/,
        /Change the post/,
      ],
    ),
  ],
  youtube: [
    ...rows<'youtube'>(
      'dead',
      ['401', 'begin', google(401, 'authError'), 'renew', /no longer accepts/, reconnect],
      ['invalid_grant', 'renew', oauth('invalid_grant'), 'reconnect', /no longer accepts/, reconnect],
    ),
    ...rows<'youtube'>(
      'slow',
      ['quotaExceeded', 'begin', google(403, 'quotaExceeded'), 'close', /used up/, /midnight/],
      ['rateLimitExceeded', 'begin', google(403, 'rateLimitExceeded'), 'close', /slow down/, again],
      ['5xx', 'begin', google(503, 'backendError'), 'retry', /trouble/, again],
      ['5xx', 'comment', google(500, 'backendError'), 'unknown', /may have managed/, /We look/],
    ),
    ...rows<'youtube'>(
      'permanent',
      ['uploadLimitExceeded', 'begin', google(400, 'uploadLimitExceeded'), 'rejected', /as many videos/, /tomorrow/],
      ['invalidTitle', 'begin', google(400, 'invalidTitle'), 'rejected', /title/, /100 characters/],
      ['invalidDescription', 'begin', google(400, 'invalidDescription'), 'rejected', /description/, /5000 characters/],
      ['invalidCategoryId', 'begin', google(400, 'invalidCategoryId'), 'rejected', /category/, /Choose another/],
      ['invalidPublishAt', 'begin', google(400, 'invalidPublishAt'), 'rejected', /time of publishing/, /again/],
      ['forbidden', 'begin', google(403, 'forbidden'), 'rejected', /does not allow this account/, /YouTube Studio/],
      ['commentsDisabled', 'comment', google(403, 'commentsDisabled'), 'rejected', /switched off/, /switch them on/],
      [
        'youtubeSignupRequired',
        'begin',
        google(401, 'youtubeSignupRequired'),
        'rejected',
        /no YouTube channel/,
        /Create a channel/,
      ],
    ),
  ],
  googlemybusiness: [
    ...rows<'googlemybusiness'>(
      'dead',
      ['401', 'send', business(401, 'UNAUTHENTICATED'), 'renew', /no longer accepts/, reconnect],
      ['invalid_grant', 'renew', oauth('invalid_grant'), 'reconnect', /no longer accepts/, reconnect],
    ),
    ...rows<'googlemybusiness'>(
      'slow',
      ['429', 'send', business(429, 'RESOURCE_EXHAUSTED'), 'close', /slow down/, again],
      ['RESOURCE_EXHAUSTED', 'send', business(429, 'RESOURCE_EXHAUSTED'), 'close', /slow down/, again],
    ),
    ...rows<'googlemybusiness'>(
      'permanent',
      [
        '400',
        'send',
        business(400, 'INVALID_ARGUMENT', { code: '4', message: 'Must be at most 1500 characters' }),
        'rejected',
        /Must be at most 1500 characters/,
        /Change the post/,
      ],
      [
        'LOCATION_DISABLED_FOR_LOCAL_POST_API',
        'send',
        business(400, 'INVALID_ARGUMENT', { code: 'LOCATION_DISABLED_FOR_LOCAL_POST_API', message: 'm' }),
        'rejected',
        /does not let this location/,
        /at Google itself/,
      ],
      [
        'PHOTO_FETCH_FAILED',
        'send',
        business(400, 'INVALID_ARGUMENT', { code: 'PHOTO_FETCH_FAILED', message: 'm' }),
        'rejected',
        /could not fetch/,
        /address/,
      ],
      [
        'REJECTED',
        'poll',
        { json: { name: localPost, state: 'REJECTED' } },
        'rejected',
        /rules for content/,
        /phone numbers/,
      ],
    ),
  ],
  pinterest: [
    ...rows<'pinterest'>(
      'dead',
      ['401', 'send', pinterest(401, 2), 'renew', /no longer accepts/, reconnect],
      ['invalid_grant', 'renew', oauth('invalid_grant'), 'reconnect', /no longer accepts/, reconnect],
    ),
    ...rows<'pinterest'>('slow', [
      '429',
      'send',
      pinterest(429, 8, { 'x-ratelimit-reset': '30' }),
      'close',
      /slow down/,
      again,
    ]),
    ...rows<'pinterest'>(
      'permanent',
      ['400', 'send', pinterest(400, 1), 'rejected', /refused to .*Words of the platform/, /Change the post/],
      ['403', 'send', pinterest(403, 29), 'rejected', /does not allow/, /board/],
      ['404', 'send', pinterest(404, 40), 'rejected', /board/, /Choose another/],
    ),
  ],
  tiktok: [
    ...rows<'tiktok'>(
      'dead',
      ['401', 'creator', tiktok(401, 'access_token_invalid'), 'renew', /no longer accepts/, reconnect],
      ['access_token_invalid', 'send', tiktok(401, 'access_token_invalid'), 'renew', /no longer accepts/, reconnect],
      [
        'scope_not_authorized',
        'creator',
        tiktok(401, 'scope_not_authorized'),
        'reconnect',
        /did not give us the right/,
        reconnect,
      ],
      ['auth_removed', 'poll', failed('auth_removed'), 'rejected', /app was removed/, reconnect],
    ),
    ...rows<'tiktok'>(
      'slow',
      ['429', 'creator', tiktok(429, 'rate_limit_exceeded'), 'close', /slow down/, again],
      ['rate_limit_exceeded', 'send', tiktok(429, 'rate_limit_exceeded'), 'close', /slow down/, again],
      ['403', 'send', tiktok(403, 'spam_risk_too_many_posts'), 'close', /no more posts/, again],
      ['spam_risk_too_many_posts', 'send', tiktok(403, 'spam_risk_too_many_posts'), 'close', /no more posts/, again],
      [
        'reached_active_user_cap',
        'creator',
        tiktok(403, 'reached_active_user_cap'),
        'close',
        /no more accounts from this app/,
        again,
      ],
      // the post was on its way: only a person may begin anew
      ['internal', 'poll', failed('internal'), 'rejected', /trouble of its own/, /Send it again/],
      ['video_pull_failed', 'poll', failed('video_pull_failed'), 'rejected', /could not fetch the video/, /address/],
      ['photo_pull_failed', 'poll', failed('photo_pull_failed'), 'rejected', /could not fetch the pictures/, /address/],
    ),
    ...rows<'tiktok'>(
      'permanent',
      ['spam_risk', 'send', tiktok(403, 'spam_risk'), 'rejected', /spam/, /change the post/],
      ['spam_risk_text', 'send', tiktok(403, 'spam_risk_text'), 'rejected', /text for spam/, /Change the text/],
      [
        'spam_risk_user_banned_from_posting',
        'send',
        tiktok(403, 'spam_risk_user_banned_from_posting'),
        'rejected',
        /banned/,
        /messages in TikTok/,
      ],
      [
        'url_ownership_unverified',
        'send',
        tiktok(403, 'url_ownership_unverified'),
        'rejected',
        /verified/,
        /URL properties/,
      ],
      [
        'privacy_level_option_mismatch',
        'send',
        tiktok(403, 'privacy_level_option_mismatch'),
        'rejected',
        /viewers/,
        /Choose again/,
      ],
      [
        'unaudited_client_can_only_post_to_private_accounts',
        'send',
        tiktok(403, 'unaudited_client_can_only_post_to_private_accounts'),
        'rejected',
        /not audited/,
        /Only me/,
      ],
      ...[
        'file_format_check_failed',
        'duration_check_failed',
        'frame_rate_check_failed',
        'picture_size_check_failed',
      ].map((code): Row<'tiktok'> => [
        'check_failed',
        'poll',
        failed(code),
        'rejected',
        /format|length|frame rate|pixels/,
        /Save|Cut/,
      ]),
      // an error may come with status 200
      ['200', 'send', tiktok(200, 'url_ownership_unverified'), 'rejected', /verified/, /URL properties/],
    ),
  ],
  mastodon: [
    ...rows<'mastodon'>('dead', [
      '401',
      'send',
      mastodon(401, 'The access token was revoked'),
      'reconnect',
      /no longer accepts/,
      reconnect,
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
        /slow down/,
        again,
      ],
      ['503', 'send', mastodon(503, 'Remote data could not be fetched'), 'unknown', /may have managed/, /We look/],
    ),
    ...rows<'mastodon'>(
      'permanent',
      [
        '422',
        'send',
        mastodon(422, `Validation failed: ${words}`),
        'rejected',
        /refused to take the post: Validation failed: Words/,
        /Change the post/,
      ],
      ['403', 'send', mastodon(403, 'This action is not allowed'), 'rejected', /does not allow/, /Look at the account/],
      ['404', 'send', mastodon(404, 'Record not found'), 'rejected', /no longer there/, /post again/],
    ),
  ],
  bluesky: [
    ...rows<'bluesky'>(
      'dead',
      ['400', 'send', bluesky(400, 'ExpiredToken'), 'renew', /sign in again/, again],
      ['ExpiredToken', 'upload', bluesky(400, 'ExpiredToken'), 'renew', /sign in again/, again],
      ['InvalidToken', 'send', bluesky(400, 'InvalidToken'), 'renew', /sign in again/, again],
      ['AccountTakedown', 'send', bluesky(401, 'AccountTakedown'), 'reconnect', /taken this account down/, reconnect],
    ),
    ...rows<'bluesky'>('slow', [
      '429',
      'send',
      bluesky(429, 'RateLimitExceeded', { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'ratelimit-reset': '1795255500' }),
      'close',
      /slow down/,
      again,
    ]),
    ...rows<'bluesky'>(
      'permanent',
      [
        '400',
        'send',
        bluesky(400, 'InvalidRequest'),
        'rejected',
        /refused to take the post: Words of the platform/,
        /Change the post/,
      ],
      [
        'InvalidRequest',
        'send',
        bluesky(400, 'InvalidRequest'),
        'rejected',
        /Words of the platform/,
        /Change the post/,
      ],
      [
        'BlobTooLarge',
        'upload',
        bluesky(400, 'BlobTooLarge'),
        'rejected',
        /larger|refused to take the picture/,
        /Shrink|Change the post/,
      ],
    ),
  ],
}
