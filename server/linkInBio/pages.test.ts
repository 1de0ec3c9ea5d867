import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import { deleteAsset } from '#contract/library.ts'
import * as contract from '#contract/linkInBio/pages.ts'
import { sweepDeleted } from '../media/sweep.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
let made = 0
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  channel = await content.channel(home)
})

const freshSlug = () => `page-${++made}`
const create = (slug = freshSlug(), who: TestPerson = home.person, at = home) =>
  app.call(contract.createBioPage, { params: at.params, body: { name: 'Rooks', slug } }, { as: who })
const at = (pageId: string) => ({ ...home.params, pageId })
const read = (pageId: string) => app.call(contract.getBioPage, { params: at(pageId) }, { as: home.person })
type Body = CallOf<typeof contract.saveBioPage>['body']
const body = (more: Partial<Body> = {}): Body => ({
  version: 1,
  name: 'Rooks',
  theme: 'paper',
  live: true,
  items: [],
  ...more,
})
const save = (pageId: string, more: Partial<Body> = {}, who = home.person) =>
  app.call(contract.saveBioPage, { params: at(pageId), body: body(more) }, { as: who })
const rename = (pageId: string, slug: string) =>
  app.call(contract.renameBioPage, { params: at(pageId), body: { slug } }, { as: home.person })
const remove = (pageId: string) => app.call(contract.deleteBioPage, { params: at(pageId) }, { as: home.person })
const button = (more: Partial<NonNullable<Body['items']>[number]> = {}) => ({
  kind: 'button' as const,
  label: 'Shop',
  url: 'https://shop.example/',
  zone: 'Europe/Berlin',
  ...more,
})
/** A published post of ours. */
const published = async (text = 'A post') => {
  const postId = await posts.post(home, channel, { text })
  await posts.put(postId, 'PUBLISHED')
  return postId
}
const tile = (postId: string, more = {}) =>
  button({ kind: 'post', label: 'A post', url: 'https://a.example/', postId, ...more })

describe('link in bio pages', () => {
  it('are created, and listed with their address', async () => {
    const slug = freshSlug()
    const { pageId } = await create(slug)
    expect(await app.call(contract.listBioPages, { params: home.params }, { as: home.person })).toEqual({
      pages: [
        {
          pageId,
          slug,
          address: `${app.parts.env.publicUrl}/b/${slug}`,
          name: 'Rooks',
          live: false,
          blocked: null,
          editable: true,
        },
      ],
      most: 20,
    })
    expect(await read(pageId)).toEqual({
      pageId,
      slug,
      address: `${app.parts.env.publicUrl}/b/${slug}`,
      name: 'Rooks',
      about: '',
      pictureAssetId: null,
      pictureUrl: null,
      theme: 'paper',
      live: false,
      noindex: false,
      blocked: null,
      editable: true,
      earlier: [],
      version: 1,
      items: [],
    })
    expect((await teamOn(app).lastAudit(home))?.['action']).toBe('created')
  })

  it('are saved as a whole, and their items keep their numbers in any order', async () => {
    const { pageId } = await create()
    const picture = await content.picture(home)
    const first = await save(pageId, {
      about: ' We talk about birds ',
      pictureAssetId: picture,
      theme: 'forest',
      noindex: true,
      items: [button({ label: 'One' }), button({ label: 'Two', hidden: true }), button({ label: 'Three' })],
    })
    expect(first).toMatchObject({
      about: 'We talk about birds',
      pictureAssetId: picture,
      theme: 'forest',
      noindex: true,
      version: 2,
      live: true,
    })
    expect(first.items.map(({ number, label, hidden }) => [number, label, hidden])).toEqual([
      [1, 'One', false],
      [2, 'Two', true],
      [3, 'Three', false],
    ])
    const second = await save(pageId, {
      version: 2,
      items: [button({ number: 3, label: 'Three' }), button({ label: 'Four' }), button({ number: 1, label: 'Uno' })],
      removed: [2],
    })
    const numbers = [
      [3, 'Three'],
      [4, 'Four'],
      [1, 'Uno'],
    ]
    expect(second.items.map(({ number, label }) => [number, label])).toEqual(numbers)
    // a number is never another link's, although its item is gone
    const third = await save(pageId, { version: 3, items: [button({ label: 'Five' })], removed: [4] })
    expect(third.items.map(({ number, label }) => [number, label])).toEqual([
      [5, 'Five'],
      [3, 'Three'],
      [1, 'Uno'],
    ])
    expect((await read(pageId)).items).toEqual(third.items)
  })

  it('keep their picture when it was deleted from the library', async () => {
    const { pageId } = await create()
    const picture = await content.picture(home)
    await save(pageId, { pictureAssetId: picture })
    await app.call(deleteAsset, { params: { ...home.params, assetId: picture } }, { as: home.person })
    app.clock.advance({ hours: 25 })
    expect(await sweepDeleted(app.parts.uploads)).toBe(0)
    expect(await save(pageId, { version: 2 })).toMatchObject({ pictureAssetId: null })
    expect(await sweepDeleted(app.parts.uploads)).toBe(1)
  })

  it.each([
    ['2026-03-29', '02:30', '2026-03-29T01:30:00.000Z', 'skipped: an hour later'],
    ['2026-10-25', '02:30', '2026-10-25T00:30:00.000Z', 'twice: the first'],
    ['2026-10-25', '03:30', '2026-10-25T02:30:00.000Z', 'after the change'],
  ])('show a link from %s %s on in Berlin, which is %s (%s)', async (date, time, instant) => {
    const { pageId } = await create()
    const { items } = await save(pageId, {
      items: [button({ starts: { date, time }, ends: { date: '2027-01-01', time: '00:00' } })],
    })
    expect(items).toMatchObject([
      {
        starts: { date, time },
        startsAt: instant,
        ends: { date: '2027-01-01', time: '00:00' },
        endsAt: '2026-12-31T23:00:00.000Z',
        zone: 'Europe/Berlin',
      },
    ])
  })

  it('show published posts of any channel of the project, each once', async () => {
    const { pageId } = await create()
    const postId = await published('See https://example.com/a. Now')
    const elsewhere = await figuresOn(app.database).elsewhere(home, channel, '2026-11-01T10:00:00Z')
    const { items } = await save(pageId, { items: [tile(postId), tile(elsewhere), button()] })
    expect(items.map(({ kind, post }) => [kind, post?.postId])).toEqual([
      ['button', undefined],
      ['post', postId],
      ['post', elsewhere],
    ])
    const twice = app.send(
      contract.saveBioPage,
      { params: at(pageId), body: body({ version: 2, items: [tile(postId), tile(postId)] }) },
      { as: home.person },
    )
    expect((await twice).json()).toMatchObject({
      code: 'BAD_INPUT',
      errors: { 'items.1.postId': ['This post is on the page already'] },
    })
    const choices = await app.call(contract.bioPostChoices, { params: at(pageId) }, { as: home.person })
    expect(choices.posts.map((post) => [post.postId, post.firstLink, post.added])).toEqual([
      [postId, 'https://example.com/a', true],
      [elsewhere, null, true],
    ])
    expect(
      (
        await app.call(contract.bioPostChoices, { params: at(pageId), query: { search: 'NOW' } }, { as: home.person })
      ).posts.map((post) => post.postId),
    ).toEqual([postId])
  })

  it("don't show a post that isn't published, of another project, or of a channel that the role lacks", async () => {
    const { pageId } = await create()
    const scheduled = await posts.post(home, channel)
    const other = await app.signedInOwner()
    const theirs = await posts.post(other, await content.channel(other))
    await posts.put(theirs, 'PUBLISHED')
    for (const postId of [scheduled, theirs])
      await expect(save(pageId, { items: [tile(postId)] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const own = await published()
    const colleague = await app.colleague(home, 'editor')
    await app.database.owner.query('update project_member set channel_ids = $1 where person_id = $2', [
      [await content.channel(home)],
      colleague.personId,
    ])
    await expect(save(pageId, { items: [tile(own)] }, colleague)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // one that is there already stays when such a person saves
    await save(pageId, { items: [tile(own)] })
    expect((await save(pageId, { version: 2, items: [tile(own, { number: 1 })] }, colleague)).items).toHaveLength(1)
    expect((await app.call(contract.bioPostChoices, { params: at(pageId) }, { as: colleague })).posts).toEqual([])
  })

  it('take a published post as the first of the grid', async () => {
    const { pageId } = await create()
    const [first, second] = [await published('First'), await published('Second')]
    const add = (postId: string, url = 'https://a.example/') =>
      app.call(contract.addPostToBioPage, { params: at(pageId), body: { postId, url } }, { as: home.person })
    expect(await add(first)).toMatchObject({ number: 1 })
    expect(await add(second)).toMatchObject({ number: 2 })
    expect((await read(pageId)).items.map(({ number, label, url }) => [number, label, url])).toEqual([
      [2, 'Second', 'https://a.example/'],
      [1, 'First', 'https://a.example/'],
    ])
    await expect(add(first)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await expect(add(await published(), `${app.parts.env.publicUrl}/s/abc`)).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    await expect(add(await posts.post(home, channel))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // an editor that was open meanwhile removes nothing that it didn't know
    expect((await save(pageId, { items: [button()] })).items).toHaveLength(3)
    await expect(save(pageId)).rejects.toMatchObject({ code: 'STALE_VERSION', problem: { meta: { version: 2 } } })
  })

  it('refuse hostile and broken input, and store nothing of it', async () => {
    const { pageId } = await create()
    const bad = async (more: object) => {
      const response = await app.send(
        contract.saveBioPage,
        { params: at(pageId), body: { ...body(), ...more } },
        { as: home.person },
      )
      return { status: response.statusCode, errors: Object.keys(response.json<{ errors?: object }>().errors ?? {}) }
    }
    const item = (more: object) => bad({ items: [{ ...button(), ...more }] })
    expect(await item({ url: 'javascript:alert(1)' })).toEqual({ status: 400, errors: ['items.0.url'] })
    expect(await item({ url: 'data:text/html,x' })).toEqual({ status: 400, errors: ['items.0.url'] })
    expect(await item({ url: `${app.parts.env.publicUrl}/s/abcdefg` })).toEqual({
      status: 400,
      errors: ['items.0.url'],
    })
    expect(await item({ url: `${app.parts.env.publicUrl}/b/other/1` })).toEqual({
      status: 400,
      errors: ['items.0.url'],
    })
    expect(await item({ label: ' ' })).toEqual({ status: 400, errors: ['items.0.label'] })
    expect(await item({ zone: 'Mars/Base' })).toEqual({ status: 400, errors: ['items.0.zone'] })
    expect(await item({ number: 99 })).toEqual({ status: 400, errors: ['items.0.number'] })
    expect(await item({ kind: 'post' })).toEqual({ status: 400, errors: ['items.0.postId'] })
    expect(
      await item({ starts: { date: '2026-12-02', time: '10:00' }, ends: { date: '2026-12-02', time: '10:00' } }),
    ).toEqual({ status: 400, errors: ['items.0.ends'] })
    expect(await bad({ name: '' })).toEqual({ status: 400, errors: ['name'] })
    expect(await bad({ theme: 'neon' })).toEqual({ status: 400, errors: ['theme'] })
    expect(await bad({ about: 'x'.repeat(301) })).toEqual({ status: 400, errors: ['about'] })
    expect(await bad({ items: Array.from({ length: 51 }, () => button()) })).toEqual({ status: 400, errors: ['items'] })
    const other = await app.signedInOwner()
    expect(await bad({ pictureAssetId: await content.picture(other) })).toEqual({
      status: 400,
      errors: ['pictureAssetId'],
    })
    expect(await read(pageId)).toMatchObject({ version: 1, live: false, items: [] })
  })

  it('are of one project, and changed only with the permission to edit posts', async () => {
    const { pageId } = await create()
    const stranger = await app.signedInOwner()
    const viewer = await app.colleague(home, 'user')
    const params = { ...stranger.params, pageId }
    for (const [endpoint, sent] of [
      [contract.getBioPage, undefined],
      [contract.saveBioPage, body()],
      [contract.renameBioPage, { slug: freshSlug() }],
      [contract.deleteBioPage, undefined],
      [contract.bioPostChoices, undefined],
    ] as const) {
      const call = { params, ...(sent && { body: sent }) }
      expect((await app.send(endpoint, call, { as: stranger.person })).statusCode, endpoint.summary).toBe(404)
      expect((await app.send(endpoint, { ...call, params: at(pageId) }, {})).statusCode, endpoint.summary).toBe(401)
      const isRead = endpoint.method === 'GET'
      expect(
        (await app.send(endpoint, { ...call, params: at(pageId) }, { as: viewer })).statusCode,
        endpoint.summary,
      ).toBe(isRead ? 200 : 403)
    }
    expect(await read(pageId)).toMatchObject({ version: 1 })
  })
})

describe('the address of a page', () => {
  it('is one of the whole installation, and goes to who takes it first', async () => {
    const slug = freshSlug()
    await create(slug)
    const other = await app.signedInOwner()
    await expect(create(slug, other.person, other)).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      problem: { errors: { slug: ['This address is taken. Choose another one.'] } },
    })
    const wanted = freshSlug()
    const owners = [home, other, await app.signedInOwner()]
    const taken = await Promise.allSettled(owners.map((one) => create(wanted, one.person, one)))
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('can be changed; the earlier one stays for 90 days, for its own page only', async () => {
    const [before, after] = [freshSlug(), freshSlug()]
    const { pageId } = await create(before)
    const renamed = await rename(pageId, after)
    expect(renamed).toMatchObject({ slug: after, earlier: [{ slug: before, until: '2027-02-19T10:00:00.000Z' }] })
    const other = await app.signedInOwner()
    await expect(create(before, other.person, other)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await expect(create(before)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    // back to it
    expect(await rename(pageId, before)).toMatchObject({ slug: before, earlier: [{ slug: after }] })
    expect(await rename(pageId, before)).toMatchObject({ slug: before, earlier: [{ slug: after }] })
  })

  it('can be changed only so often, so that nobody hoards them', async () => {
    const { pageId } = await create()
    for (let i = 0; i < 5; i += 1) await rename(pageId, freshSlug())
    await expect(rename(pageId, freshSlug())).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: {
        errors: {
          slug: ['This page has 5 earlier addresses already. You can change its address again on 2027-02-19.'],
        },
      },
    })
    app.clock.advance({ hours: 91 * 24 })
    const later = await app.anotherBrowser(home.person)
    await app.call(contract.renameBioPage, { params: at(pageId), body: { slug: freshSlug() } }, { as: later })
  })

  it("of a deleted page is its project's for 90 days", async () => {
    const slug = freshSlug()
    const { pageId } = await create(slug)
    await remove(pageId)
    await expect(read(pageId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const other = await app.signedInOwner()
    await expect(create(slug, other.person, other)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    expect(await read((await create(slug)).pageId)).toMatchObject({ slug, earlier: [] })
  })

  it('stays with a page that an operator stopped, which can be read but neither renamed nor deleted', async () => {
    const { pageId } = await create()
    await app.database.owner.query("update bio_page set blocked_at = $2, blocked_reason = 'Phishing' where id = $1", [
      pageId,
      app.clock.now(),
    ])
    await expect(rename(pageId, freshSlug())).rejects.toMatchObject({ code: 'PAGE_BLOCKED' })
    await expect(remove(pageId)).rejects.toMatchObject({ code: 'PAGE_BLOCKED' })
    expect(await save(pageId)).toMatchObject({ blocked: { reason: 'Phishing' } })
  })
})

describe('the plan', () => {
  it('has room for one page on Free; others stay as they are, and can be deleted', async () => {
    const [first, second] = [await create(), await create()]
    await teamOn(app).plan(home, 'free')
    const { pages, most } = await app.call(contract.listBioPages, { params: home.params }, { as: home.person })
    expect([most, pages.map(({ pageId, editable }) => [pageId, editable])]).toEqual([
      1,
      [
        [first.pageId, true],
        [second.pageId, false],
      ],
    ])
    await save(first.pageId)
    const closed = { code: 'PLAN_LIMIT', problem: { meta: { gate: 'bio_pages' } } }
    await expect(save(second.pageId)).rejects.toMatchObject(closed)
    await expect(rename(second.pageId, freshSlug())).rejects.toMatchObject(closed)
    await expect(create()).rejects.toMatchObject(closed)
    await remove(second.pageId)
  })

  it('has room for 20 pages of a project otherwise, also when they are created at the same moment', async () => {
    const made = await Promise.allSettled(Array.from({ length: 22 }, () => create()))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  })
})
