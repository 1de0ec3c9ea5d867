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
const basic = { authorization: `Basic ${Buffer.from('app:s').toString('base64')}` }
const codeOf = async (url: string): Promise<string> => (await visit.consent(url)).searchParams.get('code') ?? ''
const page = (scope: string, more: Record<string, string> = {}) => ({
  client_id: 'app',
  redirect_uri: back,
  state: 'st',
  response_type: 'code',
  scope,
  ...more,
})

describe('linkedin', () => {
  const pagesApp = { client_id: 'app-of-linkedin_pages', client_secret: 's' }
  const api = (path: string): string => `https://api.linkedin.com/rest/${path}`
  const headers = { 'linkedin-version': '202608', 'x-restli-protocol-version': '2.0.0' }
  const post = (commentary: string, author: string, more: object = {}) => ({
    author,
    commentary,
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    ...more,
  })
  async function signIn(): Promise<{ token: string; me: string; organization: string }> {
    const code = await codeOf(
      asking(
        'https://www.linkedin.com/oauth/v2/authorization',
        page(
          'r_basicprofile w_member_social w_organization_social r_organization_social r_organization_social_feed rw_organization_admin',
          { client_id: pagesApp.client_id },
        ),
      ),
    )
    const token = visit.field(
      await visit.ask('POST', 'https://www.linkedin.com/oauth/v2/accessToken', {
        form: { ...pagesApp, grant_type: 'authorization_code', code, redirect_uri: back },
      }),
      'access_token',
    )
    const me = visit.field(await visit.ask('GET', 'https://api.linkedin.com/v2/me', { token }), 'id')
    const organization = visit.field(
      await visit.ask('GET', api('organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED'), {
        token,
        headers,
      }),
      'elements',
      0,
      'organization',
    )
    return { token, me: `urn:li:person:${me}`, organization }
  }

  it("refuses the whole sign-in for one permission that the products of the app don't grant", async () => {
    const refusal = async (clientId: string, scope: string) => {
      const { headers: answered } = await visit.ask(
        'GET',
        asking('https://www.linkedin.com/oauth/v2/authorization', page(scope, { client_id: clientId })),
      )
      return new URL(answered.get('location') ?? 'none:').searchParams.get('error_description')
    }
    expect(await refusal('app', 'openid profile w_member_social rw_organization_admin')).toBe(
      'Scope "rw_organization_admin" is not authorized for your application',
    )
    expect(await refusal('app-of-linkedin_pages', 'openid w_organization_social')).toBe(
      'Scope "openid" is not authorized for your application',
    )
  })

  it("returns the post's URN in a header, names the duplicate in a refusal, and deletes repeatedly", async () => {
    const { token, organization } = await signIn()
    const create = (text: string) => visit.ask('POST', api('posts'), { token, headers, json: post(text, organization) })
    const made = await create('Rye \\(fresh\\)')
    const urn = made.headers.get('x-restli-id') ?? ''
    expect([made.status, made.json]).toEqual([201, ''])
    expect(await create('Rye \\(fresh\\)')).toMatchObject({
      status: 422,
      json: { message: `Content is a duplicate of ${urn}` },
    })
    expect((await create('Rye (fresh)')).status).toBe(400)
    const one = api(`posts/${encodeURIComponent(urn)}`)
    expect(
      (
        await visit.ask(
          'GET',
          asking(api('posts'), { q: 'author', author: organization, count: '10', sortBy: 'LAST_MODIFIED' }),
          { token, headers },
        )
      ).json,
    ).toMatchObject({ elements: [{ id: urn, commentary: 'Rye \\(fresh\\)' }] })
    await visit.ask('POST', one, {
      token,
      headers: { ...headers, 'x-restli-method': 'PARTIAL_UPDATE' },
      json: { patch: { $set: { commentary: 'Rye' } } },
    })
    expect((await visit.ask('GET', one, { token, headers })).json).toMatchObject({ commentary: 'Rye' })
    const comment = await visit.ask('POST', api(`socialActions/${encodeURIComponent(urn)}/comments`), {
      token,
      headers,
      json: { actor: organization, object: urn, message: { text: 'Gone' } },
    })
    expect(comment.status).toBe(201)
    expect([
      (await visit.ask('DELETE', one, { token, headers })).status,
      (await visit.ask('DELETE', one, { token, headers })).status,
    ]).toEqual([204, 204])
    expect(
      (await visit.ask('POST', api('posts'), { token, headers, json: post('Not mine', 'urn:li:organization:1') }))
        .status,
    ).toBe(403)
  })

  it('accepts a video in pieces and completes it with their ETags in order', async () => {
    const { token, me } = await signIn()
    const size = 9_000_000
    const begun = await visit.ask('POST', api('videos?action=initializeUpload'), {
      token,
      headers,
      json: {
        initializeUploadRequest: { owner: me, fileSizeBytes: size, uploadCaptions: false, uploadThumbnail: false },
      },
    })
    const video = visit.field(begun, 'value', 'video')
    const tags: string[] = []
    for (const part of [0, 1, 2]) {
      const bytes =
        Number(visit.field(begun, 'value', 'uploadInstructions', part, 'lastByte')) -
        Number(visit.field(begun, 'value', 'uploadInstructions', part, 'firstByte')) +
        1
      const sent = await visit.ask('PUT', visit.field(begun, 'value', 'uploadInstructions', part, 'uploadUrl'), {
        bytes: bytesOf(bytes),
        headers: { 'content-type': 'application/octet-stream' },
      })
      tags.push(sent.headers.get('etag') ?? '')
    }
    const finish = (uploadedPartIds: string[]) =>
      visit.ask('POST', api('videos?action=finalizeUpload'), {
        token,
        headers,
        json: { finalizeUploadRequest: { video, uploadToken: '', uploadedPartIds } },
      })
    expect((await finish(tags.toReversed())).status).toBe(400)
    expect((await finish(tags)).status).toBe(200)
    const create = () =>
      visit.ask('POST', api('posts'), { token, headers, json: post('Oven', me, { content: { media: { id: video } } }) })
    expect((await create()).status).toBe(400)
    const look = async () =>
      visit.field(await visit.ask('GET', api(`videos/${encodeURIComponent(video)}`), { token, headers }), 'status')
    expect([await look(), await look()]).toEqual(['PROCESSING', 'AVAILABLE'])
    expect((await create()).headers.get('x-restli-id')).toContain('ugcPost')
  })
})

describe('pinterest', () => {
  const api = (path: string): string => `https://api.pinterest.com/v5/${path}`
  const exchange = (form: Record<string, string>): Promise<Said> =>
    visit.ask('POST', api('oauth/token'), { form, headers: basic })
  const signIn = async () =>
    exchange({
      grant_type: 'authorization_code',
      redirect_uri: back,
      code: await codeOf(
        asking(
          'https://www.pinterest.com/oauth/',
          page('boards:read,boards:write,pins:read,pins:write,user_accounts:read'),
        ),
      ),
    })

  it('rotates its refresh tokens', async () => {
    const refresh_token = visit.field(await signIn(), 'refresh_token')
    expect((await exchange({ grant_type: 'refresh_token', refresh_token })).status).toBe(200)
    expect((await exchange({ grant_type: 'refresh_token', refresh_token })).status).toBe(400)
  })

  it("pins pictures to a board, and a video only once it's uploaded and processed", async () => {
    const token = visit.field(await signIn(), 'access_token')
    const board_id = visit.field(await visit.ask('GET', api('boards?page_size=25'), { token }), 'items', 0, 'id')
    const pin = (media_source: object, board = board_id) =>
      visit.ask('POST', api('pins'), {
        token,
        json: { board_id: board, title: 'Rye', description: 'Fresh', media_source },
      })
    const made = await pin({ source_type: 'image_url', url: 'https://files.test/900.jpg' })
    expect(made.status).toBe(201)
    expect((await pin({ source_type: 'image_url', url: 'https://nowhere.test/a.jpg' })).status).toBe(400)
    expect((await pin({ source_type: 'image_url', url: 'https://files.test/900.jpg' }, '12')).status).toBe(404)
    const media = await visit.ask('POST', api('media'), { token, json: { media_type: 'video' } })
    const media_id = visit.field(media, 'media_id')
    const film = () => pin({ source_type: 'video_id', media_id, cover_image_url: 'https://files.test/900.jpg' })
    expect((await film()).status).toBe(400)
    const form = new FormData()
    for (const name of ['key', 'policy', 'x-amz-signature', 'x-amz-date'])
      form.append(name, visit.field(media, 'upload_parameters', name))
    form.append('file', new Blob([new Uint8Array(1000)]), 'a.mp4')
    expect((await visit.ask('POST', visit.field(media, 'upload_url'), { bytes: form })).status).toBe(204)
    const look = async () => visit.field(await visit.ask('GET', api(`media/${media_id}`), { token }), 'status')
    expect([await look(), await look()]).toEqual(['processing', 'succeeded'])
    const second = await film()
    expect((await visit.ask('GET', api(`boards/${board_id}/pins?page_size=1`), { token })).json).toMatchObject({
      items: [{ id: visit.field(second, 'id') }],
      bookmark: expect.any(String),
    })
    const id = visit.field(made, 'id')
    await visit.ask('PATCH', api(`pins/${id}`), { token, json: { title: 'Rye again' } })
    expect((await visit.ask('GET', api(`pins/${id}?pin_metrics=true`), { token })).json).toMatchObject({
      title: 'Rye again',
      pin_metrics: { lifetime_metrics: { save: expect.any(Number) } },
    })
    expect((await visit.ask('DELETE', api(`pins/${id}`), { token })).status).toBe(204)
    expect((await visit.ask('GET', api(`pins/${id}`), { token })).status).toBe(404)
  })
})

describe('tiktok', () => {
  const api = (path: string): string => `https://open.tiktokapis.com/v2/${path}`
  const MB = 1024 * 1024
  async function signIn(): Promise<string> {
    const code = await codeOf(
      asking('https://www.tiktok.com/v2/auth/authorize/', {
        client_key: 'app',
        redirect_uri: back,
        state: 'st',
        response_type: 'code',
        scope: 'user.info.basic,video.publish,video.list',
      }),
    )
    const signed = await visit.ask('POST', api('oauth/token/'), {
      form: { client_key: 'app', client_secret: 's', grant_type: 'authorization_code', redirect_uri: back, code },
    })
    expect(visit.field(signed, 'scope')).toBe('user.info.basic,video.publish,video.list')
    return visit.field(signed, 'access_token')
  }
  const inform = (token: string) =>
    visit.ask('POST', api('post/publish/creator_info/query/'), {
      token,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
    })
  const init = (token: string, source_info: object, privacy_level = 'PUBLIC_TO_EVERYONE') =>
    visit.ask('POST', api('post/publish/video/init/'), {
      token,
      json: { post_info: { title: 'Oven', privacy_level }, source_info },
    })
  const status = (token: string, publish_id: string) =>
    visit.ask('POST', api('post/publish/status/fetch/'), { token, json: { publish_id } })

  it("accepts chunks in order, and returns a public post's ID after moderation", async () => {
    const token = await signIn()
    const size = 25 * MB
    const source = { source: 'FILE_UPLOAD', video_size: size, chunk_size: 10 * MB, total_chunk_count: 2 }
    expect((await init(token, source)).status).toBe(400)
    await inform(token)
    expect((await init(token, { ...source, total_chunk_count: 3 })).status).toBe(400)
    const begun = await init(token, source)
    const put = (from: number, to: number) =>
      visit.ask('PUT', visit.field(begun, 'data', 'upload_url'), {
        bytes: bytesOf(to - from + 1),
        headers: { 'content-type': 'video/mp4', 'content-range': `bytes ${from}-${to}/${size}` },
      })
    expect((await put(10 * MB, size - 1)).status).toBe(416)
    expect((await put(0, 10 * MB - 1)).status).toBe(206)
    expect((await put(10 * MB, size - 1)).status).toBe(201)
    const id = visit.field(begun, 'data', 'publish_id')
    const said = []
    for (let i = 0; i < 3; i++) said.push((await status(token, id)).json)
    expect(said).toMatchObject([
      { data: { status: 'PROCESSING_UPLOAD' } },
      { data: { status: 'PUBLISH_COMPLETE' } },
      { data: { publicaly_available_post_id: [expect.any(Number)] } },
    ])
    expect(
      (
        await visit.ask('POST', api('video/list/?fields=id,create_time,share_url,view_count'), {
          token,
          json: { max_count: 10 },
        })
      ).json,
    ).toMatchObject({ data: { videos: [{ share_url: expect.stringContaining('/video/') }], has_more: false } })
  })

  it("refuses a privacy that the creator lacks, public posts of an unaudited app, and videos that can't be fetched", async () => {
    const token = await signIn()
    await inform(token)
    const pulled = (name: string) => ({ source: 'PULL_FROM_URL', video_url: `https://${name}` })
    expect(await init(token, pulled('files.test/9.mp4'), 'FOLLOWER_OF_CREATOR')).toMatchObject({
      status: 403,
      json: { error: { code: 'privacy_level_option_mismatch' } },
    })
    visit.platform('tiktok').state.switches.add('unaudited')
    expect(await init(token, pulled('files.test/9.mp4'))).toMatchObject({
      json: { error: { code: 'unaudited_client_can_only_post_to_private_accounts' } },
    })
    visit.platform('tiktok').state.switches.clear()
    const lost = await init(token, pulled('nowhere.test/a.mp4'))
    expect((await status(token, visit.field(lost, 'data', 'publish_id'))).json).toMatchObject({
      data: { status: 'FAILED', fail_reason: 'video_pull_failed' },
    })
    await inform(token)
    const photos = await visit.ask('POST', api('post/publish/content/init/'), {
      token,
      json: {
        media_type: 'PHOTO',
        post_mode: 'DIRECT_POST',
        post_info: { title: 'Loaf', description: 'Rye', privacy_level: 'SELF_ONLY' },
        source_info: { source: 'PULL_FROM_URL', photo_images: ['https://files.test/900.jpg'], photo_cover_index: 0 },
      },
    })
    await status(token, visit.field(photos, 'data', 'publish_id'))
    expect((await status(token, visit.field(photos, 'data', 'publish_id'))).json).toMatchObject({
      data: { status: 'PUBLISH_COMPLETE' },
    })
  })
})

describe('mastodon', () => {
  const at = (path: string): string => `https://rooks.simulated${path}`
  const scopes = 'read:accounts read:statuses read:notifications write:statuses write:media write:favourites'
  async function signIn(): Promise<string> {
    const registered = await visit.ask('POST', at('/api/v1/apps'), {
      json: { client_name: 'Rookery', redirect_uris: back, scopes },
    })
    const client = {
      client_id: visit.field(registered, 'client_id'),
      client_secret: visit.field(registered, 'client_secret'),
    }
    const verifier = 'v'.repeat(50)
    const code = await codeOf(
      asking(
        at('/oauth/authorize'),
        page(scopes, {
          client_id: client.client_id,
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          code_challenge_method: 'S256',
        }),
      ),
    )
    return visit.field(
      await visit.ask('POST', at('/oauth/token'), {
        form: { ...client, grant_type: 'authorization_code', code, redirect_uri: back, code_verifier: verifier },
      }),
      'access_token',
    )
  }
  const send = (token: string, status: object, key: string) =>
    visit.ask('POST', at('/api/v1/statuses'), { token, json: status, headers: { 'idempotency-key': key } })

  it('creates a status once per key within an hour', async () => {
    const token = await signIn()
    const first = visit.field(await send(token, { status: 'Rye' }, 'k1'), 'id')
    expect(visit.field(await send(token, { status: 'Rye' }, 'k1'), 'id')).toBe(first)
    visit.clock.now += 3_601_000
    expect(visit.field(await send(token, { status: 'Rye' }, 'k1'), 'id')).not.toBe(first)
    expect(await send(token, { status: 'a'.repeat(501) }, 'k2')).toMatchObject({ status: 422 })
    await visit.ask('PUT', at(`/api/v1/statuses/${first}`), { token, json: { status: 'Rye again' } })
    expect((await visit.ask('GET', at(`/api/v1/statuses/${first}`), { token })).json).toMatchObject({
      content: '<p>Rye again</p>',
    })
    expect((await visit.ask('DELETE', at(`/api/v1/statuses/${first}`), { token })).status).toBe(200)
    expect((await visit.ask('GET', at(`/api/v1/statuses/${first}`), { token })).status).toBe(404)
  })

  it('processes a video before it can be attached, and requires app registration before redirecting', async () => {
    const token = await signIn()
    const form = new FormData()
    form.append('description', 'An oven')
    form.append('file', new Blob([new Uint8Array(1000)], { type: 'video/mp4' }), 'a.mp4')
    const made = await visit.ask('POST', at('/api/v2/media'), { token, bytes: form })
    expect(made.status).toBe(202)
    const media = visit.field(made, 'id')
    const attach = () => send(token, { status: '', media_ids: [media] }, 'k3')
    expect((await attach()).status).toBe(422)
    const look = async () => (await visit.ask('GET', at(`/api/v1/media/${media}`), { token })).status
    expect([await look(), await look()]).toEqual([206, 200])
    expect((await attach()).status).toBe(200)
    expect((await visit.ask('GET', asking(at('/oauth/authorize'), page(scopes)))).status).toBe(401)
  })
})

it.runIf(described('linkedin'))('responds only as the descriptions say', () => {
  expect((['linkedin', 'pinterest', 'tiktok', 'mastodon'] as const).flatMap((key) => visit.mistakes(key))).toEqual([])
})
