import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { drawPicture } from '../testing/content.ts'
import { fetchAccountPicture } from './accountPicture.ts'

/* Pictures from a real server that can misbehave, through the real safe fetch. */

let answer: RequestListener = (_, response) => void response.end()
const server = createServer((request, response) => answer(request, response))
/** A server in the private network: nothing here may contact it. */
const inside = createServer((_, response) => void response.end())
let asked = 0
let origin: string
let secret: string
let fetch: ReturnType<typeof createSafeFetch>

const portOf = async (one: typeof server): Promise<number> => {
  one.listen(0, '127.0.0.1')
  await once(one, 'listening')
  // a listening TCP server has an address with a port
  return (one.address() as AddressInfo).port
}
beforeAll(async () => {
  origin = `http://127.0.0.1:${await portOf(server)}`
  secret = `http://127.0.0.1:${await portOf(inside)}`
  inside.on('connection', () => (asked += 1))
  fetch = createSafeFetch({ allow: [new URL(origin).host] })
})
afterAll(() => {
  for (const one of [server, inside]) {
    one.close()
    one.closeAllConnections()
  }
})

const draw = (signal?: AbortSignal) =>
  fetchAccountPicture(fetch, `${origin}/avatar.png`, 'an organization', signal ? { signal } : {})
const serve =
  (bytes: Uint8Array | string, headers: Record<string, string> = { 'content-type': 'image/png' }): RequestListener =>
  (_, response) =>
    void response.writeHead(200, headers).end(bytes)

/** A PNG whose header announces this many pixels, all of them there once it's decompressed. */
function bomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('a picture of an account', () => {
  it('becomes a small square WebP, whatever it was, without its metadata', async () => {
    const photo = await sharp(await drawPicture({ width: 400, height: 300, type: 'jpeg' }))
      .withExif({ IFD0: { Copyright: 'Someone' } })
      .toBuffer()
    answer = serve(photo, { 'content-type': 'text/plain' })
    const drawn = await sharp(await draw()).metadata()
    expect(drawn).toMatchObject({ format: 'webp', width: 128, height: 128 })
    expect(drawn.exif).toBeUndefined()
  })

  it('that is animated shows its first frame', async () => {
    const [red, blue] = await Promise.all(
      ['#f00', '#00f'].map((background) =>
        sharp({ create: { width: 32, height: 32, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const gif = await sharp([red ?? '', blue ?? ''], { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(gif).metadata()).pages).toBe(2)
    answer = serve(gif)
    const { dominant } = await sharp(await draw()).stats()
    expect(dominant.r).toBeGreaterThan(200)
    expect(dominant.b).toBeLessThan(60)
  })

  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a drawing with scripts in it', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['half a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['nothing', ''],
  ])('that is %s is none, whatever its server calls it', async (_, body) => {
    answer = serve(body)
    expect(await draw()).toBeUndefined()
  })

  it("of more than 3 MB is abandoned while it's downloaded", async () => {
    let left = false
    answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      request.socket.on('close', () => (left = true))
      const more = (): void => void (left || response.write(Buffer.alloc(65_536), () => setImmediate(more)))
      more()
    }
    expect(await draw()).toBeUndefined()
  })

  it("that decompresses to millions of pixels, or to megabytes over HTTP, isn't decompressed", async () => {
    const packed = bomb(20_000)
    expect(packed.length).toBeLessThan(100_000)
    answer = serve(packed)
    expect(await draw()).toBeUndefined()
    answer = serve(gzipSync(Buffer.alloc(50_000_000)), { 'content-type': 'image/png', 'content-encoding': 'gzip' })
    expect(await draw()).toBeUndefined()
  })

  it('is waited for a few seconds, and no longer than its caller waits', async () => {
    const limits: number[] = []
    const gone = new AbortController()
    answer = () => gone.abort()
    const slow = await fetchAccountPicture(
      (url, request) => (limits.push(request.timeoutMs), fetch(url, request)),
      `${origin}/slow.png`,
      'an organization',
      { signal: gone.signal },
    )
    expect(slow).toBeUndefined()
    expect(limits).toEqual([8_000])
  })

  it("isn't fetched from a redirect into the private network", async () => {
    answer = (_, response) => void response.writeHead(302, { location: `${secret}/latest/meta-data` }).end()
    expect(await draw()).toBeUndefined()
    expect(asked).toBe(0)
  })

  it("isn't used if its server returns an error, even with an image", async () => {
    const photo = await drawPicture({ width: 40, height: 40, type: 'png' })
    answer = (_, response) => void response.writeHead(404, { 'content-type': 'image/png' }).end(photo)
    expect(await draw()).toBeUndefined()
  })
})
