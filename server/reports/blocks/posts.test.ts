import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shownValue } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { insightsPostMedians, insightsPosts } from '#contract/analytics/posts.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { drawPicture, contentOn } from '../../testing/content.ts'
import { figuresOn } from '../../testing/figures.ts'
import type { TestHome } from '../../testing/people.ts'
import { contentWith, documentsOn, everythingIn, partOf } from '../../testing/reports.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let figures: ReturnType<typeof figuresOn>
let home: TestHome
let facebook: string
let x: string
let youtube: string
/** What platforms answer: a picture by its address. */
const onPlatforms = new Map<string, Buffer>()
const asked: string[] = []
beforeAll(async () => {
  app = await startApp({
    fetch: async (url) => {
      asked.push(url)
      const body = onPlatforms.get(url)
      return await Promise.resolve({
        kind: 'answer',
        status: body ? 200 : 404,
        headers: {},
        url,
        body: body ?? Buffer.alloc(0),
      })
    },
  })
  content = contentOn(app.parts)
  figures = figuresOn(app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  onPlatforms.clear()
  asked.length = 0
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  x = await content.channel(home, { platform: 'x', handle: '@x' })
  youtube = await content.channel(home, { platform: 'youtube', handle: '@tube' })
})

const week = { from: '2026-11-15', to: '2026-11-21' }
const columns: FigureKey[] = ['viewsAndImpressions', 'reactions', 'comments', 'engagements', 'engagementRate', 'saves']
const table = { kind: 'postTable', columns } as const
const read = (...args: Parameters<ReturnType<typeof documentsOn>['read']>) => documentsOn(app).read(...args)
const posts = (query: NonNullable<CallOf<typeof insightsPosts>['query']>, who = home.person) =>
  app.call(insightsPosts, { params: home.params, query: { ...week, columns: columns.join(), ...query } }, { as: who })

async function fill() {
  const post = async (channelId: string, at: string, told: Record<string, number | null> | null, text: string) => {
    const id = await figures.published(home, channelId, at, { text })
    if (told) await figures.reading(id, at, told)
    return id
  }
  await post(facebook, '2026-11-16T10:00:00Z', { views: 1100, reactions: 10, comments: 1 }, '=HYPERLINK("x")')
  await post(facebook, '2026-11-17T10:00:00Z', { views: 300, reactions: 3 }, 'عرض الخريف 🍂')
  await post(facebook, '2026-11-18T10:00:00Z', { views: 100, reactions: 0 }, '秋のセール')
  await post(x, '2026-11-19T10:00:00Z', null, '#set page(fill: red) <b>x</b>')
  await post(x, '2026-11-20T10:00:00Z', { impressions: 50, reactions: 5, saves: 2 }, '')
  await post(youtube, '2026-11-20T11:00:00Z', { views: 90_000, reactions: 7 }, 'A film')
}

describe('the post table of a report', () => {
  it.each([
    ['publishedAt', 'desc'],
    ['publishedAt', 'asc'],
    ['engagements', 'desc'],
    ['reactions', 'asc'],
  ] as const)('has the rows, values and medians of the insights, by %s %s', async (sort, order) => {
    await fill()
    const bound = await app.colleague(home, 'editor', { channelIds: [x, youtube] })
    for (const who of [home.person, bound]) {
      const { blocks } = await read(home, contentWith([{ ...table, sort, order }]), { who })
      const shown = partOf(blocks[0], 'table')
      const expected = await posts({ sort, order }, who)
      expect(shown.rows.map(([, , , ...cells]) => cells.map(({ value }) => value ?? null))).toEqual(
        expected.posts.map((post) => columns.map((name) => shownValue(name, post.figures[name] ?? null))),
      )
      expect(shown.rows.map(([, , post]) => post?.text)).toEqual(
        expected.posts.map(({ excerpt }) => excerpt || 'A post without text'),
      )
      const { medians } = await app.call(
        insightsPostMedians,
        { params: home.params, query: { ...week, columns: columns.join() } },
        { as: who },
      )
      const of = (what: 'median' | 'total') =>
        columns.map((name) => shownValue(name, medians?.find((one) => one.name === name)?.[what] ?? null))
      expect(shown.foot?.map(([, , , ...cells]) => cells.map(({ value }) => value ?? null))).toEqual([
        of('total'),
        of('median'),
      ])
    }
  })

  it('keeps every script and emoji, and shows what looks like markup as it is', async () => {
    await fill()
    const { blocks } = await read(home, contentWith([table]))
    const { rows, columns: head } = partOf(blocks[0], 'table')
    expect(rows.map(([day, channel, post]) => [day?.text, channel?.text, post?.text])).toEqual([
      ['20 Nov 2026', 'tube (YouTube)', 'A film'],
      ['20 Nov 2026', 'x (X)', 'A post without text'],
      ['19 Nov 2026', 'x (X)', '#set page(fill: red) <b>x</b>'],
      ['18 Nov 2026', 'page (Facebook)', '秋のセール'],
      ['17 Nov 2026', 'page (Facebook)', 'عرض الخريف 🍂'],
      ['16 Nov 2026', 'page (Facebook)', '=HYPERLINK("x")'],
    ])
    expect(head.map(({ title }) => title)).toEqual([
      'Published',
      'Channel',
      'Post',
      'Views and impressions',
      'Reactions',
      'Comments',
      'Engagements',
      'Engagement rate',
      'Saves',
    ])
    expect(blocks[0]?.notes).toEqual([
      "Total and median are those of all posts of these days that have the figure. Posts on YouTube aren't in them, because YouTube's terms don't allow adding their figures to others.",
    ])
    // one platform alone has its own words
    const only = await read(home, contentWith([table], { platforms: ['youtube'] }))
    expect(partOf(only.blocks[0], 'table').columns.map(({ title }) => title)).toContain('Views')
  })

  it('says how many posts it leaves out, links only to the web, and has nothing of other channels', async () => {
    await fill()
    const first = await figures.elsewhere(home, x, '2026-11-20T12:00:00Z', { text: 'From the app' })
    const second = await figures.elsewhere(home, x, '2026-11-20T13:00:00Z')
    await app.database.owner.query("update measured_post set permalink = 'javascript:alert(1)' where id = $1", [second])
    const bound = await app.colleague(home, 'editor', { channelIds: [x] })
    const document = await read(home, contentWith([{ ...table, rows: 2 }]), { who: bound })
    const { rows } = partOf(document.blocks[0], 'table')
    expect(rows.map(([, , post]) => post?.link)).toEqual([
      undefined,
      expect.stringContaining('https://platform.example/'),
    ])
    expect(document.blocks[0]?.notes[0]).toBe('Shows 2 of 4 posts.')
    for (const hidden of ['page', 'tube', 'A film', 'HYPERLINK', '90,000'])
      expect(everythingIn(document)).not.toContain(hidden)
    expect(first).toMatch(/-/)
  })

  it('has 500 posts', async () => {
    await app.database.owner.query(
      `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, shown_at, published_at, remote_id, created_at, updated_at)
       select $1, gen_random_uuid(), $2, $3, $4, 'PUBLISHED', 'post', '[{"text":"x","media":[]}]', 'Post ' || n, '{"type":"NOW"}', 'UTC', at, at, 'r' || n, at, at
       from generate_series(1, 620) n cross join lateral (select '2026-11-15T00:00:00Z'::timestamptz + n * interval '15 minutes' as at) t`,
      [home.orgId, home.projectId, x, home.person.personId],
    )
    await app.database.owner.query(
      "insert into post_metric (org_id, post_id, figures, read_at) select org_id, id, jsonb_build_object('impressions', substring(excerpt from 6)::int), shown_at from post where channel_id = $1",
      [x],
    )
    const { blocks } = await read(
      home,
      contentWith([{ kind: 'postTable', columns: ['impressions'], sort: 'impressions', order: 'asc', rows: 500 }]),
    )
    const { rows, foot } = partOf(blocks[0], 'table')
    expect(rows.map(([, , post, value]) => [post?.text, value?.value])).toEqual(
      Array.from({ length: 500 }, (_, i) => [`Post ${i + 1}`, i + 1]),
    )
    expect(foot?.map((cells) => cells.at(-1)?.value)).toEqual([(620 * 621) / 2, 310.5])
    expect(blocks[0]?.notes[0]).toBe('Shows 500 of 620 posts.')
  })
})

describe('the best posts of a report', () => {
  it('are those with most of a figure, as the insights rank them, without those that may not be ranked', async () => {
    await fill()
    const { blocks } = await read(home, contentWith([{ kind: 'topPosts', by: 'engagements', count: 3 }]))
    const shown = partOf(blocks[0], 'posts').posts
    const expected = (await posts({ sort: 'engagements', platforms: 'facebook,x', limit: 3 })).posts
    expect(shown.map(({ excerpt, figures: of }) => [excerpt, of[0]?.value.value, of[1]?.value.value])).toEqual(
      expected.map((post) => [
        post.excerpt || 'A post without text',
        post.figures.engagements,
        post.figures.viewsAndImpressions,
      ]),
    )
    expect(shown.map(({ channel, platform }) => [channel, platform])[0]).toEqual(['page (Facebook)', 'facebook'])
    expect(blocks[0]?.notes).toEqual([
      "Posts on YouTube aren't listed, because YouTube's terms don't allow ranking them with others.",
    ])
    // alone, a platform's own figure can be ranked, and nothing is worked out of it
    const own = await read(home, contentWith([{ kind: 'topPosts', by: 'engagements' }], { platforms: ['youtube'] }))
    expect(
      partOf(own.blocks[0], 'posts').posts.map(({ figures: of }) => of.map(({ title, value }) => [title, value.value])),
    ).toEqual([
      [
        ['Views', 90_000],
        ['Likes', 7],
        ['Comments', null],
      ],
    ])
    const none = await read(home, contentWith([{ kind: 'topPosts', by: 'saves' }], { platforms: ['facebook'] }))
    expect(none.blocks[0]?.parts).toEqual([{ kind: 'nothing', text: 'No posts with figures in these days.' }])
  })

  it('have small JPEGs of their pictures, ours and those on platforms, which nothing but our server fetches', async () => {
    const big = await content.picture(home, { width: 2000, height: 1000 })
    const ours = await figures.published(home, facebook, '2026-11-16T10:00:00Z', { text: 'ours', assetIds: [big] })
    await figures.reading(ours, '2026-11-17T10:00:00Z', { views: 5, reactions: 5 })
    const remote = async (text: string, told: number, picture?: Buffer) => {
      const id = await figures.elsewhere(home, facebook, '2026-11-16T10:00:00Z', { text, remoteId: text })
      await figures.reading(id, '2026-11-17T10:00:00Z', { views: 5, reactions: told })
      if (picture) onPlatforms.set(`https://platform.example/${text}.jpg`, picture)
      return id
    }
    const theirs = await remote('theirs', 4, await drawPicture({ width: 900, height: 1800, type: 'png' }))
    await remote('broken', 3, Buffer.from('not a picture'))
    await remote('away', 2)
    const { build } = documentsOn(app)
    const report = contentWith([
      { kind: 'topPosts', by: 'reactions' },
      { kind: 'topPosts', by: 'views' },
    ])
    const document = await build(home, report)
    const shown = partOf(document.blocks[0], 'posts').posts
    expect(shown.map(({ excerpt, picture }) => [excerpt, picture])).toEqual([
      ['ours', `post-${ours}`],
      ['theirs', `post-${theirs}`],
      ['broken', null],
      ['away', null],
    ])
    const sizes = await Promise.all(
      [...document.pictures].map(async ([key, bytes]) => {
        const { format, width, height } = await sharp(bytes).metadata()
        return [key, format, width, height]
      }),
    )
    expect(new Set(sizes.map(String))).toEqual(new Set([`post-${ours},jpeg,640,320`, `post-${theirs},jpeg,320,640`]))
    const first = asked.filter((url) => url.includes('theirs'))
    await build(home, report)
    // previews are drawn again after each change: what is there stays for a while, what failed is tried again
    expect([first.length, asked.filter((url) => url.includes('theirs')).length]).toEqual([1, 1])
    expect(asked.filter((url) => url.includes('away')).length).toBeGreaterThan(1)
  })

  it('have no pictures from the media library for roles that see no posts', async () => {
    const ours = await figures.published(home, facebook, '2026-11-16T10:00:00Z', {
      assetIds: [await content.picture(home)],
    })
    await figures.reading(ours, '2026-11-17T10:00:00Z', { views: 5, reactions: 5 })
    const who = await app.colleague(home, 'user')
    await app.database.owner.query(
      "update role set permissions = permissions - 'post' where org_id = $1 and id = (select role_id from project_member where org_id = $1 and person_id = $2)",
      [home.orgId, who.personId],
    )
    const document = await documentsOn(app).build(home, contentWith([{ kind: 'topPosts', by: 'reactions' }]), { who })
    expect(partOf(document.blocks[0], 'posts').posts.map(({ picture }) => picture)).toEqual([null])
    expect([...document.pictures.keys()]).toEqual([])
  })
})
