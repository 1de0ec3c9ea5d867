import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { connect as openSocket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { Problem } from '#contract/errors.ts'
import { createUpload, getAsset, readAsset } from '#contract/media.ts'
import type { Permissions } from '#contract/permissions.ts'
import { NewRole } from '#contract/roles.ts'
import { drawPicture } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { inObjectStore } from '../testing/keptFiles.ts'
import { until } from '../testing/until.ts'
import { sweepUploads } from './sweep.ts'

let app: TestApp
let home: TestHome
let address: string
let picture: Buffer

beforeAll(async () => {
  app = await startApp()
  address = await app.listen()
  picture = await drawPicture({ width: 300, height: 200, noise: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

type Announced = { assetId: string; uploadUrl: string }
const announce = (bytes: number, more: { fileName?: string; contentType?: string } = {}, as = home.person) =>
  app.call(
    createUpload,
    { params: home.params, body: { fileName: 'field.jpg', contentType: 'image/jpeg', bytes, ...more } },
    { as },
  )
const tus = { 'tus-resumable': '1.0.0' }
const patch = (url: string, bytes: Uint8Array, offset = 0, headers: Record<string, string> = {}) =>
  fetch(address + url, {
    method: 'PATCH',
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...headers },
    body: new Uint8Array(bytes),
  })
const offsetOf = async (url: string) => {
  const answer = await fetch(address + url, { method: 'HEAD', headers: tus })
  return answer.ok ? Number(answer.headers.get('upload-offset')) : answer.status
}
const asset = (assetId: string) => app.call(getAsset, { params: { ...home.params, assetId } }, { as: home.person })
const file = (assetId: string, as = home.person) => app.send(readAsset, { params: { ...home.params, assetId } }, { as })
/** What an unfinished upload has stored. */
const lying = ({ assetId }: { assetId: string }) => app.kept.ofUpload(assetId)
const pathOf = ({ assetId }: Announced) => join(app.dataDir, 'media', 'uploads', assetId)
const rows = async (id: string) => (await app.database.owner.query('select state from asset where id = $1', [id])).rows

describe('an upload', () => {
  it('becomes a file of the project after its last byte', async () => {
    const upload = await announce(picture.length)
    expect(upload.uploadUrl).toMatch(/^\/api\/upload\/[\w.-]+$/)
    expect(await asset(upload.assetId)).toMatchObject({ state: 'uploading' })
    const answer = await patch(upload.uploadUrl, picture)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('upload-offset')).toBe(String(picture.length))
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(await lying(upload)).toEqual([])
    expect(await asset(upload.assetId)).toEqual({
      assetId: upload.assetId,
      state: 'ready',
      fileName: 'field.jpg',
      displayName: 'field.jpg',
      contentType: 'image/jpeg',
      bytes: picture.length,
      width: 300,
      height: 200,
      altText: '',
      problem: null,
      seconds: null,
      pages: null,
      thumbnailUrl: null,
      previewUrl: expect.stringMatching(/\/preview$/),
      originalId: null,
      videoCodec: null,
      audioCodec: null,
      frameRate: null,
      bitDepth: 8,
      chroma: '4:2:0',
      frames: null,
      colorSpace: 'srgb',
      url: `/api/${home.orgId}/project/${home.projectId}/asset/${upload.assetId}/file`,
    })
    const events = await app.database.owner.query("select ref from event where org_id = $1 and kind = 'asset'", [
      home.orgId,
    ])
    expect(events.rows).toEqual([{ ref: upload.assetId }])
  })

  it("is for everyone who writes posts or answers people, and is seen in a role's posts or inbox", async () => {
    const team = teamOn(app)
    const holder = (permissions: z.input<typeof Permissions>) =>
      team.holder(home, NewRole.parse({ name: 'Any', permissions }).permissions)
    const refused = { code: 'FORBIDDEN' }
    const answers = await holder({ inbox: ['view'], comment: ['view', 'create'] })
    const writes = await holder({ dm: ['create'] })
    const looks = await holder({ inbox: ['view'], comment: ['view', 'edit'], dm: ['view', 'delete'] })
    const counts = await holder({ insights: ['view'] })
    for (const as of [answers, writes]) {
      const upload = await announce(picture.length, {}, as)
      expect((await patch(upload.uploadUrl, picture)).status).toBe(204)
      for (const reader of [as, looks, home.person]) {
        const answer = await file(upload.assetId, reader)
        expect([answer.statusCode, answer.rawPayload.equals(picture)]).toEqual([200, true])
      }
      expect((await file(upload.assetId, counts)).statusCode).toBe(403)
    }
    for (const as of [looks, counts]) await expect(announce(picture.length, {}, as)).rejects.toMatchObject(refused)
    const { rows: made } = await app.database.owner.query('select count(*)::int as n from asset where org_id = $1', [
      home.orgId,
    ])
    expect(made).toEqual([{ n: 2 }])
  })

  it('continues where its connection broke', async () => {
    const upload = await announce(picture.length)
    const half = Math.floor(picture.length / 2)
    const { hostname, port } = new URL(address)
    const socket = openSocket(Number(port), hostname)
    socket.write(
      `PATCH ${upload.uploadUrl} HTTP/1.1\r\nhost: x\r\ntus-resumable: 1.0.0\r\ncontent-type: application/offset+octet-stream\r\nupload-offset: 0\r\ncontent-length: ${picture.length}\r\n\r\n`,
    )
    socket.write(picture.subarray(0, half))
    await until(() => app.kept.arrived(upload.assetId) === half)
    socket.destroy()
    const offset = await until(async () => (await offsetOf(upload.uploadUrl)) === half && half)
    expect(await asset(upload.assetId)).toMatchObject({ state: 'uploading' })
    expect((await patch(upload.uploadUrl, picture.subarray(offset), offset)).status).toBe(204)
    expect(await asset(upload.assetId)).toMatchObject({ state: 'ready' })
    expect((await file(upload.assetId)).rawPayload.equals(picture)).toBe(true)
  })

  it('accepts its pieces in order only', async () => {
    const upload = await announce(picture.length)
    expect((await patch(upload.uploadUrl, picture.subarray(0, 100))).status).toBe(204)
    expect((await patch(upload.uploadUrl, picture.subarray(200), 200)).status).toBe(409)
    expect(await offsetOf(upload.uploadUrl)).toBe(100)
  })

  it('that was complete when the process ended becomes a file when its client asks again', async () => {
    const upload = await announce(picture.length)
    // the last byte arrived, and nothing after it happened
    const bare = await patch(upload.uploadUrl, picture.subarray(0, 10))
    expect(bare.status).toBe(204)
    await app.kept.addBytes(upload.assetId, picture.subarray(10), 10)
    expect(await asset(upload.assetId)).toMatchObject({ state: 'uploading' })
    expect(await offsetOf(upload.uploadUrl)).toBe(picture.length)
    expect(await asset(upload.assetId)).toMatchObject({ state: 'ready', width: 300 })
    expect(await lying(upload)).toEqual([])
  })

  it('whose last response was lost is reported as complete', async () => {
    const upload = await announce(picture.length)
    await patch(upload.uploadUrl, picture)
    expect(await offsetOf(upload.uploadUrl)).toBe(picture.length)
  })

  it('accepts no more bytes than were announced', async () => {
    const upload = await announce(100)
    expect((await patch(upload.uploadUrl, picture)).status).toBe(413)
    expect(await rows(upload.assetId)).toEqual([{ state: 'uploading' }])
  })

  it('can be canceled', async () => {
    const upload = await announce(picture.length)
    await patch(upload.uploadUrl, picture.subarray(0, 10))
    expect((await fetch(address + upload.uploadUrl, { method: 'DELETE', headers: tus })).status).toBe(204)
    expect(await lying(upload)).toEqual([])
    expect(await rows(upload.assetId)).toEqual([])
  })
})

describe("a file's type", () => {
  const send = async (bytes: Buffer, more: { fileName?: string; contentType?: string } = {}) => {
    const upload = await announce(bytes.length, more)
    return { ...upload, answer: await patch(upload.uploadUrl, bytes) }
  }

  it('is detected from its bytes, not its name', async () => {
    const png = await drawPicture({ width: 20, height: 10, type: 'png' })
    const { assetId } = await send(png, { fileName: 'holiday.jpg', contentType: 'image/jpeg' })
    expect(await asset(assetId)).toMatchObject({ state: 'ready', contentType: 'image/png', fileName: 'holiday.png' })
  })

  it("determines its name if its own isn't usable", async () => {
    const { assetId } = await send(picture, { fileName: 'Größe ../../etc "x"\r\n.jpg' })
    expect(await asset(assetId)).toMatchObject({ fileName: 'image.jpg', displayName: 'etc "x" .jpg' })
  })

  it("is refused with the reason if it isn't supported, and its bytes are deleted", async () => {
    for (const bytes of [
      Buffer.from('<script>alert(1)</script>'.repeat(5)),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      Buffer.from('PK and so on'),
    ]) {
      const { assetId, answer } = await send(bytes)
      expect(answer.status).toBe(422)
      expect(Problem.parse(await answer.json())).toMatchObject({
        code: 'MEDIA_REFUSED',
        detail: 'unsupported image type. Supported: jpeg, png, gif, webp, avif, tiff',
      })
      expect(await asset(assetId)).toMatchObject({
        state: 'refused',
        problem: 'unsupported image type. Supported: jpeg, png, gif, webp, avif, tiff',
      })
      expect((await file(assetId)).statusCode).toBe(404)
      expect(await lying({ assetId })).toEqual([])
    }
  })

  it('is refused if the file is truncated', async () => {
    const { answer, assetId } = await send(picture.subarray(0, picture.length - 2000))
    expect(answer.status).toBe(422)
    expect(await asset(assetId)).toMatchObject({
      state: 'refused',
      problem: "This image is damaged and can't be read.",
    })
    const { rows } = await app.database.owner.query('select problem from asset where id = $1', [assetId])
    expect(rows).toEqual([{ problem: { code: 'damaged', kind: 'image' } }])
  })

  it('allows removing where and when it was taken, and no pixel', async () => {
    const { default: sharp } = await import('sharp')
    for (const type of ['jpeg', 'png'] as const) {
      const telling = await sharp(picture)
        .withExif({ IFD0: { Artist: 'Ada', Copyright: 'at home' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
        .withIccProfile('p3')
        .toFormat(type, { progressive: true })
        .toBuffer()
      expect(telling.toString('latin1')).toContain('at home')
      const sent = Buffer.concat([telling, Buffer.from('and a secret film behind its end')])
      const { assetId, answer } = await send(sent)
      expect(answer.status).toBe(204)
      const kept = (await file(assetId)).rawPayload
      expect(kept.toString('latin1')).not.toMatch(/at home|secret film/)
      expect(await asset(assetId)).toMatchObject({ bytes: kept.length, width: 300, height: 200 })
      expect((await sharp(kept).metadata()).icc).toBeDefined()
      expect((await sharp(kept).raw().toBuffer()).equals(await sharp(telling).raw().toBuffer())).toBe(true)
    }
  })

  it('allows rotating it as its camera says', async () => {
    const { default: sharp } = await import('sharp')
    const turned = await sharp(await drawPicture({ width: 30, height: 20 }))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { assetId } = await send(turned)
    expect(await asset(assetId)).toMatchObject({ width: 20, height: 30 })
    const { width, height, orientation } = await sharp((await file(assetId)).rawPayload).metadata()
    expect({ width, height, orientation }).toEqual({ width: 20, height: 30, orientation: undefined })
  })
})

describe('an announcement', () => {
  it("is refused for types that can't be attached, and for sizes beyond every platform's", async () => {
    await expect(announce(10, { contentType: 'text/html', fileName: 'a.html' })).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: { detail: 'unsupported image type. Supported: jpeg, png, gif, webp, avif, tiff' },
    })
    await expect(announce(50_000_001)).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: {
        detail: 'image size cannot exceed 50 MB',
        meta: { problem: { code: 'too-large', kind: 'image', bytes: 50_000_000 } },
      },
    })
    await expect(announce(0)).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('requires permission to create posts', async () => {
    await announce(10, {}, await app.colleague(home, 'user'))
    await expect(announce(10, {}, await app.colleague(home, 'none'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(announce(10, {}, (await app.signedInOwner()).person)).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
  })

  it('says so if the disk is full, and leaves nothing', async () => {
    vi.spyOn(app.parts.uploads.staging.files, 'create').mockRejectedValueOnce(
      Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
    )
    await expect(announce(10)).rejects.toMatchObject({
      code: 'UPLOAD_FAILED',
      status: 507,
      problem: { detail: 'Error uploading file' },
    })
    expect((await app.database.owner.query('select 1 from asset where org_id = $1', [home.orgId])).rows).toEqual([])
  })
})

it.skipIf(inObjectStore || !existsSync('/dev/full'))(
  'a disk that is full says so and leaves nothing half-stored',
  async () => {
    const upload = await announce(picture.length)
    rmSync(pathOf(upload))
    // every write to it fails with ENOSPC
    symlinkSync('/dev/full', pathOf(upload))
    const answer = await patch(upload.uploadUrl, picture)
    expect(answer.status).toBe(507)
    expect(Problem.parse(await answer.json())).toMatchObject({ code: 'UPLOAD_FAILED', detail: 'Error uploading file' })
    expect(await rows(upload.assetId)).toEqual([])
    expect(await lying(upload)).toEqual([])
  },
)

describe('an upload that breaks after its last byte', () => {
  it("is removed on an unexpected error, so that it doesn't count as unfinished", async () => {
    const upload = await announce(picture.length)
    vi.spyOn(app.parts.media, 'take').mockRejectedValueOnce(new TypeError('nobody thought of this'))
    const answer = await patch(upload.uploadUrl, picture)
    expect(answer.status).toBe(507)
    expect(Problem.parse(await answer.json())).toMatchObject({ code: 'UPLOAD_FAILED' })
    expect(await rows(upload.assetId)).toEqual([])
    expect(await lying(upload)).toEqual([])
  })

  it('is also removed if the error occurs while its client asks again', async () => {
    const upload = await announce(picture.length)
    await app.kept.addBytes(upload.assetId, picture)
    vi.spyOn(app.parts.media, 'take').mockRejectedValueOnce(
      Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'rename' }),
    )
    expect(await offsetOf(upload.uploadUrl)).toBe(507)
    expect(await rows(upload.assetId)).toEqual([])
    expect(await lying(upload)).toEqual([])
  })

  it('stays while the database is unavailable, and is finished when its client asks again', async () => {
    const upload = await announce(picture.length)
    vi.spyOn(app.parts.media, 'take').mockRejectedValueOnce(
      Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }),
    )
    expect((await patch(upload.uploadUrl, picture)).status).toBe(503)
    expect(await rows(upload.assetId)).toEqual([{ state: 'uploading' }])
    expect(await offsetOf(upload.uploadUrl)).toBe(picture.length)
    expect(await asset(upload.assetId)).toMatchObject({ state: 'ready' })
  })
})

describe('an upload URL', () => {
  it('is valid for a day, for its own file, and not with a changed byte', async () => {
    const upload = await announce(picture.length)
    const changed = upload.uploadUrl.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const guessed = `/api/upload/${Buffer.alloc(38).toString('base64url')}.${Buffer.alloc(24).toString('base64url')}`
    for (const url of [changed, guessed, '/api/upload/x', '/api/upload/..%2f..%2fsecret'])
      expect((await patch(url, picture)).status, url).toBe(404)
    app.clock.advance({ hours: 25 })
    expect((await patch(upload.uploadUrl, picture)).status).toBe(404)
    app.clock.advance({ hours: -25 })
  })

  it('refuses another site', async () => {
    const upload = await announce(picture.length)
    expect((await patch(upload.uploadUrl, picture, 0, { origin: 'https://evil.example' })).status).toBe(403)
  })
})

describe("a file's bytes", () => {
  it('are sent with type, name, nosniff and sandboxing, and can be cached', async () => {
    const upload = await announce(picture.length)
    await patch(upload.uploadUrl, picture)
    const answer = await file(upload.assetId)
    expect(answer.rawPayload.equals(picture)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(picture.length),
      'content-disposition': 'inline; filename="field.jpg"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  it('are for the project only', async () => {
    const upload = await announce(picture.length)
    await patch(upload.uploadUrl, picture)
    const stranger = await app.signedInOwner()
    expect((await file(upload.assetId, stranger.person)).json()).toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    const theirs = await app.send(
      readAsset,
      { params: { ...stranger.params, assetId: upload.assetId } },
      { as: stranger.person },
    )
    expect(theirs.json()).toMatchObject({ code: 'NOT_FOUND' })
    const sibling = await app.project(home.orgId, home.person)
    expect(
      (
        await app.send(
          readAsset,
          { params: { orgId: home.orgId, projectId: sibling.projectId, assetId: upload.assetId } },
          { as: home.person },
        )
      ).statusCode,
    ).toBe(404)
    expect((await file(randomUUID())).statusCode).toBe(404)
    expect((await file(upload.assetId, await app.colleague(home, 'none'))).statusCode).toBe(200)
  })
})

it('inspects a complete file once, however often its URL is requested', async () => {
  const upload = await announce(picture.length)
  // as after the process stopped before the last response: all of it is here, and nothing was done with it yet
  await app.kept.addBytes(upload.assetId, picture)
  const asked = await Promise.all(
    Array.from(
      { length: 12 },
      async () => (await fetch(address + upload.uploadUrl, { method: 'HEAD', headers: tus })).status,
    ),
  )
  expect(new Set(asked)).toEqual(new Set([200]))
  expect(await asset(upload.assetId)).toMatchObject({ state: 'ready' })
})

// an object store dates objects by its own clock: objectStaging.test.ts
it.skipIf(inObjectStore)('deletes unfinished uploads after a day', async () => {
  const [old, young] = [await announce(picture.length), await announce(picture.length)]
  await patch(old.uploadUrl, picture.subarray(0, 10))
  const dayAgo = new Date(app.clock.now().getTime() - 25 * 3_600_000)
  await app.database.owner.query('update asset set created_at = $2 where id = $1', [old.assetId, dayAgo])
  for (const name of await lying(old)) utimesSync(join(app.dataDir, 'media', 'uploads', name), dayAgo, dayAgo)
  for (const name of await lying(young))
    utimesSync(join(app.dataDir, 'media', 'uploads', name), app.clock.now(), app.clock.now())
  expect(await sweepUploads(app.parts.uploads)).toBe(1)
  expect(await rows(old.assetId)).toEqual([])
  expect(await rows(young.assetId)).toEqual([{ state: 'uploading' }])
  expect(await lying(old)).toEqual([])
  expect(await lying(young)).not.toEqual([])
})
