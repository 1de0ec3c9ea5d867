import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getAsset, PREVIEW_SIDE, readPostCover, readPreview } from '#contract/media.ts'
import { contentOn, drawPicture } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { previewKeyOf } from './store.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome

beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

const preview = (assetId: string) => app.send(readPreview, { params: { ...home.params, assetId } }, { as: home.person })
const cover = (postId: string) => app.send(readPostCover, { params: { ...home.params, postId } }, { as: home.person })
const keyOf = (assetId: string) => `${home.orgId}/${assetId}`
const post = async (...assetIds: string[]) =>
  await posts.post(home, await content.channel(home), {
    text: 'With files',
    media: assetIds.map((assetId) => ({ assetId })),
  })

it("is a small copy, whatever the file's size, and is stored for the next request", async () => {
  const assetId = await content.picture(home, { width: 1600, height: 1000 })
  await app.parts.media.put(keyOf(assetId), await drawPicture({ width: 1600, height: 1000, noise: true }))
  const answer = await preview(assetId)
  expect(answer).toMatchObject({
    statusCode: 200,
    headers: { 'content-type': 'image/webp', 'cache-control': expect.stringContaining('private') },
  })
  expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 512, height: PREVIEW_SIDE })
  expect(Buffer.from(await app.parts.media.read(previewKeyOf(keyOf(assetId))))).toEqual(answer.rawPayload)
  // the file isn't read again
  await app.parts.media.put(keyOf(assetId), Buffer.from('no picture any more'))
  expect((await preview(assetId)).rawPayload).toEqual(answer.rawPayload)
})

it('is never larger than the file, and is drawn once for simultaneous requests', async () => {
  const assetId = await content.picture(home, { width: 40, height: 30 })
  const answers = await Promise.all([preview(assetId), preview(assetId), preview(assetId)])
  expect(new Set(answers.map(({ rawPayload }) => rawPayload.toString('base64'))).size).toBe(1)
  expect(await sharp(answers[0].rawPayload).metadata()).toMatchObject({ width: 40, height: 30 })
})

it('is deleted with the file', async () => {
  const assetId = await content.picture(home)
  await preview(assetId)
  await app.parts.media.delete(keyOf(assetId))
  await expect(app.parts.media.read(previewKeyOf(keyOf(assetId)))).rejects.toThrow(/ENOENT|does not exist/)
})

it("shows a video's thumbnail, and nothing for files without an image", async () => {
  const [video, document] = [await content.picture(home), await content.picture(home)]
  await app.database.owner.query("update asset set content_type = 'video/mp4' where id = $1", [video])
  await app.database.owner.query("update asset set content_type = 'application/pdf' where id = $1", [document])
  expect((await preview(document)).statusCode).toBe(404)
  expect((await preview(video)).statusCode).toBe(404)
  expect(await app.call(getAsset, { params: { ...home.params, assetId: video } }, { as: home.person })).toMatchObject({
    previewUrl: null,
  })
  const thumbnail = keyOf('019ab000-0000-7000-8000-00000000abcd')
  await app.parts.media.put(thumbnail, await drawPicture({ width: 64, height: 36 }))
  await app.database.owner.query('update asset set thumbnail_key = $2, thumbnail_bytes = 1 where id = $1', [
    video,
    thumbnail,
  ])
  expect(await sharp((await preview(video)).rawPayload).metadata()).toMatchObject({ width: 64, height: 36 })
  const { previewUrl } = await app.call(getAsset, { params: { ...home.params, assetId: video } }, { as: home.person })
  expect(previewUrl).toMatch(/\/preview\?of=00000000abcd$/)
})

it("shows a post's first file that has an image", async () => {
  const [first, second] = [
    await content.picture(home, { width: 50, height: 20 }),
    await content.picture(home, { width: 20, height: 20 }),
  ]
  const answer = await cover(await post(first, second))
  expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 50, height: 20 })
  // having nothing to show isn't an error: lists ask for every post with files
  const none = await cover(await post())
  expect([none.statusCode, none.rawPayload.length]).toEqual([204, 0])
})
