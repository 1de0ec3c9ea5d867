import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readPostCover } from '#contract/media.ts'
import { insightsPost, insightsPosts } from '#contract/analytics/posts.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let figures: ReturnType<typeof figuresOn>
let home: TestHome
let facebook: string
let x: string
beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  figures = figuresOn(app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  x = await content.channel(home, { platform: 'x', handle: '@x' })
})

const query = { from: '2026-11-15', to: '2026-11-21' }
const AT = '2026-11-16T10:00:00Z'
const addresses = async (who: TestPerson = home.person) => {
  const { posts } = await app.call(insightsPosts, { params: home.params, query }, { as: who })
  return new Map(posts.map(({ postId, thumbnailUrl }) => [postId, thumbnailUrl]))
}
const ofPost = async (postId: string) =>
  (await app.call(insightsPost, { params: { ...home.params, postId } }, { as: home.person })).thumbnailUrl
/** What the address of a post's picture returns; it's one that the call knows. */
async function load(address: string, who: TestPerson = home.person) {
  const [, postId = '', version] = /\/post\/([^/]+)\/cover\?version=(\d+)$/.exec(address) ?? []
  return await app.send(readPostCover, { params: { ...home.params, postId }, query: { version } }, { as: who })
}

it('is a small copy of the first file with an image, in the table and on the page of a post', async () => {
  const [file, first, second] = [await content.picture(home), await content.picture(home), await content.picture(home)]
  await app.database.owner.query("update asset set content_type = 'application/pdf' where id = $1", [file])
  const many = await figures.published(home, facebook, AT, { assetIds: [file, first, second] })
  const document = await figures.published(home, facebook, AT, { assetIds: [file] })
  const text = await figures.published(home, facebook, AT)
  const elsewhere = await figures.elsewhere(home, facebook, AT)
  const found = await addresses()
  const cover = `/api/${home.orgId}/project/${home.projectId}/post/${many}/cover?version=1`
  expect([found.get(many), found.get(document), found.get(text)]).toEqual([cover, null, null])
  expect(found.get(elsewhere)).toMatch(/\/account-picture\?/)
  expect([await ofPost(many), await ofPost(text)]).toEqual([cover, null])
  const shown = await load(cover)
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/webp'])
})

it("is a video's thumbnail if one was chosen, and none once the file is gone", async () => {
  const video = await content.picture(home)
  await app.database.owner.query("update asset set content_type = 'video/mp4' where id = $1", [video])
  const post = await figures.published(home, facebook, AT, { assetIds: [video] })
  expect((await addresses()).get(post)).toBeNull()
  await app.database.owner.query("update asset set thumbnail_key = 'abcdefghijklmnop' where id = $1", [video])
  expect((await addresses()).get(post)).toMatch(/\/cover\?version=1$/)
  await app.database.owner.query('delete from asset where id = $1', [video])
  expect([(await addresses()).get(post), await ofPost(post)]).toEqual([null, null])
})

it('stays within the role, its channels and the organization', async () => {
  const assetIds = [await content.picture(home)]
  const [own, others] = [
    await figures.published(home, x, AT, { assetIds }),
    await figures.published(home, facebook, AT, { assetIds }),
  ]
  const addressOfOthers = (await addresses()).get(others) ?? ''
  const bound = await app.colleague(home, 'editor', { channelIds: [x] })
  const seen = await addresses(bound)
  expect([seen.size, (await load(seen.get(own) ?? '', bound)).statusCode]).toEqual([1, 200])
  expect((await load(addressOfOthers, bound)).statusCode).toBe(404)
  // who may not open posts sees none of their files
  const analyst = await teamOn(app).holder(home, { channel: ['view'], insights: ['view'] })
  expect([...(await addresses(analyst)).values()]).toEqual([null, null])
  expect((await load(addressOfOthers, analyst)).statusCode).toBe(403)
  const stranger = await app.signedInOwner()
  expect((await load(addressOfOthers, stranger.person)).statusCode).toBe(404)
})

it("never shows another project's file that a post names", async () => {
  const other = await app.signedInOwner()
  const post = await figures.published(home, facebook, AT, {
    assetIds: [await content.picture(other), 'not an id', ''],
  })
  expect((await addresses()).get(post)).toBeNull()
})
