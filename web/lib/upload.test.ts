import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/* Real requests of the protocol's library to a server that keeps what it gets, behind a proxy with a limit. */

let limit = 0
let kept: Buffer[] = []
let refused: number[] = []
let server: Server
let address = ''
const length = () => kept.reduce((sum, piece) => sum + piece.length, 0)

beforeEach(async () => {
  kept = []
  refused = []
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      if (body.length > limit) {
        refused.push(body.length)
        return response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>')
      }
      if (request.method === 'PATCH') kept.push(body)
      response.writeHead(request.method === 'PATCH' ? 204 : 200, {
        'tus-resumable': '1.0.0',
        'upload-offset': length(),
        'upload-length': FILE.length,
      })
      return response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const at = server.address()
  address = `http://localhost:${typeof at === 'object' && at ? at.port : 0}/api/upload/token`
  vi.resetModules()
})
afterEach(() => {
  server.close()
  vi.unstubAllGlobals()
})

const FILE = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => i % 251))

async function upload(file = FILE): Promise<string> {
  const { startUpload } = await import('./upload.ts')
  return await new Promise((resolve) => {
    // the library's version for Node takes its buffers where the browser's takes files
    void startUpload(file as unknown as Blob, address, {
      onProgress: () => undefined,
      onDone: () => resolve('done'),
      onFailed: resolve,
    })
  })
}

test('sends what fits through as it is', async () => {
  limit = 10_000_000
  expect(await upload()).toBe('done')
  expect(kept.map((piece) => piece.length)).toEqual([3_000_000])
})

test('halves its pieces until they get through, and keeps to that', async () => {
  limit = 1_000_000
  expect(await upload()).toBe('done')
  expect(Buffer.concat(kept).equals(FILE)).toBe(true)
  expect(refused).toEqual([3_000_000, 2_500_000, 1_250_000])
  expect(Math.max(...kept.map((piece) => piece.length))).toBe(625_000)
  // the next one begins with it
  kept = []
  refused = []
  expect(await upload()).toBe('done')
  expect(refused).toEqual([])
})

test('names the proxy if nothing gets through', async () => {
  limit = 1000
  expect(await upload()).toBe(
    "The proxy in front of Rookery doesn't let 16 KB through. Ask your Rookery administrator to raise its limit.",
  )
  expect(refused.at(-1)).toBe(16_384)
  expect(kept).toEqual([])
})
