import { randomUUIDv7 } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  assetUses,
  createFolder,
  deleteAsset,
  deleteFolder,
  editAsset,
  editFolder,
  getLibraryAsset,
  importAsset,
  listAssets,
  listFolders,
  restoreAsset,
} from '#contract/library.ts'
import { getAsset, readAsset } from '#contract/media.ts'
import { asTenant } from '../db/tenant.ts'
import type { SafeAnswer } from '../platforms/safeHttp.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { contentOn, drawPicture, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at, postsOn, type TestSchedule } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { sweepDeleted } from './sweep.ts'
import { noteUses } from './uses.ts'

/** The web pages that files are imported from in the running test, by URL. */
let web: Record<string, SafeAnswer> = {}
const fetch: SafeFetch = async (url) => web[url] ?? { kind: 'unsent', why: 'unreachable', detail: url }
const answer = (url: string, body: Uint8Array | string, status = 200): SafeAnswer => ({
  kind: 'answer',
  status,
  headers: {},
  body: Buffer.from(body),
  url,
})

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp({ fetch, platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
/** A day after these tests' current time. */
const tomorrow = (): TestSchedule => at(new Date(app.clock.now().getTime() + 86_400_000).toISOString())
beforeEach(async () => {
  web = {}
  home = await app.signedInOwner()
  channel = await content.channel(home)
})

type Query = {
  search?: string
  kind?: 'image' | 'video' | 'document'
  folderId?: string
  page?: number
  limit?: number
}
const list = (query: Query = {}, as = home.person) => app.call(listAssets, { params: home.params, query }, { as })
const listed = async (query: Query = {}) => (await list(query)).assets.map(({ assetId }) => assetId)
const on = (assetId: string) => ({ ...home.params, assetId })
const edit = (
  assetId: string,
  body: { fileName?: string; altText?: string; folderId?: string | null },
  as = home.person,
) => app.call(editAsset, { params: on(assetId), body }, { as })
const remove = (assetId: string) => app.call(deleteAsset, { params: on(assetId) }, { as: home.person })
const folder = async (name: string, parentId: string | null = null) =>
  (await app.call(createFolder, { params: home.params, body: { name, parentId } }, { as: home.person })).folderId
const folders = async () => (await app.call(listFolders, { params: home.params }, { as: home.person })).folders
const folderAt = (folderId: string) => ({ ...home.params, folderId })
const put = (assetId: string, columns: Record<string, unknown>) =>
  app.database.owner.query(
    `update asset set ${Object.keys(columns)
      .map((name, i) => `${name} = $${i + 2}`)
      .join(', ')} where id = $1`,
    [assetId, ...Object.values(columns)],
  )
const isThere = async (assetId: string) =>
  (await app.database.owner.query('select 1 from asset where id = $1', [assetId])).rows.length === 1

describe('the files of the library', () => {
  it('are listed newest first, page by page, with who added them and how many posts use them', async () => {
    const first = await content.picture(home)
    await posts.post(home, channel, { schedule: tomorrow(), media: [{ assetId: first }] })
    const gone = await posts.post(home, channel, { schedule: tomorrow(), media: [{ assetId: first }] })
    await posts.put(gone, 'DELETED')
    app.clock.advance({ hours: 1 })
    const second = await content.picture(home)
    const { assets, pagination } = await list()
    expect(
      assets.map(({ assetId, usedIn, createdBy, folderId }) => ({ assetId, usedIn, createdBy, folderId })),
    ).toEqual([
      { assetId: second, usedIn: 0, createdBy: 'Olive Owner', folderId: null },
      { assetId: first, usedIn: 1, createdBy: 'Olive Owner', folderId: null },
    ])
    expect(pagination).toEqual({ currentPage: 1, totalPages: 1, totalCount: 2 })
    expect(await list({ page: 2, limit: 1 })).toMatchObject({
      assets: [{ assetId: first }],
      pagination: { currentPage: 2, totalPages: 2 },
    })
  })

  it('are complete, in this project, and not copies fitted for a platform', async () => {
    const [whole, unfinished, copy] = [
      await content.picture(home),
      await content.picture(home),
      await content.picture(home),
    ]
    await put(unfinished, { state: 'uploading' })
    await put(copy, { derived_from: whole })
    await content.picture(await app.signedInOwner())
    expect(await listed()).toEqual([whole])
  })

  it('are found by name, alt text and kind, with search text taken literally', async () => {
    const [a, b, c] = [await content.picture(home), await content.picture(home), await content.picture(home)]
    await put(a, { file_name: 'Rook_1.png' })
    await put(b, { alt_text: 'A rook in a field', file_name: 'bird.png' })
    await put(c, { file_name: 'clip.mp4', content_type: 'video/mp4' })
    expect((await listed({ search: 'ROOK' })).toSorted()).toEqual([a, b].toSorted())
    expect(await listed({ search: '_' })).toEqual([a])
    expect(await listed({ search: '%' })).toEqual([])
    expect([await listed({ kind: 'video' }), await listed({ kind: 'document' })]).toEqual([[c], []])
  })

  it("show where they're used, without posts on channels outside of the caller's role", async () => {
    const assetId = await content.picture(home)
    const other = await content.channel(home)
    const postId = await posts.post(home, channel, { schedule: tomorrow(), text: 'With a rook', media: [{ assetId }] })
    const hidden = await posts.post(home, other, { schedule: tomorrow(), media: [{ assetId }] })
    const bound = await app.colleague(home, 'editor', { channelIds: [channel] })
    expect(await app.call(assetUses, { params: on(assetId) }, { as: bound })).toEqual({
      posts: [{ postId, excerpt: 'With a rook', status: 'SCHEDULED' }],
      more: 0,
    })
    const all = await app.call(assetUses, { params: on(assetId) }, { as: home.person })
    expect([all.posts.map((post) => post.postId).toSorted(), all.more]).toEqual([[postId, hidden].toSorted(), 0])
  })

  it("get a name that keeps their type's extension, an alt text, and a folder", async () => {
    const assetId = await content.picture(home, { type: 'png' })
    const folderId = await folder('Birds')
    await edit(assetId, { fileName: 'rook.jpg', altText: ' A rook ', folderId })
    expect((await list({ folderId })).assets).toMatchObject([
      { assetId, fileName: 'rook.png', altText: 'A rook', folderId },
    ])
    expect(await teamOn(app).lastAudit(home)).toMatchObject({
      action: 'edited',
      entity: 'asset',
      entity_id: assetId,
      detail: {
        before: { folderId: null },
        after: { fileName: 'rook.jpg', folderId },
        changed: ['altText'],
      },
    })
    await edit(assetId, { fileName: 'crow' })
    expect((await list()).assets).toMatchObject([{ fileName: 'crow.png', altText: 'A rook', folderId }])
    await edit(assetId, { folderId: null })
    expect([await listed({ folderId: 'none' }), await listed({ folderId })]).toEqual([[assetId], []])
  })

  it("refuse a name that couldn't be in a URL, and another project's folder, and change nothing then", async () => {
    const assetId = await content.picture(home)
    await expect(edit(assetId, { fileName: 'a"b.png', altText: 'x' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { fileName: [expect.stringContaining('letters A to Z')] } },
    })
    const elsewhere = await app.signedInOwner()
    const { folderId } = await app.call(
      createFolder,
      { params: elsewhere.params, body: { name: 'Theirs' } },
      { as: elsewhere.person },
    )
    await expect(edit(assetId, { folderId, altText: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await list()).assets).toMatchObject([{ fileName: 'picture.jpeg', altText: '', folderId: null }])
  })
})

it("show one file as in the list, until it's deleted", async () => {
  const assetId = await content.picture(home)
  await posts.post(home, channel, { schedule: tomorrow(), media: [{ assetId }] })
  const show = () => app.call(getLibraryAsset, { params: on(assetId) }, { as: home.person })
  expect([await show()]).toEqual((await list()).assets)
  await remove(assetId)
  await expect(show()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

describe('a deleted file', () => {
  it('leaves the library, stays in its posts, and can be restored', async () => {
    const assetId = await content.picture(home)
    await posts.post(home, channel, { schedule: tomorrow(), media: [{ assetId }] })
    expect(await remove(assetId)).toEqual({ message: 'File deleted successfully' })
    expect(await listed()).toEqual([])
    expect((await app.send(readAsset, { params: on(assetId) }, { as: home.person })).statusCode).toBe(200)
    await expect(remove(assetId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(edit(assetId, { altText: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await app.call(restoreAsset, { params: on(assetId) }, { as: home.person })).toEqual({
      message: 'File restored',
    })
    expect(await listed()).toEqual([assetId])
    await expect(app.call(restoreAsset, { params: on(assetId) }, { as: home.person })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('is removed with its bytes after a day if no post needs it', async () => {
    const [unused, used, kept, young] = [
      await content.picture(home),
      await content.picture(home),
      await content.picture(home),
      await content.picture(home),
    ]
    // a deleted post can be restored, and would need its image
    await posts.put(await posts.post(home, channel, { schedule: tomorrow(), media: [{ assetId: used }] }), 'DELETED')
    await remove(unused)
    await remove(used)
    expect(await sweepDeleted(app.parts.uploads)).toBe(0)
    app.clock.advance({ hours: 25 })
    await remove(young)
    expect(await sweepDeleted(app.parts.uploads)).toBe(1)
    expect([await isThere(unused), await isThere(used), await isThere(kept), await isThere(young)]).toEqual([
      false,
      true,
      true,
      true,
    ])
    await expect(app.parts.media.read(`${home.orgId}/${unused}`)).rejects.toThrow(/ENOENT|does not exist/)
    expect((await app.parts.media.read(`${home.orgId}/${used}`)).length).toBeGreaterThan(0)
  })

  it('stays if a post starts using it while the sweep runs', async () => {
    const assetId = await content.picture(home)
    const postId = await posts.post(home, channel, { schedule: tomorrow() })
    await remove(assetId)
    app.clock.advance({ hours: 25 })
    await asTenant(app.parts.databases.web, home.orgId, async (tx) => {
      await noteUses(tx, home.orgId, [{ postId, assetIds: [assetId] }])
      // not committed yet: the sweep sees no use, and neither waits nor deletes
      await sweepDeleted(app.parts.uploads)
    })
    await sweepDeleted(app.parts.uploads)
    expect(await isThere(assetId)).toBe(true)
    expect((await app.call(assetUses, { params: on(assetId) }, { as: home.person })).posts).toHaveLength(1)
  })

  it('is removed together with many others, reading the posts once', async () => {
    const [assetId, named] = [await content.picture(home), await content.picture(home)]
    const postId = await posts.post(home, channel, { schedule: tomorrow(), media: [{ assetId: named }] })
    await app.database.owner.query('delete from post_asset where asset_id = $1', [named])
    await remove(assetId)
    await remove(named)
    const copies = async (table: string, id: string, count: number) => {
      const { rows } = await app.database.owner.query<{ columns: string }>(
        "select string_agg(quote_ident(attname), ', ') as columns from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id')",
        [table],
      )
      const columns = rows[0]?.columns ?? ''
      await app.database.owner.query(
        `insert into ${table} (id, ${columns}) select gen_random_uuid(), ${columns} from ${table}, generate_series(1, ${count}) where id = $1`,
        [id],
      )
    }
    await copies('asset', assetId, 250)
    await copies('post', postId, 3000)
    app.clock.advance({ hours: 25 })
    expect(await sweepDeleted(app.parts.uploads)).toBe(251)
    expect([await isThere(assetId), await isThere(named)]).toEqual([false, true])
  })

  it("stays while a post references it, even if its use wasn't recorded", async () => {
    const assetId = await content.picture(home)
    await posts.post(home, channel, { schedule: tomorrow(), media: [{ assetId }] })
    await app.database.owner.query('delete from post_asset where asset_id = $1', [assetId])
    await remove(assetId)
    app.clock.advance({ hours: 25 })
    await sweepDeleted(app.parts.uploads)
    expect(await isThere(assetId)).toBe(true)
  })
})

describe('folders', () => {
  it('are listed with their file counts, renamed, and unique in their parent', async () => {
    const birds = await folder('Birds')
    const rooks = await folder('Rooks', birds)
    await edit(await content.picture(home), { folderId: rooks })
    expect(await folders()).toEqual([
      { folderId: birds, name: 'Birds', parentId: null, assets: 0 },
      { folderId: rooks, name: 'Rooks', parentId: birds, assets: 1 },
    ])
    await expect(folder('BIRDS')).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      problem: { errors: { name: ['A folder with this name already exists.'] } },
    })
    await folder('Birds', birds)
    await app.call(editFolder, { params: folderAt(birds), body: { name: 'BIRDS' } }, { as: home.person })
    const other = await folder('Other')
    await expect(
      app.call(editFolder, { params: folderAt(other), body: { name: 'birds' } }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await expect(folder('In nothing', randomUUIDv7())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('are moved with their contents, also to the top, never into themselves or where the name is taken', async () => {
    const outer = await folder('Outer')
    const inner = await folder('Inner', outer)
    const deep = await folder('Deep', inner)
    const move = (folderId: string, parentId: string | null) =>
      app.call(editFolder, { params: folderAt(folderId), body: { parentId } }, { as: home.person })
    const placeOf = async (folderId: string) => (await folders()).find((one) => one.folderId === folderId)?.parentId
    for (const into of [outer, inner, deep])
      await expect(move(outer, into)).rejects.toMatchObject({
        code: 'BAD_INPUT',
        problem: { errors: { parentId: ["You can't move a folder into itself."] } },
      })
    await move(inner, null)
    expect([await placeOf(inner), await placeOf(deep)]).toEqual([null, inner])
    await folder('DEEP')
    await expect(move(deep, null)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await move(outer, deep)
    expect((await folders()).find((one) => one.folderId === outer)).toMatchObject({ name: 'Outer', parentId: deep })
    await expect(move(inner, randomUUIDv7())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const elsewhere = await app.signedInOwner()
    const { folderId } = await app.call(
      createFolder,
      { params: elsewhere.params, body: { name: 'Theirs' } },
      { as: elsewhere.person },
    )
    await expect(move(inner, folderId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it("can't be moved into each other by two simultaneous moves: one is refused", async () => {
    const [a, b] = [await folder('A'), await folder('B')]
    const move = (folderId: string, parentId: string) =>
      app.call(editFolder, { params: folderAt(folderId), body: { parentId } }, { as: home.person })
    const outcomes = await Promise.allSettled([move(a, b), move(b, a)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it("can't be created twice with one name by simultaneous calls", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => folder('Same')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it("leave their contents in their parent when they're deleted", async () => {
    const outer = await folder('Outer')
    const middle = await folder('Middle', outer)
    // one inside has the same name
    const inner = await folder('Middle', middle)
    const assetId = await content.picture(home)
    await edit(assetId, { folderId: middle })
    await app.call(deleteFolder, { params: folderAt(middle) }, { as: home.person })
    expect(await folders()).toEqual([
      { folderId: inner, name: 'Middle', parentId: outer, assets: 0 },
      { folderId: outer, name: 'Outer', parentId: null, assets: 1 },
    ])
  })

  it("aren't deleted if a folder inside has the name of one in the parent", async () => {
    const outer = await folder('Outer')
    await folder('Same')
    await folder('same', outer)
    await expect(app.call(deleteFolder, { params: folderAt(outer) }, { as: home.person })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
    })
    expect(await folders()).toHaveLength(3)
  })
})

it("aren't part of the free plan, which still allows deleting files", async () => {
  const assetId = await content.picture(home)
  const folderId = await folder('Before')
  await teamOn(app).plan(home, 'free')
  for (const call of [
    () => list(),
    () => folders(),
    () => folder('x'),
    () => edit(assetId, { altText: 'x' }),
    () => app.call(editFolder, { params: folderAt(folderId), body: { name: 'y' } }, { as: home.person }),
  ]) {
    await expect(call()).rejects.toMatchObject({ problem: { code: 'PLAN_LIMIT', meta: { gate: 'asset_library' } } })
  }
  await remove(assetId)
  await app.call(deleteFolder, { params: folderAt(folderId) }, { as: home.person })
})

describe('a file of the web', () => {
  const url = 'https://pictures.example/birds/rook.jpg?size=large'
  const take = (of = url) => app.call(importAsset, { params: home.params, body: { url: of } }, { as: home.person })

  it('becomes a file of the project, identified by its bytes, with its own name and no metadata', async () => {
    const photo = await sharp(await drawPicture({ width: 60, height: 40, type: 'png' }))
      .withExif({ IFD0: { Artist: 'where they live' } })
      .jpeg()
      .toBuffer()
    expect((await sharp(photo).metadata()).exif).toBeDefined()
    web = { [url]: answer(url, photo) }
    const { assetId } = await take()
    expect(await app.call(getAsset, { params: on(assetId) }, { as: home.person })).toMatchObject({
      state: 'ready',
      contentType: 'image/jpeg',
      fileName: 'rook.jpg',
      width: 60,
      height: 40,
    })
    const { rawPayload } = await app.send(readAsset, { params: on(assetId) }, { as: home.person })
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined()
    expect(await listed()).toEqual([assetId])
    // open screens of the library are notified
    expect(
      (
        await app.database.owner.query("select ref from event where project_id = $1 and kind = 'asset'", [
          home.projectId,
        ])
      ).rows,
    ).toEqual([{ ref: assetId }])
  })

  it("that isn't an image, is too large, unavailable or private is refused with the reason", async () => {
    web = {
      [url]: answer(url, '<html>'),
      'https://a.example/large': { kind: 'lost', why: 'too-large', detail: '' },
      'https://a.example/none': answer('https://a.example/none', 'no', 404),
      'http://10.0.0.1/': { kind: 'unsent', why: 'address-refused', detail: '' },
      'https://a.example/inside': { kind: 'lost', why: 'address-refused', detail: '' },
    }
    await expect(take()).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: { detail: expect.stringContaining('leads to a web page') },
    })
    await expect(take('https://a.example/large')).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: { detail: 'The file at this link is larger than 500 MB.' },
    })
    await expect(take('https://a.example/none')).rejects.toMatchObject({
      code: 'ADDRESS_UNREADABLE',
      status: 422,
      problem: { detail: "We couldn't get a file from this link." },
    })
    await expect(take('https://a.example/away')).rejects.toMatchObject({ code: 'ADDRESS_UNREADABLE' })
    await expect(take('http://10.0.0.1/')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
    await expect(take('https://a.example/inside')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
    await expect(take('file:///etc/passwd')).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await listed()).toEqual([])
  })
})
