import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createUpload,
  getAsset,
  readAsset,
  readThumbnail,
  redrawAsset,
  removeThumbnail,
  setThumbnail,
} from '#contract/media.ts'
import { contentOn, drawPicture } from '../testing/content.ts'
import { makeDocument, makeFilm, packDocument } from '../testing/film.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { mediaLinks } from './links.ts'
import { openMedia } from './open.ts'
import { inspectPdf } from './pdf.ts'
import { rangeOf } from './send.ts'
import { sweepDeleted } from './sweep.ts'

let app: TestApp
let home: TestHome
let address: string
beforeAll(async () => {
  app = await startApp()
  address = await app.listen()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

const announce = (bytes: number, contentType: string, fileName: string) =>
  app.call(createUpload, { params: home.params, body: { fileName, contentType, bytes } }, { as: home.person })
async function send(bytes: Buffer, contentType: string, fileName: string) {
  const { assetId, uploadUrl } = await announce(bytes.length, contentType, fileName)
  const answer = await fetch(address + uploadUrl, {
    method: 'PATCH',
    headers: { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: new Uint8Array(bytes),
  })
  return {
    assetId,
    status: answer.status,
    problem: answer.status === 204 ? undefined : ((await answer.json()) as { detail: string }).detail,
  }
}
const asset = (assetId: string) => app.call(getAsset, { params: { ...home.params, assetId } }, { as: home.person })
const read = (
  assetId: string,
  headers: Record<string, string> = {},
  endpoint: typeof readAsset | typeof readThumbnail = readAsset,
) => app.send(endpoint, { params: { ...home.params, assetId } }, { as: home.person, headers })
const links = () => mediaLinks({ env: app.parts.env, clock: app.clock })
const open = async (assetId: string) =>
  (await openMedia(app.parts.databases.background, app.parts.media, links())(home.orgId, [assetId])).get(assetId)

describe('a video', () => {
  it.each([
    ['mp4', 'video/mp4'],
    ['mov', 'video/quicktime'],
    ['webm', 'video/webm'],
  ] as const)(
    'of type %s is recognized by its bytes, with its length and displayed dimensions',
    async (type, contentType) => {
      const film = await makeFilm({ type, seconds: 3.5, rotation: type === 'webm' ? 0 : 90 })
      const { assetId, status } = await send(film, 'video/mp4', 'field.mp4')
      expect(status).toBe(204)
      const sides = type === 'webm' ? { width: 640, height: 360 } : { width: 360, height: 640 }
      expect(await asset(assetId)).toMatchObject({
        state: 'ready',
        contentType,
        fileName: `field.${type}`,
        seconds: 3.5,
        bytes: film.length,
        pages: null,
        ...sides,
      })
      const { rows } = await app.database.owner.query(
        'select video_codec, audio_codec, rotation from asset where id = $1',
        [assetId],
      )
      const codec = type === 'webm' ? 'vp9' : 'avc'
      expect(rows).toEqual([{ video_codec: codec, audio_codec: null, rotation: type === 'webm' ? 0 : 90 }])
    },
  )

  it('loses its metadata, and no frame', async () => {
    const film = await makeFilm({ title: 'at home in the garden' })
    expect(film.toString('latin1')).toContain('at home')
    const { assetId } = await send(film, 'video/mp4', 'field.mp4')
    const kept = (await read(assetId)).rawPayload
    expect(kept.length).toBe(film.length)
    expect(kept.toString('latin1')).not.toContain('at home')
    const frames = (bytes: Buffer) => bytes.subarray(bytes.indexOf('mdat'))
    expect(frames(kept).equals(frames(film))).toBe(true)
  })

  it('that is truncated, or has no picture, is refused with the reason and leaves nothing', async () => {
    const film = await makeFilm()
    const cut = await send(film.subarray(0, film.length - 50), 'video/mp4', 'field.mp4')
    expect(cut).toMatchObject({ status: 422, problem: "This video is damaged and can't be read." })
    expect(await asset(cut.assetId)).toMatchObject({
      state: 'refused',
      problem: "This video is damaged and can't be read.",
    })
    const text = await send(Buffer.from('no video at all, only words'.repeat(9)), 'video/mp4', 'field.mp4')
    expect(text).toMatchObject({
      status: 422,
      problem: 'unsupported video type. Supported: mp4, mov, webm, avi, mpeg, wmv, 3gp',
    })
    for (const { assetId } of [text, cut]) expect(await app.kept.ofUpload(assetId)).toEqual([])
  })

  it('that announces more pixels or a longer time than any has is refused', async () => {
    for (const film of [
      await makeFilm({ type: 'webm', width: 70_000 }),
      await makeFilm({ type: 'webm', height: 70_000 }),
    ])
      expect(await send(film, 'video/webm', 'field.webm')).toMatchObject({
        status: 422,
        problem: "This video is damaged and can't be read.",
      })
  })

  it('may be as large as a connected platform accepts, otherwise 500 MB', async () => {
    await expect(announce(500_000_001, 'video/mp4', 'a.mp4')).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: { detail: 'video size cannot exceed 500 MB' },
    })
    const channel = await contentOn(app.parts).channel(home)
    await app.database.owner.query("update channel set platform = 'tiktok' where id = $1", [channel])
    await announce(1_000_000_000, 'video/mp4', 'a.mp4')
    await expect(announce(1_000_000_001, 'video/mp4', 'a.mp4')).rejects.toMatchObject({
      problem: { detail: 'video size cannot exceed 1000 MB' },
    })
  })
})

describe('a document', () => {
  it('is identified by its bytes, with its page count', async () => {
    for (const [file, pages] of [
      [await makeDocument(7), 7],
      [packDocument(300), 300],
    ] as const) {
      const { assetId } = await send(file, 'application/pdf', 'plan.pdf')
      expect(await asset(assetId)).toMatchObject({
        state: 'ready',
        contentType: 'application/pdf',
        fileName: 'plan.pdf',
        pages,
        width: null,
        seconds: null,
      })
    }
  })

  it('with a damaged table has its pages counted', async () => {
    const file = await makeDocument(5)
    const path = join(app.dataDir, 'broken.pdf')
    writeFileSync(path, file.subarray(0, file.length - 60))
    expect(await inspectPdf(path)).toEqual({ kind: 'document', pages: 5 })
  })

  it('that is password-protected or empty is refused', async () => {
    expect(await send(packDocument(3, { encrypted: true }), 'application/pdf', 'plan.pdf')).toMatchObject({
      status: 422,
      problem: 'This document is password-protected. Save it without a password and attach it again.',
    })
    expect(await send(Buffer.from(`%PDF-1.7 ${'and so on '.repeat(20)}`), 'application/pdf', 'plan.pdf')).toMatchObject(
      { status: 422, problem: "This document is damaged and can't be read." },
    )
    // tables that point at each other, objects that contain themselves, brackets without end
    for (const nonsense of [
      `xref\n0 1\n0 0 f\ntrailer << /Root 1 0 R /Prev 9 >>`,
      `1 0 obj ${'['.repeat(5000)}`,
      `xref\n0 99999999\ntrailer`,
    ]) {
      const path = join(app.dataDir, 'nonsense.pdf')
      writeFileSync(path, `%PDF-1.7\n${nonsense}\nstartxref\n9\n%%EOF`)
      expect(await inspectPdf(path), nonsense.slice(0, 20)).toMatchObject({ kind: 'refused' })
    }
  })
})

describe('a range of a file', () => {
  it('is what the request names', () => {
    expect(rangeOf('bytes=0-9', 100)).toEqual({ start: 0, end: 10 })
    expect(rangeOf('bytes=90-', 100)).toEqual({ start: 90, end: 100 })
    expect(rangeOf('bytes=-5', 100)).toEqual({ start: 95, end: 100 })
    expect(rangeOf('bytes=-500', 100)).toEqual({ start: 0, end: 100 })
    expect(rangeOf('bytes=50-500', 100)).toEqual({ start: 50, end: 100 })
    expect(rangeOf('bytes=100-', 100)).toBe('beyond')
    for (const senseless of [undefined, 'bytes=', 'bytes=-', 'bytes=9-5', 'bytes=0-1,5-6', 'lines=1-2'])
      expect(rangeOf(senseless, 100), senseless).toBeUndefined()
  })

  it('is sent to a player that seeks, and the whole file otherwise', async () => {
    const film = await makeFilm()
    const { assetId } = await send(film, 'video/mp4', 'field.mp4')
    const whole = await read(assetId)
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': String(film.length) })
    const kept = whole.rawPayload
    const part = await read(assetId, { range: 'bytes=100-199' })
    expect(part.statusCode).toBe(206)
    expect(part.headers).toMatchObject({
      'content-range': `bytes 100-199/${film.length}`,
      'content-length': '100',
      'content-type': 'video/mp4',
    })
    expect(part.rawPayload.equals(kept.subarray(100, 200))).toBe(true)
    expect((await read(assetId, { range: `bytes=${film.length}-` })).statusCode).toBe(416)
    const tag = String(whole.headers['etag'])
    expect((await read(assetId, { range: 'bytes=0-0', 'if-range': tag })).statusCode).toBe(206)
    expect((await read(assetId, { range: 'bytes=0-0', 'if-range': '"another"' })).statusCode).toBe(200)
  })
})

describe('a URL for platforms', () => {
  it('serves the file without a cookie for 24 hours, whole, in ranges and for HEAD', async () => {
    const film = await makeFilm()
    const { assetId } = await send(film, 'video/mp4', 'field.mp4')
    const file = await open(assetId)
    const url = file?.url() ?? ''
    expect(url).toMatch(/^http:\/\/rookery\.test\/api\/media\/file\/[\w.-]+\/field\.mp4$/)
    const here = url.replace('http://rookery.test', address)
    const answer = await fetch(here)
    expect(Buffer.from(await answer.arrayBuffer()).equals((await read(assetId)).rawPayload)).toBe(true)
    expect(answer.headers.get('content-type')).toBe('video/mp4')
    const part = await fetch(here, { headers: { range: 'bytes=-10' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
    const head = await fetch(here, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(film.length)])
    app.clock.advance({ hours: 23 })
    expect((await fetch(here)).status).toBe(200)
    app.clock.advance({ hours: 1 })
    expect((await fetch(here)).status).toBe(404)
    app.clock.advance({ hours: -24 })
  })

  it('serves nothing else', async () => {
    const { assetId } = await send(await makeFilm(), 'video/mp4', 'field.mp4')
    const url = ((await open(assetId))?.url() ?? '').replace('http://rookery.test', address)
    const [, token = ''] = /file\/([^/]+)/.exec(url) ?? []
    for (const other of [
      url.replace('/file/', '/thumbnail/'),
      url.replace(token, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      `${address}/api/upload/${token}`,
    ])
      expect((await fetch(other)).status, other).toBe(404)
    const upload = await announce(10, 'image/png', 'a.png')
    expect((await fetch(`${address}/api/media/file/${upload.uploadUrl.split('/').at(-1)}/a.png`)).status).toBe(404)
  })

  it("doesn't exist without PUBLIC_URL", async () => {
    const { PUBLIC_URL: _, ...env } = app.parts.env
    expect(
      mediaLinks({ env, clock: app.clock })({ org_id: home.orgId, id: home.orgId, file_name: 'a.mp4' }, 'file'),
    ).toBeNull()
  })
})

describe("a video's thumbnail", () => {
  const choose = (assetId: string, picture: Buffer, seconds: number | null = null) =>
    app.call(
      setThumbnail,
      { params: { ...home.params, assetId }, body: { image: picture.toString('base64'), seconds } },
      { as: home.person },
    )

  it('is chosen, read, passed to platforms, replaced and removed', async () => {
    const { assetId } = await send(await makeFilm(), 'video/mp4', 'field.mp4')
    const chosen = await choose(assetId, await drawPicture({ width: 320, height: 180, type: 'png' }), 1.5)
    expect(chosen.thumbnailUrl).toMatch(new RegExp(`/asset/${assetId}/thumbnail\\?of=`))
    const shown = await read(assetId, {}, readThumbnail)
    expect(shown.headers['content-type']).toBe('image/jpeg')
    const file = await open(assetId)
    expect(file?.thumbnail).toMatchObject({
      contentType: 'image/jpeg',
      width: 320,
      height: 180,
      bytes: shown.rawPayload.length,
    })
    expect(file?.thumbnailSeconds).toBe(1.5)
    expect(Buffer.from((await file?.thumbnail?.read()) ?? []).equals(shown.rawPayload)).toBe(true)
    const here = (file?.thumbnail?.url() ?? '').replace('http://rookery.test', address)
    expect((await fetch(here)).headers.get('content-type')).toBe('image/jpeg')
    const again = await choose(assetId, await drawPicture({ width: 100, height: 100 }))
    expect(again.thumbnailUrl).not.toBe(chosen.thumbnailUrl)
    expect((await open(assetId))?.thumbnailSeconds).toBeUndefined()
    const off = await app.call(removeThumbnail, { params: { ...home.params, assetId } }, { as: home.person })
    expect(off.thumbnailUrl).toBeNull()
    expect((await read(assetId, {}, readThumbnail)).statusCode).toBe(404)
    // the bytes of replaced images are gone
    expect(await app.kept.ofOrganization(home.orgId)).toEqual([assetId])
  })

  it('is an image, and belongs to a video', async () => {
    const { assetId } = await send(await makeFilm(), 'video/mp4', 'field.mp4')
    await expect(choose(assetId, Buffer.from('no picture'))).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
    const picture = await contentOn(app.parts).picture(home)
    await expect(choose(picture, await drawPicture({ width: 10, height: 10 }))).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: { detail: 'Only videos have thumbnails.' },
    })
  })

  it('is deleted with the video', async () => {
    const { assetId } = await send(await makeFilm(), 'video/mp4', 'field.mp4')
    await choose(assetId, await drawPicture({ width: 10, height: 10 }))
    await app.database.owner.query('update asset set deleted_at = $2 where id = $1', [
      assetId,
      new Date(app.clock.now().getTime() - 25 * 3_600_000),
    ])
    expect(await sweepDeleted(app.parts.uploads)).toBe(1)
    expect(await app.kept.ofOrganization(home.orgId)).toEqual([])
  })
})

describe('editing an image', () => {
  const redraw = (
    assetId: string,
    body: {
      rotate?: 0 | 90 | 180 | 270
      crop?: { x: number; y: number; width: number; height: number }
      type?: 'image/jpeg' | 'image/png' | 'image/webp'
      bytes?: number
    },
  ) => app.call(redrawAsset, { params: { ...home.params, assetId }, body }, { as: home.person })

  /** Left half red, right half blue. */
  async function flag(): Promise<string> {
    const { default: sharp } = await import('sharp')
    const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#ff0000' } })
      .composite([
        { input: { create: { width: 20, height: 20, channels: 3, background: '#0000ff' } }, left: 20, top: 0 },
      ])
      .png()
      .toBuffer()
    return (await send(bytes, 'image/png', 'flag.png')).assetId
  }
  async function colorOf(assetId: string): Promise<number[]> {
    const { default: sharp } = await import('sharp')
    const { dominant } = await sharp((await read(assetId)).rawPayload).stats()
    return [dominant.r, dominant.g, dominant.b]
  }

  it('rotates first and then crops, into a new file', async () => {
    const original = await flag()
    // rotated clockwise, the left half is on top
    const top = await redraw(original, { rotate: 90, crop: { x: 0, y: 0, width: 20, height: 20 } })
    expect(top).toMatchObject({ width: 20, height: 20, contentType: 'image/png', fileName: 'flag.png' })
    expect(top.assetId).not.toBe(original)
    const [red = 0, , blue = 0] = await colorOf(top.assetId)
    expect(red).toBeGreaterThan(200)
    expect(blue).toBeLessThan(60)
    expect(await asset(original)).toMatchObject({ width: 40, height: 20 })
    const { rows } = await app.database.owner.query('select derived_from from asset where id = $1', [top.assetId])
    expect(rows).toEqual([{ derived_from: original }])
  })

  it('converts and shrinks', async () => {
    const noisy = (
      await send(await drawPicture({ width: 600, height: 400, type: 'png', noise: true }), 'image/png', 'noise.png')
    ).assetId
    expect(await redraw(noisy, { type: 'image/webp' })).toMatchObject({
      contentType: 'image/webp',
      fileName: 'noise.webp',
      width: 600,
    })
    const small = await redraw(noisy, { type: 'image/jpeg', bytes: 30_000 })
    expect(small.bytes).toBeLessThanOrEqual(30_000)
    expect(small.contentType).toBe('image/jpeg')
  })

  it('only crops within images', async () => {
    const original = await flag()
    await expect(redraw(original, { crop: { x: 30, y: 0, width: 20, height: 20 } })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { crop: ['This selection is outside the image.'] } },
    })
    const { assetId } = await send(await makeFilm(), 'video/mp4', 'field.mp4')
    await expect(redraw(assetId, { rotate: 90 })).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
  })
})
