import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createSafeFetch } from '../server/platforms/safeFetch.ts'

/* 1 GB through safeFetch to a local server in its own process: how much memory this adds. */

const BYTES = 1_000_000_000
const PIECE = 64 * 1024
const LIMIT_MB = 150

if (process.send) serve()
else await measure()

function serve(): void {
  const server = createServer((request, response) => {
    let got = 0
    request.on('data', (piece: Buffer) => (got += piece.length))
    request.on('end', () => response.end(String(got)))
  })
  // a listening TCP server has an address with a port
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

async function measure(): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url))
  const [port] = (await once(child, 'message')) as [number] // sent by our own child
  const fetch = createSafeFetch({ allow: [`127.0.0.1:${port}`] })
  const url = `http://127.0.0.1:${port}/`
  // warm-up: a first request's cost isn't the file's
  await fetch(url, {
    method: 'PUT',
    body: { bytes: PIECE, open: () => pieces(PIECE) },
    timeoutMs: 10_000,
    maxBytes: 100,
  })
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10)
  const began = performance.now()
  const answer = await fetch(url, {
    method: 'PUT',
    body: { bytes: BYTES, open: () => pieces(BYTES) },
    timeoutMs: 300_000,
    maxBytes: 100,
  })
  const seconds = (performance.now() - began) / 1000
  clearInterval(watch)
  child.kill()
  const added = (most - before) / 1_000_000
  const whole = answer.kind === 'answer' && Buffer.from(answer.body).toString() === String(BYTES)
  console.log(
    `1 GB in ${seconds.toFixed(1)} s, ${whole ? 'whole' : `not whole: ${answer.kind}`}; at most ${added.toFixed(0)} MB more memory (limit ${LIMIT_MB})`,
  )
  if (!whole || added > LIMIT_MB) process.exitCode = 1
}

async function* pieces(bytes: number): AsyncGenerator<Uint8Array> {
  for (let left = bytes; left > 0; left -= PIECE) yield Buffer.alloc(Math.min(left, PIECE), left % 251)
}
