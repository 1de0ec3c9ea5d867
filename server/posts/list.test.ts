import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import { saveDraft } from '#contract/drafts.ts'
import { draftQuery, listPosts, postFilters, PostList, postStatistics, rowsOf } from '#contract/postLists.ts'
import { submitPost } from '#contract/submit.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at, draftBody, NOW, postsOn } from '../testing/posts.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let taxonomy: ReturnType<typeof taxonomyOn>
let home: TestHome
let channel: string

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
  taxonomy = taxonomyOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home, { handle: '@rook.example' })
})

type Query = NonNullable<CallOf<typeof listPosts>['query']>
const list = (query: Query = {}, as = home.person) => app.call(listPosts, { params: home.params, query }, { as })
const texts = async (query: Query = {}, as = home.person) => (await list(query, as)).posts.map(({ excerpt }) => excerpt)
const save = (text: string, channelIds: string[] = [], as = home.person) =>
  app.call(
    saveDraft,
    { params: { ...home.params, postId: randomUUID() }, body: { version: 0, draft: draftBody({ text, channelIds }) } },
    { as },
  )

describe('a list', () => {
  it('matches the contract in what PostgreSQL writes, with every kind of row', async () => {
    const asset = await content.picture(home)
    const published = await posts.post(home, channel, { text: 'Live', schedule: NOW, media: [{ assetId: asset }] })
    await posts.put(published, 'PUBLISHED')
    const failed = await posts.post(home, channel, { text: 'Failed' })
    await posts.put(failed, 'FAILED')
    await save('Draft')
    // the app under test parses the passed-through answer, and so does this
    const reply = PostList.parse(await list())
    expect(reply.pagination).toEqual({ currentPage: 1, totalPages: 1, totalCount: 3 })
    expect(rowsOf(reply).find(({ postId }) => postId === published)).toEqual({
      postId: published,
      batchId: expect.any(String),
      status: 'PUBLISHED',
      postType: 'post',
      at: '2026-11-21T10:00:00.000Z',
      dueAt: '2026-11-21T10:00:00.000Z',
      timezone: 'Europe/London',
      excerpt: 'Live',
      images: 1,
      channel: {
        channelId: channel,
        channelName: 'rook.example',
        handle: '@rook.example',
        platformName: 'bluesky',
        profileUrl: null,
        simulated: false,
      },
      draftChannels: [],
      author: { userId: home.person.personId, name: 'Olive Owner' },
      labels: [],
      campaigns: [],
      series: null,
      permalink: 'https://bsky.example/post/1',
      failure: null,
      ai: false,
      version: 1,
    })
    expect(rowsOf(reply).find(({ postId }) => postId === failed)?.failure).toMatchObject({
      class: 'permanent',
      action: 'edit',
    })
    expect(rowsOf(reply).find(({ excerpt }) => excerpt === 'Draft')).toMatchObject({
      status: 'DRAFTS',
      channel: null,
      dueAt: null,
    })
  })

  it("names all channels of a draft in their order, but none that the caller can't access", async () => {
    const [one, two] = [channel, await content.channel(home, { handle: '@second.example' })]
    await save('For both', [two, one])
    const named = async (as = home.person) =>
      rowsOf(await list({}, as)).map(({ excerpt, draftChannels }) => [
        excerpt,
        ...draftChannels.map(({ handle }) => handle),
      ])
    expect(await named()).toEqual([['For both', '@second.example', '@rook.example']])
    const bound = await app.colleague(home, 'editor')
    await save('By one who reaches one by now', [one, two], bound)
    await app.database.owner.query(
      'update project_member set channel_ids = $1 where project_id = $2 and person_id = $3',
      [[one], home.projectId, bound.personId],
    )
    expect(await named(bound)).toEqual([['By one who reaches one by now', '@rook.example']])
  })

  it('calls a post by its title where it has one', async () => {
    const titled = (title: string, text: string) =>
      app.call(
        saveDraft,
        { params: { ...home.params, postId: randomUUID() }, body: { version: 0, draft: draftBody({ title, text }) } },
        { as: home.person },
      )
    await titled('How we roast', 'd')
    await titled('  ', 'Only a text')
    await titled('Only a title', '')
    expect((await texts()).toSorted()).toEqual(['How we roast', 'Only a text', 'Only a title'])
  })

  it('accepts the names of the calendar’s filters as well as its own', async () => {
    const other = await content.channel(home)
    const campaignId = await taxonomy.campaign(home, 'Winter')
    const mine = await posts.post(home, channel, { text: 'Mine' })
    await posts.post(home, other, { text: 'Other' })
    await taxonomy.join(home, [mine], [campaignId])
    expect(await texts({ channelIds: [channel] })).toEqual(['Mine'])
    expect((await texts({ channelIds: [channel], channelId: [other] })).toSorted()).toEqual(['Mine', 'Other'])
    expect(await texts({ platforms: ['mastodon'] })).toEqual([])
    expect(await texts({ platforms: ['bluesky'], channelIds: [other] })).toEqual(['Other'])
    expect(await texts({ campaigns: [campaignId] })).toEqual(['Mine'])
    expect(await texts({ userIds: [randomUUID()] })).toEqual([])
  })

  it('refuses an unknown filter, naming those that it accepts', async () => {
    // the typed client can't send it
    const unknown = { channels: channel } as Query
    await expect(list(unknown)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: {
        errors: {
          channels: [expect.stringMatching(/^Unknown query parameter\. Valid parameters: from, to,.*channelIds/)],
        },
      },
    })
  })

  it('comes in pages, newest first, with upcoming posts soonest first', async () => {
    for (const day of [23, 25, 24])
      await posts.post(home, channel, { text: `On ${day}`, schedule: at(`2026-11-${day}T12:00:00.000Z`) })
    expect(await texts()).toEqual(['On 25', 'On 24', 'On 23'])
    expect(await texts({ status: ['SCHEDULED'] })).toEqual(['On 23', 'On 24', 'On 25'])
    expect(await list({ page: 2, limit: 2 })).toMatchObject({
      posts: [{ excerpt: 'On 23' }],
      pagination: { currentPage: 2, totalPages: 2, totalCount: 3 },
    })
    expect(await list({ page: 1, limit: 2 })).toMatchObject({
      pagination: { currentPage: 1, totalPages: 2, totalCount: 3 },
    })
    expect(await list({ page: 9 })).toMatchObject({
      posts: [],
      pagination: { currentPage: 9, totalPages: 1, totalCount: 3 },
    })
  })

  it('answers a whole range by time, its end excluded', async () => {
    for (const day of [23, 25, 24])
      await posts.post(home, channel, { text: `On ${day}`, schedule: at(`2026-11-${day}T12:00:00.000Z`) })
    expect(await texts({ from: '2026-11-23T12:00:00.000Z', to: '2026-11-25T12:00:00.000Z', limit: 1 })).toEqual([
      'On 23',
      'On 24',
    ])
  })

  it('returns a range page by page if asked, in the order that the list has without pages', async () => {
    const range = { from: '2026-11-23T00:00:00.000Z', to: '2026-11-26T00:00:00.000Z', limit: 2 }
    for (const day of [23, 25, 24, 26])
      await posts.put(
        await posts.post(home, channel, { text: `On ${day}`, schedule: at(`2026-11-${day}T12:00:00.000Z`) }),
        'FAILED',
      )
    const failed = { ...range, view: 'pages', status: ['FAILED'] } as const
    expect(await list({ ...failed, page: 1 })).toMatchObject({
      posts: [{ excerpt: 'On 25' }, { excerpt: 'On 24' }],
      pagination: { currentPage: 1, totalPages: 2, totalCount: 3 },
    })
    expect(await list({ ...failed, page: 2 })).toMatchObject({
      posts: [{ excerpt: 'On 23' }],
      pagination: { currentPage: 2, totalPages: 2, totalCount: 3 },
    })
    // every other view is the calendar's
    expect(await list({ ...range, view: 'list', page: 2 })).toMatchObject({
      posts: [{ excerpt: 'On 23' }, { excerpt: 'On 24' }, { excerpt: 'On 25' }],
      pagination: { currentPage: 1, totalPages: 1, totalCount: 3 },
    })
  })

  it('filters by state, channel, platform, author', async () => {
    const second = await content.channel(home)
    const editor = await app.colleague(home, 'editor', { firstName: 'Edda' })
    await posts.post(home, channel, { text: 'Mine' })
    await posts.post(home, second, { text: 'Theirs', as: editor })
    await save('Draft')
    expect(await texts({ status: ['DRAFTS'] })).toEqual(['Draft'])
    expect(await texts({ channelId: [second] })).toEqual(['Theirs'])
    expect(await texts({ author: [editor.personId] })).toEqual(['Theirs'])
    expect((await texts({ platform: ['bluesky'] })).toSorted()).toEqual(['Mine', 'Theirs'])
    expect(await texts({ platform: ['mastodon'] })).toEqual([])
    expect(
      await texts({ status: ['SCHEDULED'], author: [home.person.personId], channelId: [channel, second] }),
    ).toEqual(['Mine'])
    await expect(list({ page: 0 })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('finds what was submitted together', async () => {
    const other = await content.channel(home, { handle: '@second.example' })
    const said = (channelId: string, text: string) => ({
      channelId,
      postType: 'post' as const,
      contents: [{ text, media: [] }],
    })
    const { batchId } = await app.call(
      submitPost,
      {
        params: home.params,
        body: { intent: 'PUBLISH', channels: [said(channel, 'Both, here'), said(other, 'Both, there')], schedule: NOW },
      },
      { as: home.person },
    )
    await posts.post(home, channel, { text: 'Alone' })
    expect((await texts({ batchId })).toSorted()).toEqual(['Both, here', 'Both, there'])
    const stranger = await app.signedInOwner()
    expect(
      await app.call(listPosts, { params: stranger.params, query: { batchId } }, { as: stranger.person }),
    ).toMatchObject({ posts: [] })
  })

  it('shows deleted posts only on request', async () => {
    const gone = await posts.post(home, channel, { text: 'Gone' })
    await posts.put(gone, 'DELETED')
    expect(await texts()).toEqual([])
    expect(await texts({ status: ['DELETED'] })).toEqual(['Gone'])
  })

  it("hides what the role can't access, and other people’s drafts without a channel", async () => {
    const mine = await content.channel(home)
    await posts.post(home, channel, { text: 'Not yours' })
    await posts.post(home, mine, { text: 'Yours too' })
    await save('Of the owner')
    const editor = await app.colleague(home, 'editor', { channelIds: [mine] })
    await save('My own', [], editor)
    expect((await texts({}, editor)).toSorted()).toEqual(['My own', 'Yours too'])
    expect((await app.call(postStatistics, { params: home.params, query: {} }, { as: editor })).total).toEqual({
      DRAFTS: 1,
      SCHEDULED: 1,
    })
    expect(
      (await app.call(postFilters, { params: home.params }, { as: editor })).channels.map(({ channelId }) => channelId),
    ).toEqual([mine])
  })

  it('is filtered by labels, any of them or all, by campaigns and by authors', async () => {
    const [red, blue, campaignId] = [
      await taxonomy.label(home, 'Red'),
      await taxonomy.label(home, 'Blue'),
      await taxonomy.campaign(home, 'Launch'),
    ]
    const editor = await app.colleague(home, 'editor')
    const [onlyRed, both, plain] = [
      await posts.post(home, channel, { text: 'Red' }),
      await posts.post(home, channel, { text: 'Both', as: editor }),
      await posts.post(home, channel, { text: 'Plain', as: editor }),
    ]
    await taxonomy.tag(home, [onlyRed], [red])
    await taxonomy.tag(home, [both], [red, blue])
    await taxonomy.join(home, [both, plain], [campaignId])
    expect((await texts({ labels: [red] })).toSorted()).toEqual(['Both', 'Red'])
    expect((await texts({ labels: [red, blue], labelMatch: 'any' })).toSorted()).toEqual(['Both', 'Red'])
    // the same one twice counts once
    expect(await texts({ labels: [red, blue, blue], labelMatch: 'all' })).toEqual(['Both'])
    expect((await texts({ campaign: [campaignId] })).toSorted()).toEqual(['Both', 'Plain'])
    expect((await texts({ userIds: [editor.personId] })).toSorted()).toEqual(['Both', 'Plain'])
    expect(await texts({ userIds: [editor.personId], labels: [red], campaign: [campaignId] })).toEqual(['Both'])
    expect((await texts({ author: [editor.personId], userIds: [home.person.personId] })).toSorted()).toEqual([
      'Both',
      'Plain',
      'Red',
    ])
    const [row] = rowsOf(await list({ labels: [blue] }))
    expect([row?.labels, row?.campaigns]).toEqual([
      [
        { labelId: blue, labelName: 'Blue', color: 'green' },
        { labelId: red, labelName: 'Red', color: 'green' },
      ],
      [{ campaignId, name: 'Launch' }],
    ])
    expect(await texts({ labels: [await taxonomy.label(await app.signedInOwner())] })).toEqual([])
  })

  it('is searched by word prefixes in texts, titles, comments and drafts, whatever the punctuation', async () => {
    await posts.post(home, channel, { text: 'The Rooks come back to Größenwahn’s old elms' })
    await posts.post(home, channel, { text: 'Elms in winter #autumn2026' })
    await save('A draft about rookeries')
    expect((await texts({ q: 'rook' })).toSorted()).toEqual([
      'A draft about rookeries',
      'The Rooks come back to Größenwahn’s old elms',
    ])
    expect(await texts({ q: 'ELM back' })).toEqual(['The Rooks come back to Größenwahn’s old elms'])
    expect(await texts({ q: 'GRÖSSEN' })).toHaveLength(1)
    expect(await texts({ q: 'größen' })).toHaveLength(1)
    expect(await texts({ q: 'autumn' })).toEqual(['Elms in winter #autumn2026'])
    expect(await texts({ q: 'ooks' })).toEqual([])
    for (const signs of ["'", "a' | 'b", '\\', '!!', '& | !', "rook':* | 'elm", '(', ':*'])
      expect(await texts({ q: signs })).not.toContain('Elms in winter #autumn2026')
    for (const sameWords of ['elms_in', 'winter/#AUTUMN', 'elms-winter', '"autumn2026"', 'in.winter@elms'])
      expect(await texts({ q: sameWords })).toEqual(['Elms in winter #autumn2026'])
    expect(await texts({ q: 'elm', status: ['DRAFTS'] })).toEqual([])
    // more words than the index is asked for: each still counts
    expect(await texts({ q: 'the rooks come back to old elms' })).toHaveLength(1)
    expect(await texts({ q: 'the rooks come back to elms x' })).toEqual([])
    expect(await texts({ q: 'b c e g o r t' })).toEqual(['The Rooks come back to Größenwahn’s old elms'])
    await expect(list({ q: ' ' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('finds the latest text, and nothing of other channels, projects or organizations', async () => {
    const postId = randomUUID()
    const write = (version: number, text: string) =>
      app.call(
        saveDraft,
        { params: { ...home.params, postId }, body: { version, draft: draftBody({ text }) } },
        { as: home.person },
      )
    await write(0, 'Before')
    await write(1, 'Afterwards')
    expect([await texts({ q: 'before' }), await texts({ q: 'afterwards' })]).toEqual([[], ['Afterwards']])
    const mine = await content.channel(home)
    await posts.post(home, channel, { text: 'Heron elsewhere' })
    await posts.post(home, mine, { text: 'Heron here' })
    const bound = await app.colleague(home, 'editor', { channelIds: [mine] })
    expect(await texts({ q: 'heron' }, bound)).toEqual(['Heron here'])
    const other = await app.signedInOwner()
    await posts.post(other, await content.channel(other), { text: 'Heron of others' })
    expect((await texts({ q: 'heron' })).toSorted()).toEqual(['Heron elsewhere', 'Heron here'])
    const second = await app.project(home.orgId, home.person)
    expect(
      (
        await app.call(
          listPosts,
          { params: { orgId: home.orgId, projectId: second.projectId }, query: { q: 'heron' } },
          { as: home.person },
        )
      ).posts,
    ).toEqual([])
  })

  it('is empty for another project, and refused to strangers', async () => {
    await posts.post(home, channel)
    const other = await app.project(home.orgId, home.person)
    const reply = await app.call(
      listPosts,
      { params: { orgId: home.orgId, projectId: other.projectId }, query: {} },
      { as: home.person },
    )
    expect(reply).toEqual({
      posts: [],
      channels: [],
      people: [],
      labels: [],
      campaigns: [],
      timezone: expect.any(String),
      pagination: { currentPage: 1, totalPages: 1, totalCount: 0 },
      truncated: false,
      revision: expect.any(String),
    })
    await expect(list({}, (await app.signedInOwner()).person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  })
})

it('drafts come last changed first', async () => {
  await save('First')
  app.clock.advance({ minutes: 1 })
  await save('Second')
  await posts.post(home, channel)
  const reply = await app.call(draftQuery, { params: home.params, query: {} }, { as: home.person })
  expect(reply.posts.map(({ excerpt }) => excerpt)).toEqual(['Second', 'First'])
})

it('statistics count by state, and by day of the zone', async () => {
  await posts.post(home, channel, { schedule: at('2026-11-23T23:30:00.000Z') })
  await posts.post(home, channel, { schedule: at('2026-11-24T12:00:00.000Z') })
  const gone = await posts.post(home, channel, { schedule: at('2026-11-24T12:00:00.000Z') })
  await posts.put(gone, 'DELETED')
  const ask = (query: CallOf<typeof postStatistics>['query']) =>
    app.call(postStatistics, { params: home.params, ...(query && { query }) }, { as: home.person })
  expect(await ask({ timezone: 'Asia/Tokyo' })).toEqual({
    total: { SCHEDULED: 2, DELETED: 1 },
    days: [{ date: '2026-11-24', status: 'SCHEDULED', count: 2 }],
  })
  expect(await ask({ from: '2026-11-24T00:00:00.000Z' })).toEqual({
    total: { SCHEDULED: 1, DELETED: 1 },
    days: [{ date: '2026-11-24', status: 'SCHEDULED', count: 1 }],
  })
  await expect(ask({ timezone: 'Mars' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

it('filters name the channels and the authors, including those who left', async () => {
  const editor = await app.colleague(home, 'editor', { firstName: 'Edda' })
  await posts.post(home, channel, { as: editor })
  await app.database.owner.query('update member set removed_at = now() where person_id = $1', [editor.personId])
  const filters = await app.call(postFilters, { params: home.params }, { as: home.person })
  expect(filters).toEqual({
    authors: [{ userId: editor.personId, name: 'Edda editor' }],
    labels: [],
    campaigns: [],
    channels: [expect.objectContaining({ channelId: channel, handle: '@rook.example', platformName: 'bluesky' })],
  })
})
