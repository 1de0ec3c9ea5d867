import { z } from 'zod'
import { adRules } from './facebookAds.ts'
import { placeRules } from './facebookPlaces.ts'
import type { HandRule } from './handRule.ts'
import { hashtagRules } from './instagramHashtags.ts'
import { commentRules } from './instagramInbox.ts'
import { discoveryRules } from './threadsDiscovery.ts'

/*
 * Calls that no API description has: sign-in pages, tokens, uploads to other hosts, and the two platforms without a
 * machine-readable description. Written from the platforms' documentation.
 */

const text = z.string().min(1)
const flag = z.enum(['true', 'false'])
const redirect = z.url({ protocol: /^https?$/ })
const page = { client_id: text, redirect_uri: redirect, state: text, scope: text, response_type: z.literal('code') }
const pkce = { code_challenge: z.string().regex(/^[\w-]{43}$/), code_challenge_method: z.literal('S256') }
const client = { client_id: text, client_secret: text }
const graphVersion = String.raw`(?:\/v\d+\.\d+)`
const meta = ['facebook', 'instagram'] as const
const googles = ['youtube', 'googlemybusiness'] as const

const facebookTokens = z.union([
  z.strictObject({
    ...client,
    redirect_uri: redirect,
    code: text,
    grant_type: z.literal('authorization_code').optional(),
    code_verifier: text.optional(),
  }),
  z.strictObject({ ...client, grant_type: z.literal('fb_exchange_token'), fb_exchange_token: text }),
])
const googleTokens = z.union([
  z.strictObject({
    ...client,
    redirect_uri: redirect,
    code: text,
    grant_type: z.literal('authorization_code'),
    code_verifier: text.optional(),
  }),
  z.strictObject({ ...client, grant_type: z.literal('refresh_token'), refresh_token: text }),
])
const basicTokens = z.union([
  z.strictObject({
    redirect_uri: redirect,
    code: text,
    grant_type: z.literal('authorization_code'),
    code_verifier: text.optional(),
    client_id: text.optional(),
    continuous_refresh: flag.optional(),
  }),
  z.strictObject({
    grant_type: z.literal('refresh_token'),
    refresh_token: text,
    client_id: text.optional(),
    scope: text.optional(),
    continuous_refresh: flag.optional(),
  }),
])

const pages: readonly HandRule[] = [
  {
    platforms: meta,
    host: /^www\.facebook\.com$/,
    method: 'GET',
    path: new RegExp(`^${graphVersion}/dialog/oauth$`),
    params: z.strictObject({
      ...page,
      response_type: z.literal('code').optional(),
      auth_type: z.enum(['rerequest', 'reauthenticate']).optional(),
      config_id: text.optional(),
      display: text.optional(),
      extras: text.optional(),
      ...z.strictObject(pkce).partial().shape,
    }),
    token: 'none',
  },
  {
    platforms: ['instagram'],
    host: /^www\.instagram\.com$/,
    method: 'GET',
    path: /^\/oauth\/authorize$/,
    params: z.strictObject({
      ...page,
      enable_fb_login: z.enum(['0', '1', 'true', 'false']).optional(),
      force_authentication: z.enum(['0', '1']).optional(),
      force_reauth: flag.optional(),
    }),
    token: 'none',
  },
  {
    platforms: ['threads'],
    host: /^(www\.)?threads\.(net|com)$/,
    method: 'GET',
    path: /^\/oauth\/authorize$/,
    params: z.strictObject(page),
    token: 'none',
  },
  {
    platforms: ['linkedin'],
    host: /^www\.linkedin\.com$/,
    method: 'GET',
    path: /^\/oauth\/v2\/authorization$/,
    params: z.strictObject(page),
    token: 'none',
  },
  {
    platforms: ['x'],
    host: /^(x|twitter)\.com$/,
    method: 'GET',
    path: /^\/i\/oauth2\/authorize$/,
    params: z.strictObject({ ...page, ...pkce }),
    token: 'none',
  },
  {
    platforms: googles,
    host: /^accounts\.google\.com$/,
    method: 'GET',
    path: /^\/o\/oauth2\/v2\/auth$/,
    params: z.strictObject({
      ...page,
      ...z.strictObject(pkce).partial().shape,
      access_type: z.enum(['online', 'offline']),
      prompt: z
        .string()
        .regex(/^(none|(consent|select_account)( (consent|select_account))?)$/)
        .optional(),
      include_granted_scopes: flag.optional(),
      login_hint: text.optional(),
    }),
    token: 'none',
  },
  {
    platforms: ['pinterest'],
    host: /^www\.pinterest\.com$/,
    method: 'GET',
    path: /^\/oauth\/?$/,
    params: z.strictObject(page),
    token: 'none',
  },
  {
    platforms: ['tiktok'],
    host: /^www\.tiktok\.com$/,
    method: 'GET',
    path: /^\/v2\/auth\/authorize\/$/,
    params: z.strictObject({
      client_key: text,
      redirect_uri: redirect,
      state: text,
      scope: z.string().regex(/^[\w.]+(,[\w.]+)*$/),
      response_type: z.literal('code'),
      disable_auto_auth: z.enum(['0', '1']).optional(),
      ...z.strictObject(pkce).partial().shape,
    }),
    token: 'none',
  },
  {
    platforms: ['mastodon'],
    host: null,
    method: 'GET',
    path: /^\/oauth\/authorize$/,
    params: z.strictObject({
      ...page,
      ...z.strictObject(pkce).partial().shape,
      force_login: flag.optional(),
      lang: text.optional(),
    }),
    token: 'none',
  },
]

const tokens: readonly HandRule[] = [
  ...['GET', 'POST'].map((method): HandRule => ({
    platforms: meta,
    host: /^graph\.facebook\.com$/,
    method,
    path: new RegExp(`^${graphVersion}/oauth/access_token$`),
    params: facebookTokens,
    token: 'none',
  })),
  {
    platforms: meta,
    host: /^graph\.facebook\.com$/,
    method: 'GET',
    path: new RegExp(`^${graphVersion}/debug_token$`),
    params: z.strictObject({ input_token: text, access_token: text.optional(), fields: text.optional() }),
    token: 'bearer',
  },
  {
    platforms: ['instagram'],
    host: /^api\.instagram\.com$/,
    method: 'POST',
    path: /^\/oauth\/access_token$/,
    params: z.strictObject({
      ...client,
      grant_type: z.literal('authorization_code'),
      redirect_uri: redirect,
      code: text,
    }),
    token: 'none',
  },
  {
    // learn.microsoft.com/linkedin, organizations/organization-social-action-notifications
    platforms: ['linkedin'],
    host: /^api\.linkedin\.com$/,
    method: 'GET',
    path: /^\/rest\/organizationalEntityNotifications$/,
    params: z.strictObject({
      q: z.literal('criteria'),
      actions: z
        .string()
        .regex(/^List\((LIKE|COMMENT|SHARE|SHARE_MENTION|ADMIN_COMMENT|COMMENT_EDIT|COMMENT_DELETE|,)+\)$/),
      organizationalEntity: z.string().startsWith('urn:li:organization:'),
      timeRange: z.string().regex(/^\(start:\d{13},end:\d{13}\)$/),
      start: z.string().regex(/^\d+$/),
      count: z.string().regex(/^\d+$/),
    }),
    token: 'bearer',
  },
  {
    // learn.microsoft.com/linkedin, organizations/page-statistics
    platforms: ['linkedin'],
    host: /^api\.linkedin\.com$/,
    method: 'GET',
    path: /^\/rest\/organizationPageStatistics$/,
    params: z.strictObject({
      q: z.literal('organization'),
      organization: z.string().startsWith('urn:li:organization:'),
      timeIntervals: z.string().regex(/^\(timeRange:\(start:\d{13},end:\d{13}\),timeGranularityType:DAY\)$/),
    }),
    token: 'bearer',
  },
  {
    // learn.microsoft.com/linkedin, organizations/organization-lookup-api, follower counts
    platforms: ['linkedin'],
    host: /^api\.linkedin\.com$/,
    method: 'GET',
    path: /^\/rest\/networkSizes\/urn%3Ali%3Aorganization%3A\d+$/,
    params: z.strictObject({ edgeType: z.literal('COMPANY_FOLLOWED_BY_MEMBER') }),
    token: 'bearer',
  },
  {
    // learn.microsoft.com/linkedin, shares/comments-api, with decoration (shared/api-guide/concepts/decoration)
    platforms: ['linkedin'],
    host: /^api\.linkedin\.com$/,
    method: 'GET',
    path: /^\/rest\/socialActions\/urn%3Ali%3A[^/]+\/comments$/,
    params: z.strictObject({
      start: z.string().regex(/^\d+$/),
      count: z.string().regex(/^\d+$/),
      projection: z
        .string()
        .regex(/^\(.+\)$/)
        .optional(),
    }),
    token: 'bearer',
  },
  {
    // learn.microsoft.com/linkedin, shares/reactions-api
    platforms: ['linkedin'],
    host: /^api\.linkedin\.com$/,
    method: 'DELETE',
    path: /^\/rest\/reactions\/\(actor:urn%3Ali%3A[^,]+,entity:urn%3Ali%3A[^/]+\)$/,
    token: 'bearer',
  },
  {
    // learn.microsoft.com/linkedin, organizations/organization-lookup-api
    platforms: ['linkedin'],
    host: /^api\.linkedin\.com$/,
    method: 'GET',
    path: /^\/rest\/organizations$/,
    params: z.strictObject({ q: z.literal('vanityName'), vanityName: text }),
    token: 'bearer',
  },
  {
    // learn.microsoft.com/linkedin, shared/integrations/people/profile-api
    platforms: ['linkedin'],
    host: /^api\.linkedin\.com$/,
    method: 'GET',
    path: /^\/v2\/me$/,
    params: z.strictObject({
      projection: z
        .string()
        .regex(/^\(.+\)$/)
        .optional(),
    }),
    token: 'bearer',
  },
  {
    platforms: ['linkedin'],
    host: /^www\.linkedin\.com$/,
    method: 'POST',
    path: /^\/oauth\/v2\/revoke$/,
    params: z.strictObject({ ...client, token: text }),
    token: 'none',
  },
  {
    platforms: ['x'],
    host: /^api\.x\.com$/,
    method: 'POST',
    path: /^\/2\/oauth2\/token$/,
    params: basicTokens,
    token: 'basic',
  },
  {
    platforms: ['x'],
    host: /^api\.x\.com$/,
    method: 'POST',
    path: /^\/2\/oauth2\/revoke$/,
    params: z.strictObject({
      token: text,
      client_id: text.optional(),
      token_type_hint: z.enum(['access_token', 'refresh_token']).optional(),
    }),
    token: 'basic',
  },
  {
    platforms: googles,
    host: /^oauth2\.googleapis\.com$/,
    method: 'POST',
    path: /^\/token$/,
    params: googleTokens,
    token: 'none',
  },
  {
    platforms: googles,
    host: /^oauth2\.googleapis\.com$/,
    method: 'POST',
    path: /^\/revoke$/,
    params: z.strictObject({ token: text }),
    token: 'none',
  },
  {
    platforms: googles,
    host: /^oauth2\.googleapis\.com$/,
    method: 'GET',
    path: /^\/tokeninfo$/,
    params: z.strictObject({ access_token: text }),
    token: 'none',
  },
  {
    platforms: ['pinterest'],
    host: /^api(-sandbox)?\.pinterest\.com$/,
    method: 'POST',
    path: /^\/v5\/oauth\/token$/,
    params: basicTokens,
    token: 'basic',
  },
]

const headerText = (pattern: RegExp) => z.string().regex(pattern)

const uploads: readonly HandRule[] = [
  {
    platforms: meta,
    host: /^rupload\.facebook\.com$/,
    method: 'POST',
    path: /^\/(video-upload|ig-api-upload)(\/v\d+\.\d+)?\/\d+$/,
    headers: z.union([
      z.looseObject({ authorization: headerText(/^OAuth \S+$/), file_url: z.url() }),
      z.looseObject({
        authorization: headerText(/^OAuth \S+$/),
        offset: headerText(/^\d+$/),
        file_size: headerText(/^\d+$/),
      }),
    ]),
    token: 'none',
  },
  { platforms: ['linkedin'], host: /^www\.linkedin\.com$/, method: 'PUT', path: /^\/dms-uploads\//, token: 'none' },
  {
    platforms: ['pinterest'],
    host: /^pinterest-media-upload\.s3[\w.-]*\.amazonaws\.com$/,
    method: 'POST',
    path: /^\/$/,
    params: z.looseObject({ key: text, policy: text, 'x-amz-signature': text }),
    headers: z.looseObject({ authorization: z.undefined().optional() }),
    files: ['file'],
    token: 'none',
  },
]

const boardId = z.string().regex(/^\d+$/)
const imageType = z.enum(['image/jpeg', 'image/png'])
const described = z.strictObject({
  title: z.string().max(100).optional(),
  description: z.string().optional(),
  link: z.string().max(2048).optional(),
  url: z.url(),
})
const pinMedia = z.discriminatedUnion('source_type', [
  z.strictObject({ source_type: z.literal('image_url'), url: z.url(), is_standard: z.boolean().optional() }),
  z.strictObject({
    source_type: z.literal('image_base64'),
    content_type: imageType,
    data: z.base64(),
    is_standard: z.boolean().optional(),
  }),
  z.strictObject({
    source_type: z.literal('multiple_image_urls'),
    items: z.array(described).min(2).max(5),
    index: z.int().min(0).optional(),
  }),
  z.strictObject({
    source_type: z.literal('multiple_image_base64'),
    items: z
      .array(
        z.strictObject({
          title: z.string().optional(),
          description: z.string().optional(),
          link: z.string().optional(),
          content_type: imageType,
          data: z.base64(),
        }),
      )
      .min(2)
      .max(5),
    index: z.int().min(0).optional(),
  }),
  z
    .strictObject({
      source_type: z.literal('video_id'),
      media_id: boardId,
      cover_image_url: z.url().optional(),
      cover_image_content_type: imageType.optional(),
      cover_image_data: z.base64().optional(),
      cover_image_key_frame_time: z.number().min(0).optional(),
      is_standard: z.boolean().optional(),
    })
    .refine(
      (video) =>
        video.cover_image_url !== undefined ||
        video.cover_image_data !== undefined ||
        video.cover_image_key_frame_time !== undefined,
      'a video needs a cover',
    ),
])
const pinText = {
  title: z.string().max(100).optional(),
  description: z.string().max(800).optional(),
  link: z.string().max(2048).optional(),
  alt_text: z.string().max(500).optional(),
  board_section_id: z.string().nullable().optional(),
}
const listed = z.strictObject({
  page_size: z
    .string()
    .regex(/^([1-9]\d?|1\d\d|2[0-4]\d|250)$/)
    .optional(),
  bookmark: text.optional(),
  privacy: text.optional(),
  pin_metrics: flag.optional(),
  creative_types: text.optional(),
  pin_filter: text.optional(),
  include_protected_pins: flag.optional(),
  ad_account_id: boardId.optional(),
})
const pinMetrics = z.strictObject({
  start_date: z.iso.date(),
  end_date: z.iso.date(),
  metric_types: text,
  app_types: text.optional(),
  split_field: text.optional(),
  pin_ids: text.optional(),
  ad_account_id: text.optional(),
})
const none = z.strictObject({})

const pinterest: readonly HandRule[] = (
  [
    ['GET', /^\/v5\/user_account$/, { params: none }],
    ['GET', /^\/v5\/boards$/, { params: listed }],
    ['GET', /^\/v5\/boards\/\d+$/, { params: none }],
    [
      'PATCH',
      /^\/v5\/boards\/\d+$/,
      {
        json: z.strictObject({
          name: text.max(180).optional(),
          description: z.string().max(500).optional(),
          privacy: z.enum(['PUBLIC', 'SECRET']).optional(),
        }),
      },
    ],
    ['GET', /^\/v5\/boards\/\d+\/(sections|pins)$/, { params: listed }],
    [
      'POST',
      /^\/v5\/boards$/,
      {
        json: z.strictObject({
          name: text,
          description: z.string().max(500).optional(),
          privacy: z.enum(['PUBLIC', 'PROTECTED', 'SECRET']).optional(),
        }),
      },
    ],
    ['POST', /^\/v5\/media$/, { json: z.strictObject({ media_type: z.literal('video') }) }],
    ['GET', /^\/v5\/media\/\d+$/, { params: none }],
    [
      'POST',
      /^\/v5\/pins$/,
      {
        json: z.strictObject({
          board_id: boardId,
          media_source: pinMedia,
          ...pinText,
          dominant_color: text.optional(),
          note: z.string().optional(),
        }),
      },
    ],
    ['GET', /^\/v5\/pins$/, { params: listed }],
    [
      'GET',
      /^\/v5\/pins\/\d+$/,
      { params: z.strictObject({ pin_metrics: flag.optional(), ad_account_id: text.optional() }) },
    ],
    [
      'PATCH',
      /^\/v5\/pins\/\d+$/,
      {
        json: z.strictObject({
          ...pinText,
          board_id: boardId.optional(),
          carousel_slots: z.array(z.unknown()).optional(),
        }),
      },
    ],
    ['DELETE', /^\/v5\/pins\/\d+$/, { params: none }],
    ['GET', /^\/v5\/pins\/(\d+\/)?analytics$/, { params: pinMetrics }],
    ['GET', /^\/v5\/user_account\/analytics$/, { params: pinMetrics.partial() }],
  ] as const
).map(([method, path, rule]) => ({
  platforms: ['pinterest'],
  host: /^api(-sandbox)?\.pinterest\.com$/,
  method,
  path,
  token: 'bearer',
  ...rule,
}))

const id = String.raw`\d+`
const statusBody = z
  .strictObject({
    status: z.string().optional(),
    media_ids: z.array(z.string()).max(20).optional(),
    poll: z
      .strictObject({
        options: z.array(text).min(2),
        expires_in: z.int(),
        multiple: z.boolean().optional(),
        hide_totals: z.boolean().optional(),
      })
      .optional(),
    in_reply_to_id: z.string().optional(),
    sensitive: z.boolean().optional(),
    spoiler_text: z.string().optional(),
    visibility: z.enum(['public', 'unlisted', 'private', 'direct']).optional(),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z]+)?$/)
      .optional(),
    scheduled_at: z.iso.datetime().optional(),
    quoted_status_id: z.string().optional(),
    quote_approval_policy: z.string().optional(),
    media_attributes: z
      .array(z.strictObject({ id: z.string(), description: z.string().optional(), focus: z.string().optional() }))
      .optional(),
  })
  .refine(({ status, media_ids }) => (status ?? '') !== '' || (media_ids ?? []).length > 0, 'text or media')
  .refine(({ poll, media_ids }) => poll === undefined || media_ids === undefined, 'a poll excludes media')

const mastodon: readonly HandRule[] = (
  [
    [
      'POST',
      '/api/v1/push/subscription',
      {
        json: z.strictObject({
          subscription: z.strictObject({
            endpoint: z.url({ protocol: /^https$/ }),
            keys: z.strictObject({ p256dh: text, auth: text }),
            standard: z.boolean().optional(),
          }),
          data: z.strictObject({
            alerts: z.record(z.string(), z.boolean()),
            policy: z.enum(['all', 'followed', 'follower', 'none']).optional(),
          }),
        }),
      },
    ],
    ['GET', '/api/v1/push/subscription', {}],
    ['DELETE', '/api/v1/push/subscription', {}],
    [
      'POST',
      '/api/v1/apps',
      {
        token: 'none',
        params: z.looseObject({}),
        json: z.strictObject({
          client_name: text,
          redirect_uris: z.union([text, z.array(text)]),
          scopes: text.optional(),
          website: z.url().optional(),
        }),
      },
    ],
    [
      'POST',
      '/oauth/token',
      {
        token: 'none',
        params: z.discriminatedUnion('grant_type', [
          z.strictObject({
            ...client,
            grant_type: z.literal('authorization_code'),
            code: text,
            redirect_uri: redirect,
            scope: text.optional(),
            code_verifier: text.optional(),
          }),
          // the app's own token
          z.strictObject({ ...client, grant_type: z.literal('client_credentials'), scope: text.optional() }),
        ]),
      },
    ],
    ['POST', '/oauth/revoke', { token: 'none', params: z.strictObject({ ...client, token: text }) }],
    ['GET', '/api/v1/accounts/verify_credentials', { params: none }],
    [
      'GET',
      `/api/v1/accounts/${id}/statuses`,
      {
        params: z.looseObject({
          limit: z
            .string()
            .regex(/^([1-9]|[123]\d|40)$/)
            .optional(),
        }),
      },
    ],
    ['GET', '/api/v1/accounts/lookup', { params: z.strictObject({ acct: text }) }],
    ['GET', '/api/v1/accounts/search', { params: z.looseObject({ q: text }) }],
    ['GET', '/api/v2/search', { params: z.looseObject({ q: text }) }],
    ['GET', '/api/v[12]/instance', { token: 'none', params: none }],
    [
      'POST',
      '/api/v2/media',
      { params: z.strictObject({ description: z.string().optional(), focus: z.string().optional() }), files: ['file'] },
    ],
    ['GET', `/api/v1/media/${id}`, { params: none }],
    ['PUT', `/api/v1/media/${id}`, { params: z.looseObject({}) }],
    ['POST', '/api/v1/statuses', { json: statusBody, headers: z.looseObject({ 'idempotency-key': text }) }],
    ['GET', '/api/v1/statuses', { params: z.looseObject({}) }],
    [
      'GET',
      '/api/v1/notifications',
      {
        params: z.strictObject({
          'types[]': z.enum(['mention', 'quote']).optional(),
          include_filtered: flag.optional(),
          limit: z
            .string()
            .regex(/^([1-9]|[1-7]\d|80)$/)
            .optional(),
          min_id: z.string().regex(/^\d+$/).optional(),
          max_id: z.string().regex(/^\d+$/).optional(),
        }),
      },
    ],
    ['GET', `/api/v1/statuses/${id}`, { params: none }],
    ['GET', `/api/v1/statuses/${id}/source`, { params: none }],
    ['GET', `/api/v1/statuses/${id}/context`, { params: none }],
    ['POST', `/api/v1/statuses/${id}/(un)?favourite`, { params: none }],
    ['PUT', `/api/v1/statuses/${id}`, { json: statusBody }],
    ['DELETE', `/api/v1/statuses/${id}`, { params: z.strictObject({ delete_media: flag.optional() }) }],
  ] as const
).map(([method, path, rule]) => ({
  platforms: ['mastodon'],
  host: null,
  method,
  path: new RegExp(`^${path}$`),
  token: 'bearer',
  ...rule,
}))

export const handRules: readonly HandRule[] = [
  ...pages,
  ...tokens,
  ...adRules,
  ...placeRules,
  ...hashtagRules,
  ...discoveryRules,
  ...commentRules,
  ...uploads,
  ...pinterest,
  ...mastodon,
]
