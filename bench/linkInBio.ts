import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { request } from 'undici'
import { mountPublicPages } from '#server/linkInBio/mount.ts'
import { bioPagesOn, visitFrom } from '#server/testing/bioPages.ts'
import { contentOn } from '#server/testing/content.ts'
import { figuresOn } from '#server/testing/figures.ts'
import { until } from '#server/testing/until.ts'
import { median, openStage } from './_stage.ts'

/*
 * The public page of link in bio from memory, with its views counted, beside a bare node:http server that sends the same bytes with
 * the same headers from the same process; the ratio counts. Then the same unchanged (304), a click, and the page's sizes.
 */
const TURNS = process.argv.includes('--short') ? 8 : 40
const CONNECTIONS = 32
/** The required ratio, and bytes on the wire before pictures. */
const TARGET = { ratio: 0.7, bytes: 15_000 }
const PAGES = { small: { buttons: 8, posts: 9 }, full: { buttons: 50, posts: 60 } }

const stage = await openStage(() => [], { mount: (app, deps) => void mountPublicPages(app, deps) })
try {
  const home = await stage.builders.signedInOwner()
  const pages = bioPagesOn(stage)
  const channel = await contentOn(stage.parts).channel(home)
  for (const [slug, { buttons, posts }] of Object.entries(PAGES)) {
    const page = await pages.page(home, {
      slug,
      name: 'Autumn Studio',
      about: 'Ceramics, fired twice and glazed by hand.',
    })
    for (let n = 0; n < buttons; n += 1) await pages.item(page, { label: `Our collection number ${n}, glazed by hand` })
    for (let n = 0; n < posts; n += 1) {
      const postId = await figuresOn(stage).elsewhere(home, channel, '2026-11-20T10:00:00Z')
      await pages.item(page, { label: `A bowl, number ${n}`, postId, pictureKey: `${home.orgId}/${postId}` })
    }
  }
  let isSlow = false
  for (const slug of Object.keys(PAGES)) {
    await inMemory(slug)
    for (const [what, path, extra] of [
      ['page', `/b/${slug}`, {}],
      ['unchanged page', `/b/${slug}`, { 'if-none-match': await tagOf(slug) }],
      ['click', `/b/${slug}/1`, {}],
    ] as const) {
      const { ratio, ours, theirs, status, bytes } = await beside(path, extra)
      console.log(
        `${slug} ${what}: ${ours.toFixed(0)}/s, bare node:http ${theirs.toFixed(0)}/s, ratio ${ratio.toFixed(2)} (target ${TARGET.ratio}); ${status}, ${bytes} bytes`,
      )
      if (ratio < TARGET.ratio) isSlow = true
    }
    const sizes = await Promise.all(['identity', 'gzip', 'br'].map((encoding) => sizeOf(slug, encoding)))
    console.log(
      `${slug}: ${sizes[0]} bytes, ${sizes[1]} as gzip, ${sizes[2]} as brotli (target ${TARGET.bytes} on the wire)`,
    )
    if ((sizes[1] ?? 0) > TARGET.bytes) isSlow = true
  }
  if (isSlow) process.exitCode = 1
} finally {
  await stage.close()
}

function headersOf(extra: Record<string, string> = {}): Record<string, string> {
  return {
    host: 'localhost',
    'user-agent': String(visitFrom('').headers['user-agent']),
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en-US,en;q=0.9',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
    ...extra,
  }
}

function ask(path: string, extra?: Record<string, string>) {
  return request(`${stage.origin}${path}`, { headers: headersOf(extra) })
}

/** Waits until it's answered before everything else: replies that went through all hooks have an id. */
async function inMemory(slug: string): Promise<void> {
  await until(async () => {
    const { headers, body } = await ask(`/b/${slug}`)
    await body.dump()
    return headers['x-request-id'] === undefined
  })
}

async function tagOf(slug: string): Promise<string> {
  const { headers, body } = await ask(`/b/${slug}`)
  await body.dump()
  return String(headers.etag)
}

async function sizeOf(slug: string, encoding: string): Promise<number> {
  const { body } = await ask(`/b/${slug}`, { 'accept-encoding': encoding })
  return (await body.arrayBuffer()).byteLength
}

/** Measures a path beside a server that does nothing but send the same. */
async function beside(path: string, extra: Record<string, string>) {
  const { statusCode: status, headers, body } = await ask(path, extra)
  const bytes = Buffer.from(await body.arrayBuffer())
  const own = new Set(['date', 'connection', 'keep-alive'])
  const sent = Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [name, String(value)]))
  const bare = createServer((_request, response) => response.writeHead(status, sent).end(bytes))
  // as Fastify has it, which is said in a header
  bare.keepAliveTimeout = 72_000
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
  try {
    // listening on a port, the address is an object
    const ports = [Number(new URL(stage.origin).port), (bare.address() as AddressInfo).port]
    const lines = Object.entries(headersOf(extra)).map(([name, value]) => `${name}: ${value}\r\n`)
    const options = { ports, request: `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, status, milliseconds: 250 }
    await load({ ...options, turns: 4 })
    const [ours = [], theirs = []] = await load({ ...options, turns: TURNS })
    return {
      ratio: median(ours.map((rate, at) => rate / (theirs[at] ?? Number.NaN))),
      ours: median(ours),
      theirs: median(theirs),
      status,
      bytes: bytes.length,
    }
  } finally {
    bare.closeAllConnections()
    bare.close()
  }
}

async function load(options: object): Promise<number[][]> {
  const program = fileURLToPath(new URL('_rawLoad.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    JSON.stringify({ ...options, connections: CONNECTIONS }),
  ])
  // printed by bench/_rawLoad.ts
  return JSON.parse(stdout) as number[][]
}
