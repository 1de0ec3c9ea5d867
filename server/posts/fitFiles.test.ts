import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { editAsset } from '#contract/library.ts'
import { fitAsset, getAsset } from '#contract/media.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { editPost, getPost, reschedulePost } from '#contract/posts.ts'
import { submitPost, type Submit } from '#contract/submit.ts'
import { listWorkflows } from '#contract/workflows.ts'
import { sweepDeleted } from '../media/sweep.ts'
import { contentOn, drawPicture, testPlatform } from '../testing/content.ts'
import { movingPicture } from '../testing/movingPicture.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let home: TestHome
let content: ReturnType<typeof contentOn>
beforeAll(async () => {
  const keys = ['bluesky', 'instagram', 'mastodon', 'linkedin'] as const
  app = await startApp({ platforms: Object.fromEntries(keys.map((key) => [key, testPlatform({ key })])) })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

type Body = z.input<typeof Submit>
const TOMORROW = { type: 'ONCE', details: { utc: '2026-11-22T09:30:00.000Z', timezone: 'Europe/London' } } as const
const channel = (platform: PlatformKey) => content.channel(home, { platform })
const to = (channelId: string, assetIds: readonly string[], text = 'Look'): Body['channels'][number] => ({
  channelId,
  postType: 'post',
  contents: [{ text, media: assetIds.map((assetId) => ({ assetId })) }],
})
const submit = (channels: Body['channels'], more: Partial<Body> = {}) =>
  app.call(
    submitPost,
    { params: home.params, body: { intent: 'SCHEDULE', channels, schedule: TOMORROW, ...more } },
    { as: home.person },
  )
const read = (postId: string) => app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })
const asset = (assetId: string) => app.call(getAsset, { params: { ...home.params, assetId } }, { as: home.person })
const mediaOf = async (postId = '') => (await read(postId)).contents[0]?.media ?? []
const fileOf = async (postId = '') => await asset((await mediaOf(postId))[0]?.assetId ?? '')
/** How many files the project has. */
const count = async () =>
  (
    await app.database.owner.query<{ n: number }>('select count(*)::int as n from asset where project_id = $1', [
      home.projectId,
    ])
  ).rows[0]?.n

/** A file with these bytes and facts, as an upload leaves it. */
async function file(
  bytes: Buffer,
  contentType: string,
  facts: { width: number; height: number; frames?: number; colorSpace?: string },
) {
  const assetId = await content.picture(home)
  const { rows } = await app.database.owner.query<{ store_key: string }>(
    'update asset set content_type = $2, bytes = $3, width = $4, height = $5, frames = $6, color_space = $7 where id = $1 returning store_key',
    [assetId, contentType, bytes.length, facts.width, facts.height, facts.frames ?? null, facts.colorSpace ?? null],
  )
  await app.parts.media.put(rows[0]?.store_key ?? '', bytes)
  return assetId
}

describe('a submitted image', () => {
  it('becomes a copy for the channel that needs one, and stays as it is for all others', async () => {
    const png = await content.picture(home, { type: 'png', width: 400, height: 400 })
    const { posts } = await submit([to(await channel('instagram'), [png]), to(await channel('bluesky'), [png])])
    expect(await fileOf(posts[0]?.postId)).toMatchObject({ contentType: 'image/jpeg', width: 400, originalId: png })
    expect(await mediaOf(posts[1]?.postId)).toMatchObject([{ assetId: png }])
    expect(await asset(png)).toMatchObject({ contentType: 'image/png', originalId: null })
  })

  it('is copied once for its file and limits, however many posts use it', async () => {
    const png = await content.picture(home, { type: 'png', width: 400, height: 400 })
    const [one, other] = [await channel('instagram'), await channel('instagram')]
    const first = await submit([to(one, [png]), to(other, [png])])
    const second = await submit([to(one, [png], 'Again')])
    const copies = await Promise.all([...first.posts, ...second.posts].map(({ postId }) => mediaOf(postId)))
    expect(new Set(copies.map(([item]) => item?.assetId)).size).toBe(1)
    expect(await count()).toBe(2)
  })

  it('is sent with RGB colors if it was made for print', async () => {
    const { default: sharp } = await import('sharp')
    const drawn = await drawPicture({ width: 400, height: 400, type: 'png' })
    const print = await sharp(drawn).toColorspace('cmyk').jpeg().toBuffer()
    const id = await file(print, 'image/jpeg', { width: 400, height: 400, colorSpace: 'cmyk' })
    const { posts } = await submit([to(await channel('bluesky'), [id])])
    const { assetId = '' } = (await mediaOf(posts[0]?.postId))[0] ?? {}
    const { rows } = await app.database.owner.query<{ store_key: string }>(
      'select store_key from asset where id = $1',
      [assetId],
    )
    const sent = await sharp(await app.parts.media.read(rows[0]?.store_key ?? '')).metadata()
    expect(assetId).not.toBe(id)
    expect(sent).toMatchObject({ space: 'srgb', format: 'jpeg' })
  })

  it('that moves becomes still only where nothing moves, and smaller where it may not be as large', async () => {
    const gif = await file(await movingPicture('gif', 4, { width: 1400, height: 800 }), 'image/gif', {
      width: 1400,
      height: 800,
      frames: 4,
    })
    const { posts } = await submit([
      to(await channel('instagram'), [gif]),
      to(await channel('linkedin'), [gif]),
      to(await channel('mastodon'), [gif]),
    ])
    const [still, same, smaller] = await Promise.all(posts.map(({ postId }) => fileOf(postId)))
    expect(still).toMatchObject({ contentType: 'image/jpeg', frames: null })
    expect(same).toMatchObject({ assetId: gif, frames: 4 })
    expect(smaller).toMatchObject({ contentType: 'image/gif', frames: 4 })
    expect((smaller?.width ?? 0) * (smaller?.height ?? 0)).toBeLessThanOrEqual(1280 * 720)
    expect((smaller?.width ?? 0) / (smaller?.height ?? 1)).toBeCloseTo(1400 / 800, 1)
  })

  it("is refused at its place if it can't be made to fit", async () => {
    const mastodon = await channel('mastodon')
    await app.database.owner.query('update channel set limits = \'{"imageBytes": 100}\' where id = $1', [mastodon])
    const big = await content.picture(home, { width: 300, height: 300 })
    await expect(submit([to(await channel('bluesky'), [big]), to(mastodon, [big])])).rejects.toMatchObject({
      code: 'POST_REFUSED',
      problem: { errors: { 'channels.1.contents.0.media.0': ["This image can't be made small enough."] } },
    })
    const { rows } = await app.database.owner.query('select id from post where project_id = $1', [home.projectId])
    expect(rows).toEqual([])
  })

  it('is shown to approvers as it will be sent', async () => {
    await teamOn(app).plan(home, 'team')
    const { workflows } = await app.call(listWorkflows, { params: home.params }, { as: home.person })
    const png = await content.picture(home, { type: 'png', width: 400, height: 400 })
    const { posts } = await submit([to(await channel('instagram'), [png])], {
      intent: 'NEEDS_APPROVAL',
      workflowId: workflows[0]?.workflowId,
    })
    expect(await fileOf(posts[0]?.postId)).toMatchObject({ contentType: 'image/jpeg', originalId: png })
  })
})

describe('a draft', () => {
  it('keeps its file until it is published', async () => {
    const png = await content.picture(home, { type: 'png', width: 400, height: 400 })
    const { posts } = await submit([to(await channel('instagram'), [png])], {
      intent: 'DRAFT',
      schedule: { type: 'DRAFT' },
    })
    const postId = posts[0]?.postId ?? ''
    expect(await mediaOf(postId)).toMatchObject([{ assetId: png }])
    await app.call(
      reschedulePost,
      { params: { ...home.params, postId }, body: { schedule: { type: 'NOW' } } },
      { as: home.person },
    )
    const copy = await fileOf(postId)
    expect(copy).toMatchObject({ contentType: 'image/jpeg', originalId: png })
    const { rows } = await app.database.owner.query('select asset_id from post_asset where post_id = $1', [postId])
    expect(rows).toEqual([{ asset_id: copy.assetId }])
  })
})

describe('a scheduled post', () => {
  async function scheduled() {
    const png = await content.picture(home, { type: 'png', width: 400, height: 400 })
    const { posts } = await submit([to(await channel('instagram'), [png])])
    return { png, postId: posts[0]?.postId ?? '' }
  }
  const edit = async (postId: string, assetId: string, text: string) =>
    await app.call(
      editPost,
      {
        params: { ...home.params, postId },
        body: { version: (await read(postId)).version, contents: [{ text, media: [{ assetId }] }] },
      },
      { as: home.person },
    )

  it('has the same copy after an edit that names the file itself, or the copy', async () => {
    const { png, postId } = await scheduled()
    const [before] = await mediaOf(postId)
    await edit(postId, png, 'Another text')
    expect(await mediaOf(postId)).toEqual([before])
    await edit(postId, before?.assetId ?? '', 'A third text')
    expect(await mediaOf(postId)).toEqual([before])
  })

  it('gets a copy of the file that an edit attaches', async () => {
    const { postId } = await scheduled()
    const other = await content.picture(home, { type: 'png', width: 500, height: 500 })
    await edit(postId, other, 'Another picture')
    expect(await fileOf(postId)).toMatchObject({ contentType: 'image/jpeg', width: 500, originalId: other })
  })
})

describe('a copy', () => {
  const forInstagram = (assetId: string) =>
    app.call(
      fitAsset,
      { params: { ...home.params, assetId }, body: { platform: 'instagram', postType: 'post' } },
      { as: home.person },
    )

  it('can be made before the post is submitted, which then uses it', async () => {
    const png = await content.picture(home, { type: 'png', width: 400, height: 400 })
    const copy = await forInstagram(png)
    const { posts } = await submit([to(await channel('instagram'), [png])])
    expect(await mediaOf(posts[0]?.postId)).toMatchObject([{ assetId: copy.assetId }])
    expect((await forInstagram(png)).assetId).toBe(copy.assetId)
  })

  it('goes after a day without a post, and stays with one', async () => {
    const [used, unused] = [
      await content.picture(home, { type: 'png', width: 400, height: 400 }),
      await content.picture(home, { type: 'png', width: 500, height: 500 }),
    ]
    const { posts } = await submit([to(await channel('instagram'), [used])])
    await forInstagram(unused)
    app.clock.advance({ hours: 25 })
    await sweepDeleted(app.parts.uploads)
    expect(await count()).toBe(3)
    expect(await fileOf(posts[0]?.postId)).toMatchObject({ originalId: used })
  })

  it("follows the file's alt text", async () => {
    await teamOn(app).plan(home, 'team')
    const png = await content.picture(home, { type: 'png', width: 400, height: 400 })
    const copy = await forInstagram(png)
    await app.call(
      editAsset,
      { params: { ...home.params, assetId: png }, body: { altText: 'Rooks in a tree' } },
      { as: home.person },
    )
    expect(await asset(copy.assetId)).toMatchObject({ altText: 'Rooks in a tree' })
  })
})
