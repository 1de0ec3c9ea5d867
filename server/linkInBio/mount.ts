import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BIO } from '#contract/linkInBio/limits.ts'
import { isOwnRedirect } from '#contract/linkInBio/links.ts'
import { bioPath } from '#contract/linkInBio/slugs.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import { answerInFront } from '../http/front.ts'
import { isForeign } from '../http/origin.ts'
import { securityHeaders } from '../http/securityHeaders.ts'
import { readSquare } from '../media/squares.ts'
import { cardsOf } from './card.ts'
import { blockedPage, busyPage, messageHeaders, missingPage } from '../publicPages/messagePage.ts'
import { ownOrigins } from './ownOrigins.ts'
import { createPageMemory } from './pageMemory.ts'
import { pageAnswer, prepare, type Answer, type Prepared, type PreparedPage } from './preparedPage.ts'
import { readPublicPage } from './publicPage.ts'
import { enoughReportsPage, reportedPage, reportForm } from './reportForm.ts'
import { ReportBody, reportPage } from './reports.ts'
import { limitUnknown } from '../publicPages/unknownAddresses.ts'

/** How many bytes of pages a node keeps. */
const MEMORY = 32_000_000
/** Pictures have other names when they change. Not shared, so that none outlives a page that was stopped. */
const PICTURE_CACHE = 'private, max-age=604800, immutable'

export type PublicPages = {
  /** What is in memory, and how often the database was read. */
  stats(): { entries: number; bytes: number; reads: number }
}
type Deps = Pick<Dependencies, 'env' | 'clock' | 'databases' | 'media' | 'clicks' | 'mailer' | 'log'>
type Request = FastifyRequest<{ Params: { slug: string; number?: string; picture?: string } }>
/** A report with everything it may contain, as browsers encode it. In bytes. */
const LONGEST_REPORT = 16_384

/**
 * The public pages, their links and their pictures: for everyone, without cookies and scripts (docs/link-in-bio.md). Pages and clicks
 * that are in memory are answered before Fastify.
 */
export function mountPublicPages(app: FastifyInstance, deps: Deps): PublicPages {
  const { env, clock, databases, clicks, log } = deps
  const security = securityHeaders(env)
  const origins = ownOrigins(env)
  const memory = createPageMemory<Prepared>({
    read: async (slug, before) => {
      const found = await readPublicPage(databases, slug, clock.now(), (url) => isOwnRedirect(url, origins))
      return await prepare(found, before, { publicUrl: env.publicUrl, security })
    },
    notifications: databases.notifications,
    clock,
    most: MEMORY,
  })
  const unknown = limitUnknown(clock)
  const cards = cardsOf(deps.media)
  const unread = (err: unknown) => log.error({ err }, "a public page couldn't be read")
  const warn = (err: unknown) => log.warn({ err }, "the picture of a public page couldn't be drawn")
  app.addHook('onClose', async () => memory.close())

  answerInFront(app, env, (request, response, address) => {
    const { method = '', url = '' } = request
    if (!url.startsWith('/b/') || (method !== 'GET' && method !== 'HEAD')) return false
    const [slug, number] = partsOf(url)
    const prepared = slug === undefined ? undefined : memory.peek(slug)?.prepared
    if (!prepared) return false
    const visit = { method, address, headers: request.headers }
    const answer = number === undefined ? view(prepared, visit) : click(prepared, number, visit)
    if (!answer) return false
    response.writeHead(answer.status, answer.headers)
    response.end(method === 'HEAD' ? '' : answer.body, 'latin1')
    return true
  })

  type Visit = Parameters<typeof clicks.pageView>[1]
  const view = (prepared: PreparedPage, visit: Visit): Answer => {
    clicks.pageView(prepared.page, visit)
    return pageAnswer(prepared, visit.headers)
  }
  /** Undefined: no such link now. */
  const click = (prepared: PreparedPage, number: number, visit: Visit): Answer | undefined => {
    const known = prepared.clicks.get(number)
    if (known) clicks.itemClick(prepared.page, { number, postId: known.postId }, visit)
    return known?.answer
  }

  /** What is at the address; undefined if the reply says why there's nothing to show, and was sent. */
  async function find({ params, ip }: Request, reply: FastifyReply, rest = ''): Promise<PreparedPage | undefined> {
    const slug = params.slug.toLowerCase()
    if (!isSlug(slug)) return void say(reply, 404, missingPage())
    const inMemory = memory.peek(slug)
    if (!inMemory && !memory.isKnown(slug) && unknown.isOver(ip)) return void say(reply, 429, busyPage())
    const entry = inMemory ?? (await memory.get(slug).catch(unread))
    if (!entry) return void say(reply, 503, busyPage())
    if (entry.prepared) return entry.prepared
    if (entry.found.kind === 'moved') return void moved(reply, entry.found.slug, rest)
    if (entry.found.kind === 'blocked') return void say(reply, 410, blockedPage(env.contact))
    if (!inMemory) unknown.count(ip)
    return void say(reply, 404, missingPage())
  }

  app.get('/b/:slug', async (request: Request, reply) => {
    const prepared = await find(request, reply)
    return prepared ? send(reply, view(prepared, visitOf(request))) : reply
  })
  app.get('/b/:slug/:number', async (request: Request, reply) => {
    const number = request.params.number ?? ''
    const prepared = await find(request, reply, `/${encodeURIComponent(number)}`)
    if (!prepared) return reply
    const answer = isNumber(number) ? click(prepared, Number(number), visitOf(request)) : undefined
    // a link that has ended, or was removed: what the page shows now
    return answer ? send(reply, answer) : moved(reply, prepared.page.slug)
  })
  app.get('/b/:slug/p/:picture', async (request: Request, reply) => {
    const prepared = await find(request, reply, `/p/${pictureIn(request)}`)
    if (!prepared) return reply
    const [name = '', twice] = (request.params.picture ?? '').split(/-(?=2$)/)
    const key = prepared.pictures.get(name)
    const side = key === prepared.page.picture ? (twice ? 256 : 128) : twice ? 512 : 256
    const bytes =
      key && (await readSquare(deps.media, { key, orgId: prepared.page.orgId }, side).catch(() => undefined))
    if (!bytes) return say(reply, 404, missingPage())
    return await reply.headers(pictureHeaders('picture.webp')).type('image/webp').send(Buffer.from(bytes))
  })
  app.get('/b/:slug/card/:picture', async (request: Request, reply) => {
    const prepared = await find(request, reply, `/card/${pictureIn(request)}`)
    if (!prepared) return reply
    const card =
      request.params.picture === `${prepared.card}.png` && (await cards.read(prepared.card, prepared.page).catch(warn))
    if (!card) return say(reply, 404, missingPage())
    return await reply.headers(pictureHeaders('card.png')).type('image/png').send(card)
  })
  void app.register(async (scope) => {
    scope.removeContentTypeParser('application/x-www-form-urlencoded')
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LONGEST_REPORT },
      (_request, body, done) => done(null, String(body)),
    )
    scope.get('/b/:slug/report', async (request: Request, reply) => {
      const prepared = await find(request, reply, '/report')
      return prepared ? say(reply, 200, reportForm(prepared.page)) : reply
    })
    scope.post('/b/:slug/report', async (request: Request, reply) => {
      if (isForeign(request, env.publicUrl)) throw fail('FOREIGN_ORIGIN')
      const prepared = await find(request, reply, '/report')
      if (!prepared) return reply
      const sent = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
      const parsed = ReportBody.safeParse(Object.fromEntries(sent))
      if (!parsed.success) {
        const errors = Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]))
        return say(reply, 400, reportForm(prepared.page, { sent, errors }))
      }
      const isStored = await reportPage(deps, prepared.page, parsed.data, request.ip)
      return isStored ? say(reply, 200, reportedPage(prepared.page)) : say(reply, 429, enoughReportsPage())
    })
  })
  return { stats: () => memory.stats() }
}

const pictureHeaders = (fileName: string) => ({
  'cache-control': PICTURE_CACHE,
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': `inline; filename="${fileName}"`,
})

const pictureIn = ({ params }: Request): string => encodeURIComponent(params.picture ?? '')

const visitOf = ({ method, ip, headers }: Request) => ({ method, address: ip, headers })

const isSlug = (text: string): boolean =>
  text.length >= BIO.slug.min && text.length <= BIO.slug.max && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
const isNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)

/** The address of a page or of its link in a path; nothing for any other path, nor for other spellings, which are looked at later. */
function partsOf(url: string): [slug?: string, number?: number] {
  const found = /^\/b\/([a-z0-9-]{3,30})(?:\/([1-9]\d{0,8}))?(?:\?|$)/.exec(url)
  return found ? [found[1], found[2] === undefined ? undefined : Number(found[2])] : []
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  for (let at = 0; at < headers.length; at += 2) void reply.header(headers[at] ?? '', headers[at + 1])
  return reply.code(status).send(body === '' ? undefined : Buffer.from(body, 'latin1'))
}

const say = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .headers(status === 429 || status === 503 ? { ...messageHeaders, 'retry-after': '60' } : messageHeaders)
    .send(html)

/** Asked for again each time, because the address may be another page's one day. */
const moved = (reply: FastifyReply, slug: string, rest = ''): FastifyReply =>
  reply
    .code(302)
    .headers({ location: `${bioPath(slug)}${rest}`, 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' })
    .send()
