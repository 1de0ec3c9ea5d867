import { randomUUID } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { saveDraft } from '#contract/drafts.ts'
import { assetUses, listAssets } from '#contract/library.ts'
import { fitAsset, getAsset, readAsset, readLinkCard } from '#contract/media.ts'
import type { SafeAnswer } from '../platforms/safeHttp.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { contentOn, drawPicture } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { draftBody } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { pixelsFor } from './decode.ts'
import { fitImage } from './fitImage.ts'
import { inspectImage } from './image.ts'
import { cleanFile, inspectFile } from './inspect.ts'
import { fileName } from './names.ts'
import { sweepDeleted } from './sweep.ts'

/** The web pages that link cards are read from in the running test, by URL. */
let web: Record<string, () => Promise<SafeAnswer> | SafeAnswer> = {}
const fetch: SafeFetch = async (url) => (await web[url]?.()) ?? { kind: 'unsent', why: 'unreachable', detail: url }
const answer = (contentType: string, body: Uint8Array | string, status = 200): SafeAnswer => ({
  kind: 'answer',
  status,
  headers: { 'content-type': contentType },
  body: Buffer.from(body),
  url: 'https://news.example/a',
})

let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome

beforeAll(async () => {
  app = await startApp({ fetch })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  web = {}
  home = await app.signedInOwner()
})

const limits = { types: ['image/jpeg', 'image/png'], bytes: 2_000_000 }

describe('fitting an image', () => {
  it('lowers the quality before it shrinks the dimensions', async () => {
    const large = await drawPicture({ width: 700, height: 500, noise: true })
    expect(large.length).toBeGreaterThan(200_000)
    const same = await fitImage(large, { ...limits, bytes: large.length - 1 })
    expect(same).toMatchObject({ contentType: 'image/jpeg', width: 700, height: 500 })
    const small = await fitImage(large, { ...limits, bytes: 30_000 })
    expect(small?.bytes.length).toBeLessThanOrEqual(30_000)
    expect(small?.width).toBeLessThan(700)
    expect((small?.width ?? 0) / (small?.height ?? 1)).toBeCloseTo(1.4, 1)
  })

  it('keeps transparency as PNG, or uses a white background if that is too large', async () => {
    const glass = await drawPicture({ width: 200, height: 100, type: 'webp', alpha: true })
    const kept = await fitImage(glass, limits)
    expect(kept).toMatchObject({ contentType: 'image/png', width: 200, height: 100 })
    expect((await sharp(kept?.bytes).stats()).isOpaque).toBe(false)
    const clear = await sharp({
      create: { width: 90, height: 90, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const laid = await fitImage(clear, { ...limits, types: ['image/jpeg'] })
    expect(laid).toMatchObject({ contentType: 'image/jpeg' })
    const { channels } = await sharp(laid?.bytes).stats()
    expect(channels.map(({ mean }) => Math.round(mean))).toEqual([255, 255, 255])
  })

  it('rotates it upright and removes its metadata', async () => {
    const turned = await sharp(await drawPicture({ width: 30, height: 20, type: 'png' }))
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: 'someone', Artist: 'where they live' } })
      .webp()
      .toBuffer()
    const fitted = await fitImage(turned, limits)
    expect(fitted).toMatchObject({ contentType: 'image/jpeg' })
    expect((await sharp(fitted?.bytes).metadata()).exif).toBeUndefined()
  })

  it("keeps both sides within the platform's limit, in either orientation", async () => {
    const largest = { longer: 192, shorter: 108 }
    const fitted = async (width: number, height: number, alpha = false) => {
      const made = await fitImage(await drawPicture({ width, height, ...(alpha && { type: 'png', alpha }) }), {
        ...limits,
        largest,
      })
      return [made?.width, made?.height]
    }
    expect(await fitted(400, 300)).toEqual([144, 108])
    expect(await fitted(300, 400)).toEqual([108, 144])
    expect(await fitted(102, 1000)).toEqual([19, 192])
    expect(await fitted(400, 300, true)).toEqual([144, 108])
    expect(await fitted(100, 100)).toEqual([100, 100])
  })

  it('gives up if nothing fits', async () => {
    expect(
      await fitImage(await drawPicture({ width: 100, height: 100, noise: true }), { ...limits, bytes: 300 }),
    ).toBeUndefined()
    expect(
      await fitImage(await drawPicture({ width: 100, height: 100 }), { types: ['image/heic'], bytes: 1_000_000 }),
    ).toBeUndefined()
  })
})

describe('identifying an image', () => {
  it.each(['jpeg', 'png', 'gif', 'webp'] as const)('recognizes %s', async (type) => {
    expect(await inspectImage(await drawPicture({ width: 12, height: 8, type }))).toMatchObject({
      kind: 'image',
      facts: { contentType: `image/${type}`, width: 12, height: 8 },
    })
  })

  it('refuses images that would fill the memory', async () => {
    // a PNG whose header claims 60,000 by 60,000 pixels
    const bomb = await drawPicture({ width: 1, height: 1, type: 'png' })
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    const { default: zlib } = await import('node:zlib')
    bomb.writeUInt32BE(zlib.crc32(bomb.subarray(12, 29)), 29)
    expect(await inspectImage(bomb)).toEqual({
      kind: 'refused',
      problem: { code: 'too-many-pixels', pixels: 64_000_000 },
    })
  })

  it.each([
    [{ format: 'jpeg', channels: 3, depth: 'uchar' }, 64_000_000],
    [{ format: 'png', channels: 4, depth: 'uchar' }, 64_000_000],
    [{ format: 'png', channels: 4, depth: 'ushort' }, 32_000_000],
    [{ format: 'png', channels: 3, depth: 'ushort' }, 42_000_000],
    [{ format: 'tiff', channels: 4, depth: 'float' }, 16_000_000],
    [{ format: 'heif', channels: 3, depth: 'uchar' }, 17_000_000],
  ] as const)('takes fewer pixels where each takes more memory: %o', (metadata, pixels) => {
    expect(pixelsFor(metadata)).toBe(pixels)
  })

  it('refuses an AVIF that would take a gigabyte, by its header', async () => {
    const { default: sharp } = await import('sharp')
    const large = await sharp({ create: { width: 4500, height: 4000, channels: 3, background: 'teal' } })
      .avif({ effort: 0 })
      .toBuffer()
    expect(await inspectImage(large)).toEqual({
      kind: 'refused',
      problem: { code: 'too-many-pixels', pixels: 17_000_000 },
    })
  })

  it('knows the frames of an animation that was redrawn, not those of the file that came', async () => {
    const gif = await drawPicture({ width: 2, height: 2, type: 'gif' })
    const frame = gif.subarray(gif.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0])), -1)
    const path = join(app.dataDir, 'many.gif')
    const repeated = (frames: number, more = '') =>
      writeFile(
        path,
        Buffer.concat([
          gif.subarray(0, -1),
          Buffer.alloc(frame.length * (frames - 1), frame),
          Buffer.from(more),
          gif.subarray(-1),
        ]),
      )
    // nobody knows what is between its parts, and the same frame twice is one
    await repeated(300, 'what')
    const inspected = await inspectFile(path, 'image/gif', 'someone')
    if (inspected.kind === 'refused') throw new Error('refused')
    expect(inspected.facts).toMatchObject({ frames: 300, seconds: 30 })
    const clean = await cleanFile(path, { facts: inspected.facts, bytes: (await stat(path)).size }, 'someone')
    expect(clean.path).not.toBe(path)
    expect(await inspectFile(clean.path, '', 'someone')).toEqual({
      kind: 'file',
      facts: Object.fromEntries(Object.entries(clean.facts).filter(([name]) => name !== 'bytes')),
    })
    expect(clean.facts.frames ?? 1).toBeLessThan(300)

    await repeated(10_001)
    expect(await inspectFile(path, 'image/gif', 'someone')).toEqual({
      kind: 'refused',
      problem: { code: 'too-many-frames', frames: 10_000 },
    })
  })
})

it.each([
  ['photo.jpg', 'image/jpeg', 'photo.jpg'],
  ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
  ['a-b_c.1.png', 'image/png', 'a-b_c.1.png'],
  ['photo.png', 'image/jpeg', 'photo.jpg'],
  ['Foto in Köln.jpg', 'image/jpeg', 'image.jpg'],
  ['noextension', 'image/webp', 'image.webp'],
  ['../../etc/passwd', 'image/gif', 'image.gif'],
  ['', '', 'file.bin'],
])('the name of %j as %s is %s', (given, type, kept) => {
  expect(fileName(given, type)).toBe(kept)
})

describe('fitting a file', () => {
  const fit = (assetId: string, as = home.person) =>
    app.call(fitAsset, { params: { ...home.params, assetId }, body: { platform: 'bluesky', postType: 'post' } }, { as })
  const upload = async (bytes: Uint8Array, contentType: string) => {
    const id = await content.picture(home)
    await app.parts.media.put(`${home.orgId}/${id}`, bytes)
    await app.database.owner.query(
      "update asset set bytes = $2, content_type = $3, alt_text = 'A field' where id = $1",
      [id, bytes.length, contentType],
    )
    return id
  }

  it('makes a copy that the platform accepts, and keeps the original', async () => {
    const large = await drawPicture({ width: 1500, height: 1100, noise: true })
    expect(large.length).toBeGreaterThan(2_000_000)
    const id = await upload(large, 'image/jpeg')
    const fitted = await fit(id)
    expect(fitted).toMatchObject({
      state: 'ready',
      contentType: 'image/jpeg',
      fileName: 'picture.jpeg',
      altText: 'A field',
    })
    expect(fitted.assetId).not.toBe(id)
    expect(fitted.bytes).toBeLessThanOrEqual(2_000_000)
    const bytes = await app.send(
      readAsset,
      { params: { ...home.params, assetId: fitted.assetId } },
      { as: home.person },
    )
    expect(bytes.rawPayload.length).toBe(fitted.bytes)
    const { rows } = await app.database.owner.query('select derived_from from asset where id = $1', [fitted.assetId])
    expect(rows).toEqual([{ derived_from: id }])
    expect((await app.call(getAsset, { params: { ...home.params, assetId: id } }, { as: home.person })).bytes).toBe(
      large.length,
    )
  })

  it('limits the dimensions even if the file is small', async () => {
    const id = await upload(await drawPicture({ width: 4000, height: 3000 }), 'image/jpeg')
    await app.database.owner.query('update asset set width = 4000, height = 3000 where id = $1', [id])
    const onTikTok = (assetId: string) =>
      app.call(
        fitAsset,
        { params: { ...home.params, assetId }, body: { platform: 'tiktok', postType: 'post' } },
        { as: home.person },
      )
    const fitted = await onTikTok(id)
    expect(fitted).toMatchObject({ contentType: 'image/jpeg', width: 1440, height: 1080 })
    expect((await onTikTok(fitted.assetId)).assetId).toBe(fitted.assetId)
  })

  it("makes it as small as a channel's account needs", async () => {
    const channelId = await content.channel(home)
    await app.database.owner.query('update channel set limits = \'{"imageBytes": 30000}\' where id = $1', [channelId])
    const id = await upload(await drawPicture({ width: 700, height: 500, noise: true }), 'image/jpeg')
    const ask = (body: { channelId?: string }, where = home) =>
      app.call(
        fitAsset,
        { params: { ...home.params, assetId: id }, body: { platform: 'bluesky', postType: 'post', ...body } },
        { as: where.person },
      )
    expect((await ask({})).assetId).toBe(id)
    expect((await ask({ channelId })).bytes).toBeLessThanOrEqual(30_000)
    const elsewhere = await content.channel(await app.signedInOwner())
    await expect(ask({ channelId: elsewhere })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it("returns the file itself if it's accepted as it is", async () => {
    const id = await content.picture(home)
    expect((await fit(id)).assetId).toBe(id)
  })

  it("changes the type if it isn't accepted", async () => {
    const id = await upload(await drawPicture({ width: 30, height: 20, type: 'webp' }), 'image/webp')
    expect(await fit(id)).toMatchObject({ contentType: 'image/jpeg', fileName: 'picture.jpeg', width: 30, height: 20 })
  })

  it("is refused for unfinished and others' files", async () => {
    const id = await content.picture(home)
    await app.database.owner.query("update asset set state = 'uploading' where id = $1", [id])
    await expect(fit(id)).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: { detail: 'This file is still uploading.' },
    })
    const foreign = await content.picture(await app.signedInOwner())
    await expect(fit(foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(fit(id, await app.colleague(home, 'none'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(fit(id, (await app.signedInOwner()).person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  })
})

describe('a link card', () => {
  const url = 'https://news.example/a'
  const card = (of = url, as = home.person) =>
    app.call(readLinkCard, { params: home.params, body: { url: of } }, { as })
  const page =
    '<html><head><title>Plain</title><meta property="og:title" content="Rooks return"><meta property="og:description" content="They nest again."><meta property="og:image" content="/rook.png"></head></html>'

  it('has the page’s title and text, and its image as a file of the project, at most 1 MB', async () => {
    const large = await drawPicture({ width: 1600, height: 900, noise: true, type: 'png' })
    expect(large.length).toBeGreaterThan(1_000_000)
    web = { [url]: () => answer('text/html', page), 'https://news.example/rook.png': () => answer('image/png', large) }
    const read = await card()
    expect(read).toMatchObject({ uri: url, title: 'Rooks return', description: 'They nest again.' })
    const asset = await app.call(
      getAsset,
      { params: { ...home.params, assetId: read.imageAssetId ?? '' } },
      { as: home.person },
    )
    expect(asset).toMatchObject({ state: 'ready', contentType: 'image/jpeg' })
    expect(asset.bytes).toBeLessThanOrEqual(1_000_000)
  })

  it('leaves no image that no post needs, and none in the library; drafts need those of their channels’ own links', async () => {
    web = {
      [url]: () => answer('text/html', page),
      'https://news.example/rook.png': async () => answer('image/png', await drawPicture({ width: 40, height: 30 })),
    }
    const [abandoned, shared, own] = [await card(), await card(), await card()]
    expect((await app.call(listAssets, { params: home.params }, { as: home.person })).assets).toEqual([])
    const postId = randomUUID()
    const channelIds = [await content.channel(home), await content.channel(home)]
    const draft = draftBody({
      text: url,
      channelIds,
      additionalDetails: { linkCard: shared },
      variants: {
        [channelIds[1] ?? '']: { contents: [{ text: url, media: [] }], additionalDetails: { linkCard: own } },
      },
    })
    await app.call(saveDraft, { params: { ...home.params, postId }, body: { version: 0, draft } }, { as: home.person })
    const ids = [abandoned, shared, own].map(({ imageAssetId }) => imageAssetId ?? '')
    const uses = await Promise.all(
      ids.map((assetId) => app.call(assetUses, { params: { ...home.params, assetId } }, { as: home.person })),
    )
    expect(uses.map(({ posts }) => posts.length)).toEqual([0, 1, 1])
    app.clock.advance({ hours: 25 })
    await sweepDeleted(app.parts.uploads)
    const { rows } = await app.database.owner.query('select id from asset where id = any($1::uuid[]) order by id', [
      ids,
    ])
    expect(rows).toEqual([{ id: ids[1] }, { id: ids[2] }])
  })

  it('is read at most 300 times an hour per person, because each is a request to a server of their choice', async () => {
    web = { [url]: () => answer('text/html', '<title>Plain</title>') }
    await card()
    await app.database.owner.query("update budget set used = 300 where key like 'link-cards:%'")
    await expect(card()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      problem: { meta: { retryAfterSeconds: expect.any(Number) } },
    })
    const colleague = await app.colleague(home, 'editor')
    expect(await card(url, colleague)).toMatchObject({ title: 'Plain' })
  })

  it("works without an image if the page's is unusable", async () => {
    web = {
      [url]: () => answer('text/html', page),
      'https://news.example/rook.png': () => answer('image/png', '<html>not here</html>'),
    }
    expect(await card()).toEqual({
      uri: url,
      title: 'Rooks return',
      description: 'They nest again.',
      imageAssetId: null,
    })
    web = { [url]: () => answer('text/html', page) }
    expect((await card()).imageAssetId).toBeNull()
  })

  it('has the host as its title if the page says nothing or is unavailable', async () => {
    web = { [url]: () => answer('text/html', '<html></html>') }
    expect(await card()).toEqual({ uri: url, title: 'news.example', description: '', imageAssetId: null })
    web = {}
    expect(await card()).toMatchObject({ title: 'news.example' })
  })

  it("isn't read from a private address", async () => {
    web = { 'http://10.0.0.1/': () => ({ kind: 'unsent', why: 'address-refused', detail: '10.0.0.1' }) }
    await expect(card('http://10.0.0.1/')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED', status: 422 })
    await expect(card('file:///etc/passwd')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('is only for people who can create posts', async () => {
    await expect(card(url, await app.colleague(home, 'none'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(card(url, (await app.signedInOwner()).person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  })
})

it('opens files for publishing for their own organization only', async () => {
  const { openMedia } = await import('./open.ts')
  const [mine, foreign] = [await content.picture(home), await content.picture(await app.signedInOwner())]
  const files = await openMedia(app.parts.databases.background, app.parts.media)(home.orgId, [mine, foreign])
  expect([...files.keys()]).toEqual([mine])
  expect((await files.get(mine)?.read())?.length).toBe(files.get(mine)?.bytes)
})
