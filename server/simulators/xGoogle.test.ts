import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { described } from './described.ts'
import { asking, bytesOf, visitPlatforms, type Said, type Visitor } from '../testing/visitor.ts'

let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

const back = 'http://localhost:3000/back'
const verifier = 'v'.repeat(50)
const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}
const basic = { authorization: `Basic ${Buffer.from('app:s').toString('base64')}` }
const page = (scope: string, more: Record<string, string> = {}) => ({
  client_id: 'app',
  redirect_uri: back,
  state: 'st',
  response_type: 'code',
  scope,
  ...more,
})
const codeOf = async (url: string): Promise<string> => (await visit.consent(url)).searchParams.get('code') ?? ''

describe('x', () => {
  const api = (path: string): string => `https://api.x.com/2/${path}`
  const scope = 'tweet.read tweet.write users.read media.write offline.access'
  const exchange = async (form: Record<string, string>): Promise<Said> =>
    visit.ask('POST', api('oauth2/token'), { form, headers: basic })
  const signIn = async () =>
    exchange({
      grant_type: 'authorization_code',
      redirect_uri: back,
      code_verifier: verifier,
      code: await codeOf(asking('https://x.com/i/oauth2/authorize', page(scope, pkce))),
    })
  const tokenOf = async (): Promise<string> => visit.field(await signIn(), 'access_token')

  it('gives codes of 30 seconds by PKCE, and refresh tokens that are spent', async () => {
    const signed = await signIn()
    const refresh = visit.field(signed, 'refresh_token')
    const renewed = await exchange({ grant_type: 'refresh_token', refresh_token: refresh })
    expect(visit.field(renewed, 'expires_in')).toBe('7200')
    expect(await exchange({ grant_type: 'refresh_token', refresh_token: refresh })).toMatchObject({
      status: 400,
      json: { error: 'invalid_grant' },
    })
    const url = asking('https://x.com/i/oauth2/authorize', page(scope, pkce))
    const form = { grant_type: 'authorization_code', redirect_uri: back }
    expect((await exchange({ ...form, code: await codeOf(url), code_verifier: 'w'.repeat(50) })).status).toBe(400)
    const late = await codeOf(url)
    visit.clock.now += 31_000
    expect((await exchange({ ...form, code: late, code_verifier: verifier })).status).toBe(400)
    visit.clock.now += 7_200_000
    expect((await visit.ask('GET', api('users/me'), { token: visit.field(signed, 'access_token') })).status).toBe(401)
  })

  it('takes a text once, shows it shortened and escaped, with figures that were asked for', async () => {
    const token = await tokenOf()
    const sent = await visit.ask('POST', api('tweets'), { token, json: { text: 'Rye & more: https://rye.org/a' } })
    expect(sent.status).toBe(201)
    const id = visit.field(sent, 'data', 'id')
    const me = visit.field(await visit.ask('GET', api('users/me'), { token }), 'data', 'id')
    expect(
      await visit.ask('POST', api('tweets'), { token, json: { text: 'Rye & more: https://rye.org/a' } }),
    ).toMatchObject({ status: 403, json: { detail: 'You are not allowed to create a Tweet with duplicate content.' } })
    expect((await visit.ask('POST', api('tweets'), { token, json: { text: 'ä'.repeat(281) } })).status).toBe(400)
    const list = await visit.ask(
      'GET',
      asking(api(`users/${me}/tweets`), { max_results: '5', 'tweet.fields': 'created_at,public_metrics,entities' }),
      { token },
    )
    expect(list.json).toMatchObject({
      data: [
        {
          id,
          text: expect.stringMatching(/^Rye &amp; more: https:\/\/t\.co\/\S{10}$/),
          entities: { urls: [{ expanded_url: 'https://rye.org/a' }] },
          public_metrics: { like_count: expect.any(Number) },
        },
      ],
      meta: { result_count: 1 },
    })
    await visit.ask('DELETE', api(`tweets/${id}`), { token })
    expect((await visit.ask('GET', asking(api('tweets'), { ids: id }), { token })).json).toMatchObject({
      errors: [{ resource_id: id }],
    })
  })

  it('takes a film in segments that add up, and uses it once it is ready', async () => {
    const token = await tokenOf()
    const id = visit.field(
      await visit.ask('POST', api('media/upload/initialize'), {
        token,
        json: { media_type: 'video/mp4', total_bytes: 3_000_000, media_category: 'tweet_video' },
      }),
      'data',
      'id',
    )
    const append = async (segment: number, size: number) => {
      const form = new FormData()
      form.append('segment_index', String(segment))
      form.append('media', new Blob([new Uint8Array(size)]), 'a.mp4')
      return visit.ask('POST', api(`media/upload/${id}/append`), { token, bytes: form })
    }
    expect((await append(0, 2_000_000)).status).toBe(200)
    expect((await visit.ask('POST', api(`media/upload/${id}/finalize`), { token })).status).toBe(400)
    await append(1, 1_000_000)
    expect(
      visit.field(
        await visit.ask('POST', api(`media/upload/${id}/finalize`), { token }),
        'data',
        'processing_info',
        'state',
      ),
    ).toBe('pending')
    const post = () => visit.ask('POST', api('tweets'), { token, json: { text: 'Oven', media: { media_ids: [id] } } })
    expect((await post()).status).toBe(400)
    const look = async () =>
      visit.field(
        await visit.ask('GET', asking(api('media/upload'), { media_id: id, command: 'STATUS' }), { token }),
        'data',
        'processing_info',
        'state',
      )
    expect([await look(), await look()]).toEqual(['in_progress', 'succeeded'])
    expect((await post()).status).toBe(201)
    expect(
      (
        await visit.ask('POST', api('media/upload/initialize'), {
          token,
          json: { media_type: 'image/jpeg', total_bytes: 5_000_001, media_category: 'tweet_image' },
        })
      ).status,
    ).toBe(400)
  })

  it('replies to its own posts, unless only those who are mentioned may', async () => {
    const token = await tokenOf()
    const first = visit.field(await visit.ask('POST', api('tweets'), { token, json: { text: 'First' } }), 'data', 'id')
    const reply = (text: string) =>
      visit.ask('POST', api('tweets'), { token, json: { text, reply: { in_reply_to_tweet_id: first } } })
    expect((await reply('Second')).status).toBe(201)
    visit.platform('x').state.switches.add('summoned')
    expect((await reply('Third')).status).toBe(403)
    visit.platform('x').state.switches.clear()
  })
})

const google = async (...scopes: string[]): Promise<string> => {
  const code = await codeOf(
    asking(
      'https://accounts.google.com/o/oauth2/v2/auth',
      page(scopes.map((scope) => `https://www.googleapis.com/auth/${scope}`).join(' '), {
        ...pkce,
        access_type: 'offline',
        prompt: 'consent',
      }),
    ),
  )
  return visit.field(
    await visit.ask('POST', 'https://oauth2.googleapis.com/token', {
      form: {
        client_id: 'app',
        client_secret: 's',
        grant_type: 'authorization_code',
        redirect_uri: back,
        code,
        code_verifier: verifier,
      },
    }),
    'access_token',
  )
}

describe('youtube', () => {
  const api = (path: string): string => `https://www.googleapis.com/youtube/v3/${path}`
  const begin = (token: string, size: number, changed: object = {}) =>
    visit.ask('POST', 'https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status', {
      token,
      json: {
        snippet: { title: 'Oven', description: 'At four', categoryId: '22', ...changed },
        status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
      },
      headers: { 'x-upload-content-length': String(size), 'x-upload-content-type': 'video/mp4' },
    })

  it('takes a large film in chunks, says how far it is, and refuses a chunk out of place', async () => {
    const token = await google('youtube', 'youtube.force-ssl')
    const size = 600_000_000
    const session = (await begin(token, size)).headers.get('location') ?? ''
    const put = (range: string, bytes: number) =>
      visit.ask('PUT', session, {
        token,
        bytes: bytesOf(bytes),
        headers: { 'content-range': range, 'content-type': 'video/mp4' },
      })
    const first = 1024 * 256 * 1000
    expect(await put(`bytes 0-${first - 1}/${size}`, first)).toMatchObject({ status: 308 })
    const asked = await put(`bytes */${size}`, 0)
    expect([asked.status, asked.headers.get('range')]).toEqual([308, `bytes=0-${first - 1}`])
    expect((await put(`bytes 0-9/${size}`, 10)).status).toBe(400)
    const done = await put(`bytes ${first}-${size - 1}/${size}`, size - first)
    const id = visit.field(done, 'id')
    expect(visit.field(await put(`bytes */${size}`, 0), 'id')).toBe(id)
    const processing = async () =>
      visit.field(
        await visit.ask('GET', asking(api('videos'), { part: 'status,statistics,processingDetails', id }), { token }),
        'items',
        0,
        'status',
        'uploadStatus',
      )
    expect([await processing(), await processing()]).toEqual(['uploaded', 'processed'])
    expect(
      (
        await visit.ask('PUT', session.replace(/upload_id=.*/, 'upload_id=gone'), {
          token,
          bytes: 'abc',
          headers: { 'content-range': 'bytes 0-2/3', 'content-type': 'video/mp4' },
        })
      ).status,
    ).toBe(404)
    const lists = await visit.ask('GET', asking(api('playlists'), { part: 'snippet', mine: 'true' }), { token })
    const added = await visit.ask('POST', asking(api('playlistItems'), { part: 'snippet' }), {
      token,
      json: {
        snippet: {
          playlistId: visit.field(lists, 'items', 0, 'id'),
          resourceId: { kind: 'youtube#video', videoId: id },
        },
      },
    })
    expect(added.status).toBe(200)
    expect(
      (
        await visit.ask('POST', asking(api('commentThreads'), { part: 'snippet' }), {
          token,
          json: { snippet: { videoId: id, topLevelComment: { snippet: { textOriginal: 'First' } } } },
        })
      ).status,
    ).toBe(200)
    expect(
      (await visit.ask('GET', asking(api('channels'), { part: 'snippet,contentDetails', mine: 'true' }), { token }))
        .status,
    ).toBe(200)
    expect((await visit.ask('DELETE', asking(api('videos'), { id }), { token })).status).toBe(204)
  })

  it('refuses titles, rights and the hundred and first of a day', async () => {
    const token = await google('youtube.upload')
    expect(await begin(token, 3, { title: 'a > b' })).toMatchObject({
      status: 400,
      json: { error: { errors: [{ reason: 'invalidTitle' }] } },
    })
    expect((await begin(await google('youtube.readonly'), 3)).status).toBe(403)
    visit.platform('youtube').state.limit = 0
    expect(await begin(token, 3)).toMatchObject({
      status: 403,
      json: { error: { errors: [{ reason: 'quotaExceeded' }] } },
    })
    visit.platform('youtube').state.limit = 100
  })
})

it('google business profile: a post is live after a look, rejected for a telephone number, and needs a photo that is there', async () => {
  const token = await google('business.manage')
  const account = visit.field(
    await visit.ask('GET', 'https://mybusinessaccountmanagement.googleapis.com/v1/accounts', { token }),
    'accounts',
    0,
    'name',
  )
  const location = visit.field(
    await visit.ask(
      'GET',
      `https://mybusinessbusinessinformation.googleapis.com/v1/${account}/locations?readMask=name,title`,
      { token },
    ),
    'locations',
    0,
    'name',
  )
  const posts = `https://mybusiness.googleapis.com/v4/${account}/${location}/localPosts`
  const create = (more: object) =>
    visit.ask('POST', posts, {
      token,
      json: { topicType: 'STANDARD', languageCode: 'en', summary: 'Rye today', ...more },
    })
  const made = await create({
    media: [{ mediaFormat: 'PHOTO', sourceUrl: 'https://files.test/20000.jpg' }],
    callToAction: { actionType: 'LEARN_MORE', url: 'https://rye.test' },
  })
  expect(visit.field(made, 'state')).toBe('PROCESSING')
  const look = async () =>
    visit.field(
      await visit.ask('GET', `https://mybusiness.googleapis.com/v4/${visit.field(made, 'name')}`, { token }),
      'state',
    )
  expect([await look(), await look()]).toEqual(['PROCESSING', 'LIVE'])
  expect(visit.field(await create({ summary: 'Call 01947 600 123' }), 'state')).toBe('REJECTED')
  expect(await create({ media: [{ mediaFormat: 'PHOTO', sourceUrl: 'https://nowhere.test/a.jpg' }] })).toMatchObject({
    status: 400,
    json: { error: { message: expect.stringContaining('PHOTO_FETCH_FAILED') } },
  })
  expect((await visit.ask('GET', `${posts}?pageSize=10`, { token })).json).toMatchObject({
    localPosts: [{ state: 'REJECTED' }, { state: 'LIVE' }],
  })
  await visit.ask('PATCH', `https://mybusiness.googleapis.com/v4/${visit.field(made, 'name')}?updateMask=summary`, {
    token,
    json: { summary: 'Rye tomorrow' },
  })
  expect(
    visit.field(
      await visit.ask('GET', `https://mybusiness.googleapis.com/v4/${visit.field(made, 'name')}`, { token }),
      'summary',
    ),
  ).toBe('Rye tomorrow')
})

it.runIf(described('x'))('answers only what the descriptions know', () => {
  expect((['x', 'youtube', 'googlemybusiness'] as const).flatMap((key) => visit.mistakes(key))).toEqual([])
})
