import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { described } from './described.ts'
import { asking, bytesOf, visitPlatforms, type Said, type Visitor } from '../testing/visitor.ts'

let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

const app = { client_id: 'app', client_secret: 's' }
const back = 'http://localhost:3000/back'
const code = async (page: string, scope: string, choice = {}): Promise<URL> =>
  visit.consent(
    asking(page, { client_id: 'app', redirect_uri: back, scope, state: 'st', response_type: 'code' }),
    choice,
  )
const errorOf = ({ status, json }: Said): unknown => ({ status, json })
const refusal = (error: number, subcode?: number) => ({
  json: { error: { code: error, ...(subcode !== undefined && { error_subcode: subcode }) } },
})

const facebookScopes =
  'pages_show_list,pages_read_engagement,pages_manage_posts,pages_manage_engagement,read_insights,instagram_basic,instagram_content_publish'
async function facebookPage(): Promise<{ page: string; token: string; user: string; instagram: string }> {
  const { searchParams } = await code('https://www.facebook.com/v25.0/dialog/oauth', facebookScopes)
  const short = await visit.ask('POST', 'https://graph.facebook.com/v25.0/oauth/access_token', {
    form: { ...app, redirect_uri: back, code: searchParams.get('code') ?? '' },
  })
  const long = await visit.ask(
    'GET',
    asking('https://graph.facebook.com/v25.0/oauth/access_token', {
      ...app,
      grant_type: 'fb_exchange_token',
      fb_exchange_token: visit.field(short, 'access_token'),
    }),
  )
  const user = visit.field(long, 'access_token')
  const pages = await visit.ask(
    'GET',
    'https://graph.facebook.com/v25.0/me/accounts?fields=id,name,access_token,tasks,instagram_business_account{id,username}',
    { token: user },
  )
  return {
    user,
    page: visit.field(pages, 'data', 0, 'id'),
    token: visit.field(pages, 'data', 0, 'access_token'),
    instagram: visit.field(pages, 'data', 0, 'instagram_business_account', 'id'),
  }
}

describe('facebook', () => {
  const graph = (path: string): string => `https://graph.facebook.com/v25.0/${path}`

  it('takes a text once, shows it, counts it, comments it, changes it and removes it', async () => {
    const { page, token } = await facebookPage()
    const sent = await visit.ask('POST', graph(`${page}/feed`), { token, form: { message: 'Rye at ten' } })
    const id = visit.field(sent, 'id')
    expect(await visit.ask('POST', graph(`${page}/feed`), { token, form: { message: 'Rye at ten' } })).toMatchObject(
      refusal(506),
    )
    expect(
      (
        await visit.ask('GET', graph(`${page}/published_posts?fields=id,message,created_time,permalink_url&limit=5`), {
          token,
        })
      ).json,
    ).toMatchObject({ data: [{ id, message: 'Rye at ten', created_time: '2026-11-21T08:00:00+0000' }] })
    const figure = async (): Promise<number> =>
      Number(
        visit.field(
          await visit.ask('GET', graph(`${id}/insights?metric=post_media_view`), { token }),
          'data',
          0,
          'values',
          0,
          'value',
        ),
      )
    const before = await figure()
    visit.clock.now += 3_600_000
    expect(await figure()).toBeGreaterThan(before)
    expect(await visit.ask('GET', graph(`${id}/insights?metric=post_impressions`), { token })).toMatchObject(
      refusal(100),
    )
    const comment = visit.field(
      await visit.ask('POST', graph(`${id}/comments`), { token, form: { message: 'Gone' } }),
      'id',
    )
    expect((await visit.ask('GET', graph(`${id}/comments?fields=id,message`), { token })).json).toMatchObject({
      data: [{ id: comment, message: 'Gone' }],
    })
    // someone writes below it, asked from a terminal
    const written = await visit.ask('POST', 'https://sim/write', {
      json: { platform: 'facebook', from: 'noraquill', text: 'At nine, please', parent: id },
    })
    expect((await visit.ask('GET', graph(`${id}/comments?fields=id,message`), { token })).json).toMatchObject({
      data: [
        { id: visit.field(written, 'id'), message: 'At nine, please' },
        { id: comment, message: 'Gone' },
      ],
    })
    await visit.ask('POST', graph(id), { token, form: { message: 'Rye at nine' } })
    expect((await visit.ask('GET', graph(`${id}?fields=message`), { token })).json).toEqual({
      id,
      message: 'Rye at nine',
    })
    await visit.ask('DELETE', graph(id), { token })
    expect(await visit.ask('GET', graph(`${id}?fields=message`), { token })).toMatchObject(refusal(100, 33))
  })

  it('finds Pages by name for an app that may search', async () => {
    await facebookPage()
    const search = (q: string): Promise<Said> =>
      visit.ask('GET', asking(graph('pages/search'), { q, fields: 'id,name,location' }), { token: 'app|s' })
    expect((await search('harbour')).json).toMatchObject({
      data: [
        { name: 'Harbour Market', location: { city: 'Bristol' } },
        { name: 'Harbour Books' },
        { name: 'Harbour fans' },
      ],
    })
    visit.platform('facebook').state.switches.add('no search')
    expect(await search('harbour')).toMatchObject(refusal(10))
    visit.platform('facebook').state.switches.delete('no search')
    expect(
      await visit.ask('GET', asking(graph('pages/search'), { q: 'harbour', fields: 'id' }), { token: 'nobody' }),
    ).toMatchObject(refusal(190))
  })

  it('takes several hidden pictures as one post, each once', async () => {
    const { page, token } = await facebookPage()
    const photo = async (): Promise<string> =>
      visit.field(
        await visit.ask('POST', graph(`${page}/photos`), {
          token,
          form: { url: 'https://files.test/900.jpg', published: 'false' },
        }),
        'id',
      )
    const media = {
      'attached_media[0]': `{"media_fbid":"${await photo()}"}`,
      'attached_media[1]': `{"media_fbid":"${await photo()}"}`,
    }
    expect((await visit.ask('POST', graph(`${page}/feed`), { token, form: { message: 'Two', ...media } })).status).toBe(
      200,
    )
    expect(
      await visit.ask('POST', graph(`${page}/feed`), { token, form: { message: 'Again', ...media } }),
    ).toMatchObject(refusal(100))
    expect(
      await visit.ask('POST', graph(`${page}/photos`), { token, form: { url: 'https://files.test/5.pdf' } }),
    ).toMatchObject(refusal(324))
  })

  it('takes a reel of a gigabyte from where it was left, and says when it is out', async () => {
    const { page, token } = await facebookPage()
    const size = 1_000_000_000
    const start = await visit.ask('POST', graph(`${page}/video_reels`), { token, form: { upload_phase: 'start' } })
    const video = visit.field(start, 'video_id')
    const finish = () =>
      visit.ask('POST', graph(`${page}/video_reels`), {
        token,
        form: { upload_phase: 'finish', video_id: video, video_state: 'PUBLISHED', description: 'Oven' },
      })
    expect(await finish()).toMatchObject(refusal(100))
    const piece = (offset: number, bytes: number) =>
      visit.ask('POST', visit.field(start, 'upload_url'), {
        bytes: bytesOf(bytes),
        headers: {
          authorization: `OAuth ${token}`,
          offset: String(offset),
          file_size: String(size),
          'content-type': 'application/octet-stream',
        },
      })
    expect((await piece(0, 400_000_000)).status).toBe(200)
    expect(errorOf(await piece(0, 10))).toMatchObject({
      status: 400,
      json: { debug_info: { type: 'OffsetInvalidError' } },
    })
    expect((await piece(400_000_000, 600_000_000)).status).toBe(200)
    expect(visit.field(await finish(), 'post_id')).toContain(page)
    const look = async () =>
      visit.field(await visit.ask('GET', graph(`${video}?fields=status`), { token }), 'status', 'video_status')
    expect([await look(), await look()]).toEqual(['processing', 'ready'])
  })

  it("refuses a token that is over or may not, and a field that it doesn't know", async () => {
    const { page, token, user } = await facebookPage()
    expect(await visit.ask('POST', graph(`${page}/feed`), { token: user, form: { message: 'a' } })).toMatchObject({
      status: 403,
      ...refusal(200),
    })
    expect(await visit.ask('POST', graph(`${page}/feed`), { form: { message: 'a' } })).toMatchObject(refusal(190))
    visit.platform('facebook').state.expireTokens()
    expect(await visit.ask('POST', graph(`${page}/feed`), { token, form: { message: 'a' } })).toMatchObject(
      refusal(190, 463),
    )
    if (described('facebook'))
      expect(await visit.ask('POST', graph(`${page}/feed`), { token, form: { text: 'a' } })).toMatchObject(refusal(100))
  })

  it('issues a code once, to the app that asked; declined permissions are listed', async () => {
    const returned = await code('https://www.facebook.com/v25.0/dialog/oauth', facebookScopes, {
      without: ['read_insights'],
    })
    expect(returned.searchParams.get('state')).toBe('st')
    const form = { ...app, redirect_uri: back, code: returned.searchParams.get('code') ?? '' }
    const exchange = (changed = {}) =>
      visit.ask('POST', 'https://graph.facebook.com/v25.0/oauth/access_token', { form: { ...form, ...changed } })
    const token = visit.field(await exchange(), 'access_token')
    expect((await exchange()).status).toBe(400)
    expect((await visit.ask('GET', graph('me/permissions'), { token })).json).toMatchObject({
      data: expect.arrayContaining([
        { permission: 'read_insights', status: 'declined' },
        { permission: 'pages_manage_posts', status: 'granted' },
      ]),
    })
    expect(
      (await code('https://www.facebook.com/v25.0/dialog/oauth', 'a', { deny: true })).searchParams.get('error'),
    ).toBe('access_denied')
    const second = (await code('https://www.facebook.com/v25.0/dialog/oauth', 'a')).searchParams.get('code') ?? ''
    expect((await exchange({ code: second, redirect_uri: 'http://localhost:3000/other' })).status).toBe(400)
    const third = (await code('https://www.facebook.com/v25.0/dialog/oauth', 'a')).searchParams.get('code') ?? ''
    visit.clock.now += 601_000
    expect((await exchange({ code: third })).status).toBe(400)
  })
})

async function metaToken(
  page: string,
  tokens: string,
  longer: string,
  grant: string,
  scope: string,
): Promise<{ token: string; account: string }> {
  const returned = await code(page, scope)
  expect(returned.hash).toBe('#_')
  const short = await visit.ask('POST', tokens, {
    form: {
      ...app,
      grant_type: 'authorization_code',
      redirect_uri: back,
      code: returned.searchParams.get('code') ?? '',
    },
  })
  const long = await visit.ask(
    'GET',
    asking(longer, { grant_type: grant, client_secret: 's', access_token: visit.field(short, 'access_token') }),
  )
  return { token: visit.field(long, 'access_token'), account: visit.field(short, 'user_id') }
}

describe('instagram', () => {
  const scope =
    'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_comments,instagram_business_manage_insights'
  const signIn = () =>
    metaToken(
      'https://www.instagram.com/oauth/authorize',
      'https://api.instagram.com/oauth/access_token',
      'https://graph.instagram.com/access_token',
      'ig_exchange_token',
      scope,
    )
  const graph = (path: string): string => `https://graph.instagram.com/v25.0/${path}`
  const make = async (account: string, token: string, form: Record<string, string>): Promise<string> =>
    visit.field(await visit.ask('POST', graph(`${account}/media`), { token, form }), 'id')

  it('counts the people of a range once each, and refuses more than 30 days', async () => {
    const { token, account } = await signIn()
    const now = Math.floor(visit.clock.now / 1000)
    const reach = async (from: number, to: number) => {
      const range = `since=${now - from * 86_400}&until=${now - to * 86_400}`
      return await visit.ask(
        'GET',
        graph(`${account}/insights?metric=reach&period=day&metric_type=total_value&${range}`),
        {
          token,
        },
      )
    }
    const people = async (from: number, to: number) =>
      Number(visit.field(await reach(from, to), 'data', 0, 'total_value', 'value'))
    const days = await Promise.all([5, 4, 3].map((from) => people(from, from - 1)))
    const together = await people(5, 2)
    expect(together).toBeGreaterThanOrEqual(Math.max(...days))
    expect(together).toBeLessThan(days.reduce((sum, value) => sum + value, 0))
    expect(await reach(32, 2)).toMatchObject({ status: 200 })
    expect(await reach(33, 2)).toMatchObject(refusal(100))
  })

  it("works on a container, publishes it once, and keeps the day's limit", async () => {
    const { token, account } = await signIn()
    const container = await make(account, token, {
      image_url: 'https://files.test/900.jpg',
      caption: 'Rye',
      alt_text: 'A loaf',
    })
    const publish = (id: string) =>
      visit.ask('POST', graph(`${account}/media_publish`), { token, form: { creation_id: id } })
    const look = async (id: string): Promise<string> =>
      visit.field(await visit.ask('GET', graph(`${id}?fields=status_code,status`), { token }), 'status_code')
    expect(await publish(container)).toMatchObject(refusal(9007, 2_207_027))
    expect([await look(container), await look(container)]).toEqual(['IN_PROGRESS', 'FINISHED'])
    const post = visit.field(await publish(container), 'id')
    expect(await look(container)).toBe('PUBLISHED')
    expect(
      (await visit.ask('GET', graph(`${account}/media?fields=id,caption,permalink,timestamp`), { token })).json,
    ).toMatchObject({ data: [{ id: post, caption: 'Rye' }] })
    expect(
      (await visit.ask('GET', graph(`${account}/content_publishing_limit?fields=quota_usage,config`), { token })).json,
    ).toMatchObject({ data: [{ quota_usage: 1, config: { quota_total: 50 } }] })
    visit.platform('instagram').state.limit = 1
    const second = await make(account, token, { video_url: 'https://files.test/2000.mp4', media_type: 'REELS' })
    await look(second)
    await look(second)
    expect(await publish(second)).toMatchObject(refusal(9, 2_207_042))
    visit.platform('instagram').state.limit = 50
    visit.clock.now += 25 * 3_600_000
    expect(await look(second)).toBe('EXPIRED')
  })

  it("takes a carousel, and refuses pictures of the wrong kind or size and films that aren't there", async () => {
    const { token, account } = await signIn()
    const children = [
      await make(account, token, { image_url: 'https://files.test/900.jpg', is_carousel_item: 'true' }),
      await make(account, token, {
        video_url: 'https://files.test/900.mp4',
        media_type: 'VIDEO',
        is_carousel_item: 'true',
      }),
    ]
    expect(
      await make(account, token, { media_type: 'CAROUSEL', children: children.join(','), caption: 'Both' }),
    ).toMatch(/^\d+$/)
    const wrong = (form: Record<string, string>) => visit.ask('POST', graph(`${account}/media`), { token, form })
    expect(await wrong({ image_url: 'https://files.test/8000001.jpg' })).toMatchObject(refusal(36_000, 2_207_004))
    expect(await wrong({ image_url: 'https://files.test/10.png' })).toMatchObject(refusal(36_001))
    expect(await wrong({ image_url: 'https://nowhere.test/a.jpg' })).toMatchObject(refusal(9004, 2_207_052))
    expect(await wrong({ media_type: 'CAROUSEL', children: children[0] ?? '' })).toMatchObject(refusal(-1, 2_207_028))
    const film = await make(account, token, { video_url: 'https://nowhere.test/a.mp4', media_type: 'REELS' })
    expect((await visit.ask('GET', graph(`${film}?fields=status_code`), { token })).json).toMatchObject({
      status_code: 'ERROR',
    })
  })

  it('is reached through a Page too, with the token of that Page', async () => {
    const { token, instagram, page } = await facebookPage()
    const graphOfFacebook = `https://graph.facebook.com/v25.0`
    const made = await visit.ask('POST', `${graphOfFacebook}/${instagram}/media`, {
      token,
      form: { image_url: 'https://files.test/10.jpg' },
    })
    expect(made.status).toBe(200)
    expect(
      (await visit.ask('GET', `${graphOfFacebook}/${visit.field(made, 'id')}?fields=status_code`, { token })).json,
    ).toMatchObject({ status_code: 'IN_PROGRESS' })
    expect((await visit.ask('GET', `${graphOfFacebook}/${page}?fields=name`, { token })).status).toBe(200)
  })

  it('lengthens a token only after a day', async () => {
    const { token } = await signIn()
    const renew = () =>
      visit.ask(
        'GET',
        asking('https://graph.instagram.com/refresh_access_token', {
          grant_type: 'ig_refresh_token',
          access_token: token,
        }),
      )
    expect((await renew()).status).toBe(400)
    visit.clock.now += 25 * 3_600_000
    expect(visit.field(await renew(), 'expires_in')).toBe(String(60 * 24 * 3600))
  })
})

describe('threads', () => {
  const scope = 'threads_basic,threads_content_publish,threads_delete,threads_manage_insights,threads_read_replies'
  const signIn = () =>
    metaToken(
      'https://threads.net/oauth/authorize',
      'https://graph.threads.net/oauth/access_token',
      'https://graph.threads.net/access_token',
      'th_exchange_token',
      scope,
    )
  const graph = (path: string): string => `https://graph.threads.net/v1.0/${path}`

  it('publishes a text, a reply to it, and shows both in their places', async () => {
    const { token, account } = await signIn()
    const publish = async (form: Record<string, string>): Promise<string> => {
      const made = visit.field(await visit.ask('POST', graph(`${account}/threads`), { token, form }), 'id')
      return visit.field(
        await visit.ask('POST', graph(`${account}/threads_publish`), { token, form: { creation_id: made } }),
        'id',
      )
    }
    const first = await publish({ media_type: 'TEXT', text: 'One' })
    const second = await publish({ media_type: 'TEXT', text: 'Two', reply_to_id: first })
    expect(
      (
        await visit.ask(
          'GET',
          graph('me/threads?fields=id,text,media_product_type,media_type,permalink,username,timestamp'),
          { token },
        )
      ).json,
    ).toMatchObject({ data: [{ id: first, text: 'One' }] })
    expect((await visit.ask('GET', graph('me/replies?fields=id,replied_to'), { token })).json).toMatchObject({
      data: [{ id: second, replied_to: { id: first } }],
    })
    expect((await visit.ask('GET', graph(`${first}/insights?metric=views,likes`), { token })).json).toMatchObject({
      data: [{ name: 'views' }, { name: 'likes' }],
    })
    expect((await visit.ask('DELETE', graph(second), { token })).json).toMatchObject({ success: true })
    expect((await visit.ask('GET', graph('me/replies?fields=id'), { token })).json).toMatchObject({ data: [] })
  })

  it('refuses too long a text, too many links, and a film that is no film', async () => {
    const { token, account } = await signIn()
    const make = (form: Record<string, string>) => visit.ask('POST', graph(`${account}/threads`), { token, form })
    expect(await make({ media_type: 'TEXT', text: 'a'.repeat(501) })).toMatchObject(refusal(100))
    expect(
      await make({ media_type: 'TEXT', text: [1, 2, 3, 4, 5, 6].map((n) => `https://a.test/${n}`).join(' ') }),
    ).toMatchObject({ json: { error: { message: 'THREADS_API__LINK_LIMIT_EXCEEDED' } } })
    const film = visit.field(await make({ media_type: 'VIDEO', video_url: 'https://files.test/9.txt' }), 'id')
    expect((await visit.ask('GET', graph(`${film}?fields=status,error_message`), { token })).json).toMatchObject({
      status: 'ERROR',
      error_message: 'INVALID_VIDEO_CODEC_OR_CONTAINER',
    })
  })
})

describe('what goes wrong on demand', () => {
  it('drops a response before or after carrying out the call, or returns a scripted one, as often as configured', async () => {
    const { page, token } = await facebookPage()
    const feed = `https://graph.facebook.com/v25.0/${page}/feed`
    const { faults, state } = visit.platform('facebook')
    const count = (): number => state.live(({ kind }) => kind === 'post').length
    const before = count()
    faults.add({ on: 'POST graph.facebook.com/*/feed', drop: 'after' })
    await expect(visit.ask('POST', feed, { token, form: { message: 'There' } })).rejects.toThrow('fetch failed')
    expect(count()).toBe(before + 1)
    faults.add({ on: 'POST *', drop: 'before' })
    await expect(visit.ask('POST', feed, { token, form: { message: 'Not there' } })).rejects.toThrow('fetch failed')
    expect(count()).toBe(before + 1)
    faults.add({ on: 'POST *', times: 2, after: 1, answer: { status: 503, text: 'down' } })
    const said = []
    for (const message of ['a', 'b', 'c', 'd'])
      said.push((await visit.ask('POST', feed, { token, form: { message } })).status)
    expect(said).toEqual([200, 503, 503, 200])
    faults.add({ on: 'POST *', done: true, answer: { status: 200, text: '<html>' } })
    const there = count()
    expect((await visit.ask('POST', feed, { token, form: { message: 'No JSON' } })).json).toBe('<html>')
    expect(count()).toBe(there + 1)
  })
})

it('lets other processes set faults and read what was published', async () => {
  const { page, token } = await facebookPage()
  const tell = (path: string, json: object) => visit.ask('POST', `https://sim/${path}`, { json })
  await tell('faults', { platform: 'facebook', on: 'POST *', answer: { status: 500 } })
  const feed = () =>
    visit.ask('POST', `https://graph.facebook.com/v25.0/${page}/feed`, { token, form: { message: 'By a program' } })
  expect([(await feed()).status, (await feed()).status]).toEqual([500, 200])
  expect((await visit.ask('GET', 'https://sim/posts/facebook')).json).toMatchObject({
    posts: expect.arrayContaining([expect.objectContaining({ text: 'By a program' })]),
  })
  await tell('expire', { platform: 'facebook' })
  expect(await feed()).toMatchObject(refusal(190, 463))
  expect([
    (await tell('faults', { platform: 'bluesky' })).status,
    (await tell('other', { platform: 'x' })).status,
    (await visit.ask('GET', 'https://elsewhere.test/')).status,
  ]).toEqual([400, 404, 404])
})

it.runIf(described('facebook'))('answers only what the descriptions know', () => {
  expect((['facebook', 'instagram', 'threads'] as const).flatMap((key) => visit.mistakes(key))).toEqual([])
})
