import { afterEach, beforeEach, expect, it, vi } from 'vitest'

type Handler = (event: Record<string, unknown>) => void

/** A Cache that keeps texts by path. */
class FakeCache {
  files = new Map<string, Response>()
  match = (asked: Request | string) => Promise.resolve(this.files.get(pathOf(asked))?.clone())
  put = (asked: Request | string, answer: Response) => Promise.resolve(void this.files.set(pathOf(asked), answer))
}
const pathOf = (asked: Request | string) => (typeof asked === 'string' ? asked : new URL(asked.url).pathname)

/** The files of the server by path; undefined where it's away. */
let server: Record<string, string> | undefined
let kept: Map<string, FakeCache>
let fetched: string[]

const pageOf = (entry: string) => `<script type="module" src="${entry}"></script>`

/** Starts the worker of a build, as a browser does after /sw.js changed. */
async function worker(build: { id: string; entry: string; hashed: string[] }) {
  const handlers: Record<string, Handler> = {}
  vi.stubGlobal('BUILD', { named: ['/icon.svg'], ...build })
  vi.stubGlobal('addEventListener', (type: string, run: Handler) => void (handlers[type] = run))
  vi.resetModules()
  await import('./worker.ts')
  const lasting = async (type: string) => {
    let work: Promise<unknown> | undefined
    handlers[type]?.({ waitUntil: (promise: Promise<unknown>) => (work = promise) })
    await work
  }
  return {
    install: () => lasting('install'),
    activate: () => lasting('activate'),
    /** What the worker answers; undefined where it leaves the request to the browser. */
    ask: async (path: string, { mode = 'navigate', method = 'GET' } = {}) => {
      let answer: Promise<Response> | undefined
      const request = { url: `https://rookery.test${path}`, mode, method }
      handlers['fetch']?.({ request, respondWith: (promise: Promise<Response>) => (answer = promise) })
      return answer && (await (await answer).text())
    },
  }
}

beforeEach(() => {
  kept = new Map()
  fetched = []
  const open = (name: string) => {
    const found = kept.get(name) ?? new FakeCache()
    kept.set(name, found)
    return Promise.resolve(found)
  }
  vi.stubGlobal('caches', {
    open,
    keys: () => Promise.resolve([...kept.keys()]),
    delete: (name: string) => Promise.resolve(kept.delete(name)),
    match: async (asked: Request | string) => {
      for (const cache of kept.values()) {
        const found = await cache.match(asked)
        if (found) return found
      }
      return undefined
    },
  })
  vi.stubGlobal('location', { origin: 'https://rookery.test' })
  vi.stubGlobal('skipWaiting', () => Promise.resolve())
  vi.stubGlobal('clients', { claim: () => Promise.resolve() })
  vi.stubGlobal('fetch', (asked: Request | string) => {
    const path = pathOf(asked)
    fetched.push(path)
    if (!server) return Promise.reject(new TypeError('Failed to fetch'))
    const text = server[path] ?? (typeof asked === 'string' || asked.mode !== 'navigate' ? undefined : server['/'])
    return Promise.resolve(new Response(text ?? 'Not found', { status: text === undefined ? 404 : 200 }))
  })
})
afterEach(() => vi.unstubAllGlobals())

const ONE = { id: 'one', entry: '/assets/index-1.js', hashed: ['/assets/index-1.js', '/assets/same.js'] }
const TWO = { id: 'two', entry: '/assets/index-2.js', hashed: ['/assets/index-2.js', '/assets/same.js'] }
const serve = (build: typeof ONE) => ({
  '/': pageOf(build.entry),
  '/icon.svg': build.id,
  ...Object.fromEntries(build.hashed.map((path) => [path, path])),
})

it('opens pages and their files while the server is away, and leaves everything else alone', async () => {
  server = serve(ONE)
  const one = await worker(ONE)
  await one.install()
  await one.activate()
  server = undefined
  expect(await one.ask('/0192/project/0193/calendar?view=week')).toBe(pageOf(ONE.entry))
  expect(await one.ask('/assets/index-1.js', { mode: 'cors' })).toBe('/assets/index-1.js')
  for (const path of ['/api/home', '/media/a/b', '/b/acme', '/b/acme/1', '/s/abcdefgh', '/healthz', '/report.pdf'])
    expect(await one.ask(path)).toBeUndefined()
  expect(await one.ask('/api/home', { mode: 'cors' })).toBeUndefined()
  expect(await one.ask('/login', { method: 'POST' })).toBeUndefined()
})

it('shows the page of the server while it answers', async () => {
  server = serve(ONE)
  const one = await worker(ONE)
  await one.install()
  server = serve(TWO)
  expect(await one.ask('/login')).toBe(pageOf(TWO.entry))
})

it('lets a new build take over whole, and keeps the files of the last one for tabs that are open', async () => {
  server = serve(ONE)
  const one = await worker(ONE)
  await one.install()
  await one.activate()
  server = serve(TWO)
  fetched = []
  const two = await worker(TWO)
  await two.install()
  // what didn't change was here already
  expect(fetched).not.toContain('/assets/same.js')
  await two.activate()
  server = undefined
  expect(await two.ask('/login')).toBe(pageOf(TWO.entry))
  expect(await two.ask('/icon.svg', { mode: 'no-cors' })).toBe('two')
  expect(await two.ask('/assets/index-1.js', { mode: 'cors' })).toBe('/assets/index-1.js')

  const THREE = { id: 'three', entry: '/assets/index-3.js', hashed: ['/assets/index-3.js'] }
  server = serve(THREE)
  const three = await worker(THREE)
  await three.install()
  await three.activate()
  expect([...kept.keys()]).toEqual(['rookery-two', 'rookery-three'])
})

it("isn't installed with the page of another build, or without one of its files", async () => {
  server = serve(ONE)
  const two = await worker(TWO)
  await expect(two.install()).rejects.toThrow('another build')
  server = { ...serve(TWO), '/': pageOf(TWO.entry) }
  delete server['/assets/same.js']
  await expect(two.install()).rejects.toThrow('answered 404')
  server = undefined
  await expect(two.ask('/login')).rejects.toThrow('Failed to fetch')
})
