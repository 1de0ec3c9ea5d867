import { afterEach, describe, expect, it, vi } from 'vitest'
import { described } from './described.ts'
import type { Asked } from './seenBody.ts'

// without the folder of descriptions there is nothing to compare with; with CI=true it must exist
const json = (method: string, url: string, body: unknown, headers: Record<string, string> = {}): Asked => ({
  method,
  url,
  headers: { authorization: 'Bearer t', 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const form = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Asked => ({
  method: 'POST',
  url,
  headers: { authorization: 'Bearer t', 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
})
const get = (url: string): Asked => ({ method: 'GET', url, headers: { authorization: 'Bearer t' } })

const threads = described('threads')
describe.runIf(threads)('what the platforms publish', () => {
  it.each([
    [
      'facebook',
      form('https://graph.facebook.com/v25.0/1/feed', { message: 'hi', 'attached_media[0]': '{"media_fbid":"1"}' }),
    ],
    ['facebook', get('https://graph.facebook.com/v25.0/me/accounts?fields=id,name,access_token&limit=100')],
    ['facebook', get('https://graph.facebook.com/v25.0/1_2?fields=permalink_url')],
    ['facebook', get('https://graph.facebook.com/v25.0/1_2/insights?metric=post_media_view')],
    ['facebook', form('https://graph.facebook.com/v25.0/1/video_reels', { upload_phase: 'start' })],
    [
      'facebook',
      get(
        'https://www.facebook.com/v25.0/dialog/oauth?client_id=1&redirect_uri=http%3A%2F%2Flocalhost%2Fback&state=s&scope=pages_show_list&response_type=code',
      ),
    ],
    [
      'facebook',
      {
        method: 'POST',
        url: 'https://rupload.facebook.com/video-upload/v25.0/12',
        headers: { authorization: 'OAuth t', offset: '0', file_size: '3', 'content-type': 'application/octet-stream' },
        body: 'abc',
      },
    ],
    [
      'instagram',
      form('https://graph.instagram.com/v25.0/1/media', { image_url: 'https://a.test/a.jpg', caption: 'hi' }),
    ],
    ['instagram', form('https://graph.facebook.com/v25.0/1/media_publish', { creation_id: '1' })],
    ['instagram', get('https://graph.instagram.com/v25.0/1/content_publishing_limit?fields=quota_usage,config')],
    ['threads', form('https://graph.threads.net/v1.0/me/threads', { media_type: 'CAROUSEL', children: '1,2' })],
    ['threads', get('https://graph.threads.net/v1.0/1/insights?metric=views,likes')],
    ['x', json('POST', 'https://api.x.com/2/tweets', { text: 'hello', media: { media_ids: ['1880028106020515840'] } })],
    ['x', get('https://api.x.com/2/users/12/tweets?max_results=5&tweet.fields=created_at')],
    [
      'x',
      json('POST', 'https://api.x.com/2/media/upload/initialize', {
        media_type: 'video/mp4',
        total_bytes: 5,
        media_category: 'tweet_video',
      }),
    ],
    [
      'linkedin',
      {
        ...get('https://api.linkedin.com/rest/posts/urn%3Ali%3Ashare%3A12'),
        headers: { authorization: 'Bearer t', 'linkedin-version': '202608', 'x-restli-protocol-version': '2.0.0' },
      },
    ],
    [
      'tiktok',
      {
        method: 'POST',
        url: 'https://open.tiktokapis.com/v2/post/publish/creator_info/query/',
        headers: { authorization: 'Bearer t', 'content-type': 'application/json; charset=UTF-8' },
      },
    ],
    [
      'tiktok',
      {
        method: 'PUT',
        url: 'https://open-upload.tiktokapis.com/video/?upload_id=1&upload_token=2',
        headers: { 'content-range': 'bytes 0-2/3', 'content-type': 'video/mp4' },
        body: 'abc',
      },
    ],
    [
      'youtube',
      json(
        'POST',
        'https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status',
        { snippet: { title: 'a' }, status: { privacyStatus: 'public' } },
        { 'x-upload-content-length': '3' },
      ),
    ],
    [
      'youtube',
      {
        method: 'PUT',
        url: 'https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=x',
        headers: { authorization: 'Bearer t', 'content-type': 'video/mp4', 'content-range': 'bytes 0-2/3' },
        body: 'abc',
      },
    ],
    ['youtube', get('https://www.googleapis.com/youtube/v3/channels?part=snippet&mine=true')],
    [
      'googlemybusiness',
      json('POST', 'https://mybusiness.googleapis.com/v4/accounts/1/locations/2/localPosts', {
        topicType: 'STANDARD',
        summary: 'hi',
        languageCode: 'en',
      }),
    ],
    [
      'googlemybusiness',
      get('https://mybusinessbusinessinformation.googleapis.com/v1/accounts/1/locations?readMask=name,title'),
    ],
    [
      'pinterest',
      json('POST', 'https://api.pinterest.com/v5/pins', {
        board_id: '1',
        media_source: { source_type: 'image_url', url: 'https://a.test/a.jpg' },
      }),
    ],
    ['mastodon', json('POST', 'https://mastodon.test/api/v1/statuses', { status: 'hi' }, { 'idempotency-key': 'k' })],
    [
      'bluesky',
      json('POST', 'https://pds.test/xrpc/com.atproto.repo.createRecord', {
        repo: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz',
        collection: 'app.bsky.feed.post',
        record: { $type: 'app.bsky.feed.post', text: 'hi', createdAt: '2026-11-21T00:00:00.000Z' },
      }),
    ],
  ] as const)('%s takes what is right', async (platform, request) => {
    expect(await described(platform)?.check(request)).toEqual([])
  })

  it.each([
    [
      'facebook',
      form('https://graph.facebook.com/v25.0/1/feed', { text: 'hi' }),
      'must NOT have additional properties',
    ],
    [
      'facebook',
      {
        ...form('https://graph.facebook.com/v25.0/1/feed', { message: 'hi' }),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      'no token',
    ],
    ['facebook', get('https://graph.facebook.com/v25.0/1/pictures'), 'no such call'],
    ['threads', form('https://graph.threads.net/v1.0/me/threads', { media_type: 'PHOTO' }), 'must be equal to one of'],
    ['threads', get('https://graph.threads.net/v1.0/1/insights?metric=impressions'), 'must be equal to one of'],
    [
      'x',
      json('POST', 'https://api.x.com/2/tweets', { text: 'hello', media_ids: ['1'] }),
      'must NOT have additional properties',
    ],
    [
      'x',
      json('POST', 'https://api.x.com/2/media/upload/initialize', {
        media_type: 'video/mp4',
        total_bytes: '5',
        media_category: 'tweet_video',
      }),
      'must be integer',
    ],
    ['linkedin', get('https://api.linkedin.com/rest/posts/urn%3Ali%3Ashare%3A12'), 'linkedin-version'],
    [
      'tiktok',
      {
        method: 'POST',
        url: 'https://open.tiktokapis.com/v2/post/publish/creator_info/query',
        headers: { authorization: 'Bearer t' },
      },
      'slash',
    ],
    [
      'tiktok',
      {
        method: 'PUT',
        url: 'https://open-upload.tiktokapis.com/video/?upload_id=1&upload_token=2',
        headers: { 'content-type': 'video/mp4' },
        body: 'abc',
      },
      'content-range',
    ],
    [
      'youtube',
      json('POST', 'https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status', {
        snippet: { title: 'a' },
        status: { privacyStatus: 'open' },
      }),
      'must be equal to one of',
    ],
    [
      'googlemybusiness',
      json('POST', 'https://mybusiness.googleapis.com/v4/accounts/1/locations/2/localPosts', {
        topicType: 'STANDARD',
        summary: 'a'.repeat(1501),
      }),
      '1500',
    ],
    [
      'pinterest',
      json('POST', 'https://api.pinterest.com/v5/pins', {
        board_id: '1',
        media_source: { source_type: 'video_id', media_id: '1' },
      }),
      'cover',
    ],
    ['mastodon', json('POST', 'https://mastodon.test/api/v1/statuses', { status: 'hi' }), 'idempotency-key'],
    [
      'bluesky',
      json('POST', 'https://pds.test/xrpc/com.atproto.repo.createRecord', {
        repo: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz',
        collection: 'app.bsky.feed.post',
        record: { $type: 'app.bsky.feed.post', text: 'a'.repeat(301), createdAt: '2026-11-21T00:00:00.000Z' },
      }),
      '300',
    ],
  ] as const)('%s refuses what is wrong', async (platform, request, why) => {
    expect((await described(platform)?.check(request))?.join('\n')).toContain(why)
  })
})

describe('without the folder of descriptions', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    vi.resetModules()
  })

  it('checks nothing and says so once, but our own rules stay', async () => {
    vi.stubEnv('PLATFORM_SPECS', '/nowhere')
    vi.stubEnv('CI', '')
    vi.resetModules()
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const fresh = await import('./described.ts')
    expect([fresh.described('threads'), fresh.described('x')]).toEqual([undefined, undefined])
    expect(said.mock.calls).toEqual([[expect.stringContaining('/nowhere')]])
    expect(await fresh.described('mastodon')?.check(get('https://mastodon.test/api/v1/lists'))).toEqual([
      'no such call: GET mastodon.test/api/v1/lists',
    ])
  })

  it('is an error where everything has to be checked', async () => {
    vi.stubEnv('PLATFORM_SPECS', '/nowhere')
    vi.stubEnv('CI', 'true')
    vi.resetModules()
    const fresh = await import('./described.ts')
    expect(() => fresh.described('threads')).toThrow('PLATFORM_SPECS')
  })
})
