import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { importAsset } from '#contract/library.ts'
import { getAsset, IMPORTS, readAsset } from '#contract/media.ts'
import { asSystem } from '../db/system.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { drawPicture } from '../testing/content.ts'
import { makeDocument, makeFilm } from '../testing/film.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { forgetImports } from './limits.ts'

/* Files imported from a real server through the real safe fetch. */

let app: TestApp
let home: TestHome
let origin: string
let answer: RequestListener = (_, response) => void response.end()
const server = createServer((request, response) => answer(request, response))

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // a listening TCP server has an address with a port
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  app = await startApp({ fetch: createSafeFetch({ allow: [`127.0.0.1:${port}`] }) })
  home = await app.signedInOwner()
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await app.close()
})
afterEach(() => {
  // no partial file stays
  expect(app.kept.scratch().filter((name) => name.startsWith('import-'))).toEqual([])
})

const take = (path: string) =>
  app.call(importAsset, { params: home.params, body: { url: origin + path } }, { as: home.person })
const asset = (assetId: string) => app.call(getAsset, { params: { ...home.params, assetId } }, { as: home.person })
const bytesOf = async (assetId: string) =>
  (await app.send(readAsset, { params: { ...home.params, assetId } }, { as: home.person })).rawPayload

describe('an imported file', () => {
  it('may be a video of more than twenty megabytes, from the socket to the disk', async () => {
    const film = await makeFilm({ padding: 6_000_000 })
    expect(film.length).toBeGreaterThan(20_000_000)
    answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(film)
    const { assetId } = await take('/films/roast.mp4?size=large')
    expect(await asset(assetId)).toMatchObject({
      state: 'ready',
      contentType: 'video/mp4',
      fileName: 'roast.mp4',
      bytes: film.length,
      seconds: 4,
      width: 640,
    })
    expect((await bytesOf(assetId)).length).toBe(film.length)
  })

  it('may be a document, after a redirect', async () => {
    const document = await makeDocument(3)
    answer = (request, response) =>
      void (request.url === '/old'
        ? response.writeHead(302, { location: '/plan.pdf' }).end('moved')
        : response.end(document))
    const { assetId } = await take('/old')
    expect(await asset(assetId)).toMatchObject({
      contentType: 'application/pdf',
      fileName: 'plan.pdf',
      pages: 3,
      bytes: document.length,
    })
  })

  it('that is a large image stays as it is', async () => {
    const picture = await drawPicture({ width: 1700, height: 1300, type: 'png', noise: true })
    expect(picture.length).toBeGreaterThan(5_000_000)
    answer = (_, response) => void response.end(picture)
    const { assetId } = await take('/noise.png')
    expect((await asset(assetId)).bytes).toBe(picture.length)
  })

  it.each([
    ['a page', '<!doctype html><title>Sign in</title>'],
    ['a page after blanks and a comment', '\ufeff\n <!-- cache --> <html lang="en">'],
    ['a page of another kind', '<?xml version="1.0"?><HTML xmlns="http://www.w3.org/1999/xhtml">'],
  ])("isn't %s, and the reason says so", async (_what, page) => {
    for (const type of ['text/html', 'image/jpeg', 'application/octet-stream']) {
      answer = (_, response) => void response.writeHead(200, { 'content-type': type }).end(page)
      await expect(take('/photo.jpg')).rejects.toMatchObject({
        code: 'MEDIA_REFUSED',
        message: expect.stringContaining('This link leads to a web page'),
      })
    }
  })

  it("isn't accepted while the disk has no space", async () => {
    const { hasRoom } = app.parts.uploads
    app.parts.uploads.hasRoom = async () => false
    try {
      answer = (_, response) => void response.end('anything')
      await expect(take('/field.jpg')).rejects.toMatchObject({
        code: 'UPLOAD_FAILED',
        problem: { detail: 'This server is out of disk space. Contact your Rookery administrator.' },
      })
    } finally {
      app.parts.uploads.hasRoom = hasRoom
    }
  })

  it('that breaks off, or never ends, leaves nothing', async () => {
    const film = await makeFilm({ padding: 100_000 })
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': film.length })
      response.write(film.subarray(0, 100_000), () => response.destroy())
    }
    await expect(take('/broken.mp4')).rejects.toMatchObject({
      code: 'ADDRESS_UNREADABLE',
      problem: { detail: "We couldn't get a file from this link." },
    })
    answer = (_, response) => void response.writeHead(200, { 'content-length': 600_000_000 }).write('x')
    await expect(take('/endless.mp4')).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: { detail: 'The file at this link is larger than 500 MB.' },
    })
  })

  it("isn't called unreadable if our own disk is full", async () => {
    const file = await open(import.meta.filename)
    await file.close()
    // every opened file has this prototype
    vi.spyOn(Object.getPrototypeOf(file) as typeof file, 'writeFile').mockRejectedValueOnce(
      Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
    )
    answer = (_, response) => void response.end(Buffer.alloc(200_000))
    await expect(take('/fine.mp4')).rejects.toMatchObject({
      code: 'UPLOAD_FAILED',
      problem: { detail: 'Error uploading file' },
    })
  })
})

describe("one organization's imports", () => {
  const noted = async (orgId: string) =>
    (
      await app.database.owner.query<{ bytes: number; over: boolean }>(
        'select bytes::int as bytes, ended_at is not null as over from asset_import where org_id = $1',
        [orgId],
      )
    ).rows
  const takeFor = (one: TestHome) =>
    app.call(importAsset, { params: one.params, body: { url: `${origin}/a.bin` } }, { as: one.person })

  it('have a daily limit, whatever became of them, per organization', async () => {
    const own = await app.signedInOwner()
    answer = (_, response) => void response.end('neither a picture nor a film')
    await expect(takeFor(own)).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
    expect(await noted(own.orgId)).toEqual([{ bytes: 28, over: true }])
    await app.database.owner.query('update asset_import set bytes = $2 where org_id = $1', [
      own.orgId,
      IMPORTS.bytesADay,
    ])
    const words =
      'At most 2,000 files and 20 GB can be imported from links per day. Upload the file instead, or try again tomorrow.'
    await expect(takeFor(own)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', problem: { detail: words } })
    await expect(takeFor(home)).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
    await app.database.owner.query('update asset_import set bytes = 0 where org_id = $1', [own.orgId])
    await app.database.owner.query(
      'insert into asset_import (org_id, id, project_id, began_at, ended_at) select $1, gen_random_uuid(), $2, $3, $3 from generate_series(2, $4::int)',
      [own.orgId, own.projectId, app.clock.now(), IMPORTS.filesADay],
    )
    await expect(takeFor(own)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', problem: { detail: words } })
    const before = app.clock.now()
    app.clock.advance({ hours: 25 })
    try {
      await expect(takeFor(own)).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
      await asSystem(app.database.databases.system, (tx) => forgetImports(tx, app.clock.now()))
      expect(await noted(own.orgId)).toHaveLength(1)
    } finally {
      app.clock.advance({ ms: before.getTime() - app.clock.now().getTime() })
    }
  })

  it('run a few at a time, and a canceled one leaves nothing and frees its slot', async () => {
    const own = await app.signedInOwner()
    let open = 0
    answer = (_, response) => {
      open += 1
      response.on('close', () => (open -= 1))
      response.writeHead(200).write('beginning')
    }
    const address = await app.listen()
    const stops = Array.from({ length: IMPORTS.atOnce }, () => new AbortController())
    const path = `/api/${own.orgId}/project/${own.projectId}/asset/import`
    const cookie = [...own.person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const ask = (signal: AbortSignal) =>
      fetch(address + path, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ url: `${origin}/slow` }),
        signal,
      }).catch(() => 'stopped')
    const asked = stops.map(({ signal }) => ask(signal))
    await until(() => open === IMPORTS.atOnce)
    await expect(takeFor(own)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      problem: { detail: '5 files are already being imported. Wait until one is done.' },
    })
    for (const stop of stops) stop.abort()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['stopped']))
    await until(async () => open === 0 && (await noted(own.orgId)).every(({ over }) => over))
    expect((await app.database.owner.query('select from asset where org_id = $1', [own.orgId])).rows).toEqual([])
    answer = (_, response) => void response.end('neither a picture nor a film')
    await expect(takeFor(own)).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
  })
})

describe('a streamed response', () => {
  const fetchInto = async (into: (chunk: Uint8Array) => Promise<void>, maxBytes = 10_000_000) =>
    await app.parts.fetch(`${origin}/x`, { timeoutMs: 20_000, maxBytes, into })

  it("arrives in order, as fast as it's consumed, and completely before the call returns", async () => {
    const sent = Buffer.alloc(3_000_000, 'abcdefg')
    answer = (_, response) => void response.end(sent)
    const taken: Uint8Array[] = []
    let busy = 0
    const got = await fetchInto(async (chunk) => {
      expect(++busy).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      taken.push(Buffer.from(chunk))
      busy -= 1
    })
    expect(got).toMatchObject({ kind: 'answer', status: 200 })
    expect(got.kind === 'answer' && got.body.length).toBe(0)
    expect(Buffer.concat(taken).equals(sent)).toBe(true)
  })

  it('ends with its consumer, and at the limit', async () => {
    answer = (_, response) => void response.end(Buffer.alloc(3_000_000))
    expect(await fetchInto(() => Promise.reject(new Error('the disk is full')))).toMatchObject({
      kind: 'lost',
      why: 'aborted',
      detail: 'the disk is full',
    })
    let taken = 0
    answer = (_, response) => {
      // no length is announced
      response.write(Buffer.alloc(2_000_000))
      response.end(Buffer.alloc(2_000_000))
    }
    const counted = async (chunk: Uint8Array) => {
      taken += chunk.length
    }
    expect(await fetchInto(counted, 1_000_000)).toMatchObject({ kind: 'lost', why: 'too-large' })
    expect(taken).toBeLessThanOrEqual(1_000_000)
  })

  it("doesn't keep the process busy while no bytes arrive", async () => {
    // a sink without any wait of its own, and the bytes it asks for next haven't arrived yet
    answer = (_, response) => {
      response.write(Buffer.alloc(100_000))
      setImmediate(() => response.end(Buffer.alloc(100_000)))
    }
    const pieces: number[] = []
    const got = await fetchInto(async (chunk) => void pieces.push(chunk.length))
    expect(got.kind).toBe('answer')
    expect(pieces).not.toContain(0)
    expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBe(200_000)
  })

  it('that is compressed arrives as the body, and only as much as can be held', async () => {
    answer = (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('some words'))
    let taken = 0
    const into = async () => void (taken += 1)
    const got = await fetchInto(into)
    expect(got.kind === 'answer' && Buffer.from(got.body).toString()).toBe('some words')
    answer = (_, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(21_000_000)))
    expect(await fetchInto(into, 500_000_000)).toMatchObject({ kind: 'lost', why: 'too-large' })
    expect(taken).toBe(0)
  })

  it('only comes from a 200', async () => {
    answer = (_, response) => void response.writeHead(404).end('nothing here')
    let taken = 0
    const got = await fetchInto(async () => void (taken += 1))
    expect(got.kind === 'answer' && Buffer.from(got.body).toString()).toBe('nothing here')
    expect(taken).toBe(0)
  })
})
