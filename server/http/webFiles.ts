import { existsSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readPages, type Page } from './page.ts'
import { isBelowApi, pathOf } from './paths.ts'
import { NO_CALL, sendProblem } from './problem.ts'

const YEAR = 31_536_000

const TURNSTILE = 'https://challenges.cloudflare.com'
/** Where Paddle's overlay comes from: its script and styles, its frame, and what the script calls. Both environments. */
const PADDLE = {
  cdn: 'https://cdn.paddle.com',
  sandboxCdn: 'https://sandbox-cdn.paddle.com',
  frames: ['https://buy.paddle.com', 'https://sandbox-buy.paddle.com'],
  calls: 'https://*.paddle.com',
} as const

/** What is let in besides the product itself, each only where it is set up. */
type Guests = { turnstile?: boolean; paddle?: boolean }
type Options = Guests & {
  /** False removes it from the browsers that have it. */
  serviceWorker?: boolean
  /** An element for the page of who is signed in, with what they will ask for first. It's in no other page, and never kept. */
  earlyData?: (request: FastifyRequest) => Promise<string | undefined>
}

/** A service worker that forgets what earlier ones kept, goes away, and touches no request. */
const REMOVED_WORKER = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => registration.unregister()),
  ),
)
`

/**
 * What a page of the product may load: its own files, the inline scripts that it was built with (by their hashes), and the
 * human check's worker; pictures from nowhere else, since accounts' pictures are fetched by the server;
 * where the human check is Turnstile, its script and frame (developers.cloudflare.com/turnstile/reference/content-security-policy);
 * where Paddle takes the payments, its overlay.
 */
const contentPolicy = ({ turnstile = false, paddle = false }: Guests, scripts: readonly string[]) =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scripts, ...(turnstile ? [TURNSTILE] : []), ...(paddle ? [PADDLE.cdn] : [])].join(' '),
    ...(turnstile || paddle
      ? [
          [
            'frame-src',
            ...(turnstile ? [TURNSTILE] : []),
            ...(paddle ? [...PADDLE.frames, PADDLE.cdn, PADDLE.sandboxCdn] : []),
          ].join(' '),
        ]
      : []),
    // overlays and toasts add style elements whose text varies: docs/decisions/0011
    ["style-src 'self' 'unsafe-inline'", ...(paddle ? [PADDLE.cdn, PADDLE.sandboxCdn] : [])].join(' '),
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...(paddle ? [PADDLE.calls] : [])].join(' '),
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Serves the built web app from `root`: assets with a hash in their name are cached for a year, everything else is
 * revalidated by its ETag; any other path returns the page, whose router handles it. Compressed copies (.br, .gz) are
 * used. Without `serviceWorker`, browsers get one that removes itself.
 */
export async function serveWeb(
  app: FastifyInstance,
  root: string,
  { serviceWorker = true, earlyData, ...guests }: Options = {},
): Promise<void> {
  if (!existsSync(join(root, 'index.html'))) {
    app.setNotFoundHandler((_request, reply) =>
      reply.code(404).type('text/plain').send("The web app hasn't been built. Run npm start or npm run dev."),
    )
    return
  }
  const pages = readPages(root)
  const policy = contentPolicy(guests, pages.scripts)
  const assets = resolve(root, 'assets') + sep
  if (!serviceWorker) {
    app.get('/sw.js', (_request, reply) =>
      reply.type('text/javascript').header('cache-control', 'no-cache').send(REMOVED_WORKER),
    )
  }
  await app.register(fastifyStatic, {
    root: resolve(root),
    preCompressed: true,
    cacheControl: false,
    allowedPath: (path) => !SENT_AS_PAGE.has(path),
    setHeaders(reply, path) {
      void reply
        .header('content-security-policy', policy)
        .header('cache-control', path.startsWith(assets) ? `public, max-age=${YEAR}, immutable` : 'no-cache')
    },
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url)
    if (isBelowApi(path)) return sendProblem(reply, 'NOT_FOUND', { detail: NO_CALL })
    if (!wantsPage(request)) return reply.code(404).type('text/plain').send('Not found')
    const early = await earlyData?.(request)
    return sendPage(request, reply.header('content-security-policy', policy), pages.for(path), early)
  })
}

/** The page's template files aren't served. */
const SENT_AS_PAGE = new Set(['/', '/index.html', '/screens.json'])

function sendPage(request: FastifyRequest, reply: FastifyReply, { html, etag }: Page, early?: string): FastifyReply {
  void reply.type('text/html; charset=utf-8')
  // personal data is in no cache, neither a shared one nor the browser's
  if (early !== undefined)
    return reply
      .code(200)
      .header('cache-control', 'no-store')
      .send(html.replace('<noscript>', () => `${early}\n    <noscript>`))
  void reply.header('cache-control', 'no-cache').header('etag', etag)
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  return reply.code(200).send(html)
}

/** A URL of the app, not of a missing file: an outdated page that requests an old asset must not get HTML. */
function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = pathOf(request.url)
  return !/^\/assets(?:\/|$)/.test(path) && !/\.[a-z0-9]{1,8}$/i.test(path)
}
