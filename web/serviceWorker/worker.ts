/*
 * The service worker: keeps the files of a build in this browser, so that Rookery opens quickly on a slow connection and
 * opens at all without one. It holds public files only, never a reply of the API, so there is nothing in it of a person.
 *
 * Built into /sw.js (bin/lib/serviceWorker.js), which the browser compares byte by byte: a new build is a new worker.
 */

/** The files of one build; written before this code when the web is built. */
export type Build = {
  /** Names the build. */ id: string
  /** The script that its page starts with. */ entry: string
  /** Files that keep their name from build to build. */ named: readonly string[]
  /** Files with a hash in their name. */ hashed: readonly string[]
}

declare const BUILD: Build

/** What of a worker's types the library "dom" lacks. */
type Lasting = Event & { waitUntil: (work: Promise<unknown>) => void }
type Asked = Lasting & { request: Request; respondWith: (answer: Promise<Response>) => void }
type Scope = {
  addEventListener: ((type: 'install' | 'activate', run: (event: Lasting) => void) => void) &
    ((type: 'fetch', run: (event: Asked) => void) => void)
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void> }
}
// this file runs as a worker, where the global object is one
const worker = globalThis as unknown as Scope

const CACHES = 'rookery-'
const OWN = CACHES + BUILD.id
/** How long a page may take before the one kept here is shown. Milliseconds. */
const PATIENCE = 800
/** Files fetched at a time, so that the page's own calls have room. */
const AT_ONCE = 4
/** Answers of a proxy whose app is away. */
const AWAY = [502, 503, 504]

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(pageFor(request))
  } else if (pathname.startsWith('/assets/') || BUILD.named.includes(pathname)) event.respondWith(fileFor(request))
})

/** All of the build or nothing: a worker that couldn't fetch every file isn't installed, and tried again later. */
async function install(): Promise<void> {
  const cache = await caches.open(OWN)
  const page = await fetch('/', { cache: 'no-cache' })
  // while servers are being updated, a page may come from another build than this worker
  if (!page.ok || !(await page.clone().text()).includes(BUILD.entry)) throw new Error('The page is of another build.')
  await forEach(BUILD.hashed, async (path) => {
    if (await cache.match(path)) return
    // what didn't change since the last build is here already
    await cache.put(path, (await caches.match(path)) ?? (await fetchWhole(path)))
  })
  await forEach(BUILD.named, async (path) => cache.put(path, await fetchWhole(path, 'no-cache')))
  await cache.put('/', page)
  await worker.skipWaiting()
}

/** From here on pages are of this build. The files of the one before stay for tabs that are still open with it. */
async function takeOver(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== OWN)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
  await worker.clients.claim()
}

/** The server's page; the kept one where the server can't be reached, or doesn't answer soon. */
async function pageFor(request: Request): Promise<Response> {
  const kept = await (await caches.open(OWN)).match('/')
  if (!kept) return fetch(request)
  const answer = fetch(request).then(
    (found) => (AWAY.includes(found.status) ? kept : found),
    () => kept,
  )
  return Promise.race([answer, new Promise<Response>((resolve) => setTimeout(resolve, PATIENCE, kept))])
}

async function fileFor(request: Request): Promise<Response> {
  const own = await caches.open(OWN)
  const kept = (await own.match(request, { ignoreVary: true })) ?? (await caches.match(request, { ignoreVary: true }))
  if (kept) return kept
  const found = await fetch(request)
  // such as the letters of another alphabet; a full disk only means that it's fetched again
  if (found.status === 200) await own.put(request, found.clone()).catch(() => undefined)
  return found
}

/**
 * Addresses of the app, which all have the same page; not the API, files, public pages, short links, or what is meant for
 * machines.
 */
const isPage = (path: string): boolean =>
  !/^\/(?:api|media|assets|b|s|healthz|readyz|metrics)(?:\/|$)|\.[a-z0-9]{1,8}$/i.test(path)

async function fetchWhole(path: string, cache: RequestCache = 'default'): Promise<Response> {
  // sent after what the page itself asks for
  const found = await fetch(path, { cache, priority: 'low' })
  if (found.status !== 200) throw new Error(`${path} answered ${found.status}.`)
  return found
}

async function forEach(paths: readonly string[], run: (path: string) => Promise<void>): Promise<void> {
  const waiting = [...paths]
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await run(path)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
