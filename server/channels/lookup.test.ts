import { because, sentenceOf } from '#contract/failures/catalog.ts'
import { saying } from '../testing/reasons.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addPlaylist,
  facebookMentions,
  lookup,
  modifyBoard,
  pinterestBoards,
  youtubeCategories,
  youtubePlaylists,
} from '#contract/lookups.ts'
import type { LookupItem } from '#contract/platforms/rules.ts'
import type { Addition, Change, Lookup, LookupAnswer, Refusal } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/* Lookups while composing, at a platform that answers what the test says. */

let app: TestApp
let home: TestHome
let channelId: string
let asked: { query: string; token: unknown }[] = []
let answers: () => LookupAnswer | Refusal
let changes: () => Awaited<ReturnType<Change>>
let changed: [string, object][] = []
let additions: () => Awaited<ReturnType<Addition>>

const item = (name: string, more: Partial<LookupItem> = {}): LookupItem => ({
  id: `id of ${name}`,
  name,
  detail: null,
  pictureUrl: null,
  insert: null,
  ...more,
})
const playlists: Lookup = async (_, secret, __, { query }) => (asked.push({ query, token: secret['token'] }), answers())
const dead: Refusal = {
  kind: 'reconnect',
  reason: saying('The sign-in has ended.', 'Reconnect the channel.'),
}

beforeAll(async () => {
  app = await startApp({
    platforms: {
      youtube: testPlatform({
        key: 'youtube',
        lookups: { playlists },
        additions: { playlists: async () => additions() },
        refresh: async () => ({ kind: 'refreshed', secret: { token: 'a newer token' }, expiresAt: null }),
      }),
      facebook: testPlatform({ key: 'facebook', lookups: { people: playlists } }),
      threads: testPlatform({ key: 'threads', closedLookups: { people: because('threads-people-closed') } }),
      pinterest: testPlatform({
        key: 'pinterest',
        changes: { boards: async (_, __, ___, id, change) => (changed.push([id, change]), changes()) },
      }),
    },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  asked = []
  changed = []
  answers = () => ({ kind: 'found', items: [item('Autumn'), item('Winter')] })
  additions = () => ({ kind: 'added', item: item('Spring') })
  home = await app.signedInOwner()
  channelId = await on('youtube')
})

async function on(platform: string): Promise<string> {
  const id = await contentOn(app.parts).channel(home)
  await app.database.owner.query('update channel set platform = $2 where id = $1', [id, platform])
  return id
}
const at = () => ({ ...home.params, channelId })
const look = (query = '', as: TestPerson = home.person) =>
  app.call(lookup, { params: { ...at(), kind: 'playlists' }, query: { query } }, { as })
const names = async (query?: string) => (await look(query)).items.map(({ name }) => name)

describe('a lookup', () => {
  it('returns what the platform offers, with the channel’s own sign-in', async () => {
    expect(await look(' aut ')).toMatchObject({ offered: true, items: [item('Autumn'), item('Winter')] })
    expect(asked).toEqual([{ query: 'aut', token: 'a token of the tests' }])
  })

  it('asks the same once a minute, ignoring case, and anything else separately', async () => {
    await Promise.all([look('Aut'), look('aut')])
    await look('AUT')
    expect(asked).toHaveLength(1)
    await look('win')
    app.clock.advance({ seconds: 61 })
    await look('aut')
    expect(asked.slice(1).map(({ query }) => query)).toEqual(['win', 'aut'])
  })

  it('of another channel, or after a new sign-in, is separate', async () => {
    await look()
    await app.database.owner.query('update channel_secret set version = version + 1 where channel_id = $1', [channelId])
    await look()
    channelId = await on('youtube')
    await look()
    expect(asked).toHaveLength(3)
  })

  it('says if a platform has none', async () => {
    expect(await app.call(lookup, { params: { ...at(), kind: 'boards' } }, { as: home.person })).toMatchObject({
      offered: false,
      items: [],
    })
    channelId = await on('pinterest')
    expect(await look()).toMatchObject({
      offered: false,
      items: [],
      reason: null,
      account: null,
    })
  })

  it('renews a refused token, once', async () => {
    let first = true
    answers = () => {
      const answer = first ? dead : { kind: 'found' as const, items: [item('Autumn')] }
      first = false
      return answer
    }
    expect(await names()).toEqual(['Autumn'])
    expect(asked.map(({ token }) => token)).toEqual(['a token of the tests', 'a newer token'])
  })

  it('reports the platform’s reason, and asks again after that', async () => {
    answers = () => dead
    await expect(look()).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      problem: { detail: 'The sign-in has ended. Reconnect the channel.' },
    })
    answers = () => ({
      kind: 'retry',
      afterSeconds: 30,
      reason: saying('The platform is away.', 'Try again.'),
    })
    await expect(look()).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
    answers = () => ({ kind: 'found', items: [] })
    expect(await names()).toEqual([])
  })

  it('shows pictures with URLs of ours, from https only, and at most fifty items', async () => {
    answers = () => ({
      kind: 'found',
      items: Array.from({ length: 60 }, (_, i) =>
        item(`No ${i}`, { pictureUrl: i === 0 ? 'http://10.0.0.1/a.png' : 'https://p.example/a.png' }),
      ),
    })
    const { items } = await look()
    expect(items).toHaveLength(50)
    expect(items.slice(0, 2).map(({ pictureUrl }) => pictureUrl)).toEqual([
      null,
      expect.stringMatching(/^\/api\/.*\/account-picture\?/),
    ])
  })

  it('reaches the platform 120 times a minute per person', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 125 }, (_, i) => look(`word ${i}`)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(120)
    await expect(look('one more')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await look('word 1')
  })

  it('is for people who can create posts, in channels of their role', async () => {
    await look('', await app.colleague(home, 'user'))
    await expect(look('', await app.colleague(home, 'none'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const other = await on('youtube')
    await expect(look('', await app.colleague(home, 'user', { channelIds: [other] }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(
      app.call(lookup, { params: { ...at(), kind: 'nonsense' as 'boards' } }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the calls of the specification', () => {
  it('are lookups of their platform’s channels', async () => {
    const as = { as: home.person }
    expect((await app.call(youtubePlaylists, { params: at() }, as)).items).toHaveLength(2)
    expect(await app.call(youtubeCategories, { params: at() }, as)).toMatchObject({ offered: false, items: [] })
    await expect(app.call(pinterestBoards, { params: at() }, as)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    channelId = await on('facebook')
    expect(await app.call(facebookMentions, { params: at(), query: { username: 'rook' } }, as)).toMatchObject({
      offered: true,
    })
    expect(asked.at(-1)).toMatchObject({ query: 'rook' })
  })

  it("say why a platform doesn't let anyone search for people", async () => {
    channelId = await on('threads')
    expect(
      await app.call(lookup, { params: { ...at(), kind: 'people' }, query: { query: 'rook' } }, { as: home.person }),
    ).toEqual({ items: [], offered: false, reason: sentenceOf(because('threads-people-closed')), account: null })
    channelId = await on('youtube')
    answers = () => ({ kind: 'closed', reason: because('linkedin-no-people-search') })
    expect(await look('rook')).toEqual({
      items: [],
      offered: false,
      reason: sentenceOf(because('linkedin-no-people-search')),
      account: null,
    })
  })

  it("name the account they're for, with a picture from https or none", async () => {
    answers = () => ({ kind: 'found', items: [], account: { name: 'Rook', pictureUrl: 'http://127.0.0.1/p.png' } })
    expect((await look()).account).toEqual({ name: 'Rook', pictureUrl: null })
  })

  it('change a board, with advice about boards if the platform refuses', async () => {
    channelId = await on('pinterest')
    const change = (body: object, boardId = '77') =>
      app.call(modifyBoard, { params: { ...at(), boardId }, body }, { as: home.person })
    changes = () => ({ kind: 'changed', item: item('Bread') })
    expect(await change({ name: 'Bread', privacy: 'SECRET' })).toEqual({
      item: item('Bread'),
      message: 'Board changed',
    })
    expect(changed).toEqual([['77', { name: 'Bread', privacy: 'SECRET' }]])
    await expect(change({})).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(change({ privacy: 'EVERYBODY' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(change({ name: 'Bread' }, '../pins')).rejects.toMatchObject({ status: 404 })
    expect(changed).toHaveLength(1)
    changes = () => ({
      kind: 'rejected',
      reason: because('refused', { platform: 'Pinterest', doing: 'change-board', words: 'No.' }),
    })
    await expect(change({ name: 'Bread' })).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      problem: {
        detail: 'Pinterest refused to change the board: No. Change what you entered, or add it on the platform itself.',
      },
    })
    await expect(
      app.call(
        modifyBoard,
        { params: { ...at(), boardId: '77' }, body: { name: 'x' } },
        { as: await app.colleague(home, 'none') },
      ),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    channelId = await on('youtube')
    await expect(change({ name: 'Bread' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it("give advice that fits a lookup: nothing is retried automatically, and there's no post to change", async () => {
    answers = () => ({ kind: 'retry', reason: because('unreachable', { platform: 'Threads' }) })
    await expect(look('a')).rejects.toMatchObject({
      code: 'CHANNEL_UNREACHABLE',
      problem: { detail: "We couldn't reach Threads. Try again in a few minutes." },
    })
    answers = () => ({
      kind: 'rejected',
      reason: because('refused', { platform: 'Threads', doing: 'find-people', words: 'No.' }),
    })
    await expect(look('b')).rejects.toMatchObject({
      problem: { detail: 'Threads refused to search for people: No. Try other words.' },
    })
  })

  it('add a playlist, which the next lookup finds', async () => {
    await look()
    const add = (title: string) => app.call(addPlaylist, { params: at(), body: { title } }, { as: home.person })
    expect(await add('Spring')).toEqual({ item: item('Spring'), message: 'Playlist added' })
    answers = () => ({ kind: 'found', items: [item('Spring')] })
    expect(await names()).toEqual(['Spring'])
    await expect(add(' ')).rejects.toMatchObject({ code: 'BAD_INPUT' })
    const audit = await app.database.owner.query(
      "select entity_id, detail from audit where org_id = $1 and entity = 'playlist'",
      [home.orgId],
    )
    expect(audit.rows).toEqual([{ entity_id: 'id of Spring', detail: { channelId, name: 'Spring' } }])
    additions = () => ({
      kind: 'rejected',
      reason: saying('There is a playlist of this name.', 'Choose another name.'),
    })
    await expect(add('Spring')).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      problem: { detail: 'There is a playlist of this name. Choose another name.' },
    })
  })
})

describe("an account's rate limit", () => {
  const counted = (more: object = {}) =>
    Object.assign(app.parts.platforms('youtube') ?? {}, {
      budgets: [
        {
          name: 'units',
          per: 'channel',
          windowSeconds: 3600,
          tokens: 5,
          cost: { send: 1, lookup: 2, addition: 2 },
          ...more,
        },
      ],
    })
  afterEach(() => counted({ cost: {} }))

  it('is shared with publishing, which keeps a part', async () => {
    counted()
    await look('a')
    await look('b')
    await expect(look('c')).rejects.toMatchObject({
      code: 'CHANNEL_UNREACHABLE',
      problem: {
        detail:
          "YouTube doesn't accept more requests from this account right now. Try again in a few minutes. Your posts will be published as scheduled.",
      },
    })
    // cached results are still returned
    await look('a')
    expect(asked).toHaveLength(2)
    app.clock.advance({ minutes: 61 })
    await look('c')
  })

  it('is closed by a platform that asks to slow down, and nothing more is requested until it opens', async () => {
    counted({ tokens: 100 })
    answers = () => ({
      kind: 'retry',
      afterSeconds: 600,
      closesBudget: true,
      reason: saying('Too fast.', 'Wait.'),
    })
    await expect(look('a')).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
    await expect(
      app.call(addPlaylist, { params: at(), body: { title: 'Spring' } }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
    await expect(look('b')).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
    expect(asked).toHaveLength(1)
    const { rows } = await app.database.owner.query(
      "select closed_until from budget where key = 'youtube:units:' || $1",
      [channelId],
    )
    expect(rows).toEqual([{ closed_until: new Date(app.clock.now().getTime() + 600_000) }])
    answers = () => ({ kind: 'found', items: [] })
    app.clock.advance({ minutes: 11 })
    await look('b')
  })
})
