import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sharedPath } from '#contract/reports/links.ts'
import { isPersons } from '../../clicks/visit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { asTenant } from '../../db/tenant.ts'
import { Failure } from '../../errors.ts'
import { count, type Limit } from '../../http/attempts.ts'
import { asSystem } from '../../db/system.ts'
import { busyPage, messageHeaders, messagePage } from '../../publicPages/messagePage.ts'
import { limitUnknown } from '../../publicPages/unknownAddresses.ts'
import { pageOf } from '../files/page.ts'
import { pdfOf } from '../files/pdf.ts'
import { documentsOf } from '../make.ts'
import { seeReport } from '../access.ts'
import { troubleOf } from '../links.ts'
import { standingOf } from '../standing.ts'
import { findLink, noteOpening, type SharedLink } from './find.ts'
import { createSharedMemory, nameOfFacts } from './memory.ts'

type Deps = Parameters<typeof documentsOf>[0] & Pick<Dependencies, 'log'>
type Request = FastifyRequest<{ Params: { token: string; key?: string } }>

/** Requests with one link in a minute: a page has up to a dozen pictures. */
const LINK: Limit = { name: 'report-link', most: 600, seconds: 60 }

/** Every reply: nothing of it is kept, listed, framed or told to other sites. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
}

const missingPage = (): string =>
  messagePage("This link doesn't work", [
    'It was ended or has expired, or a part of its address is missing. Ask the person who sent it for a new one.',
  ])
const troublePage = (): string =>
  messagePage("This report can't be shown right now", [
    'The person who sent you the link can tell you why. Try again later.',
  ])

/** Shared reports: pages without cookies and scripts, for everyone who has the link (docs/reports.md). */
export function mountSharedReports(app: FastifyInstance, deps: Deps): void {
  const { clock, databases, log } = deps
  const unknown = limitUnknown(clock)
  const { makeSaved } = documentsOf(deps)
  const memory = createSharedMemory(clock, pdfOf)

  /** The link of the address; undefined if the reply says why there's none, and was sent. */
  async function find({ params, ip }: Request, reply: FastifyReply): Promise<SharedLink | undefined> {
    if (unknown.isOver(ip)) return void say(reply, 429, busyPage())
    const link = await findLink(databases, params.token, clock.now())
    if (!link) {
      unknown.count(ip)
      return void say(reply, 404, missingPage())
    }
    const { allowed } = await asSystem(databases.system, (tx) => count(tx, LINK, link.linkId, clock.now()), {
      durable: false,
    })
    return allowed ? link : void say(reply, 429, busyPage())
  }

  /** What the owner's role shows now; undefined if that's nothing. */
  async function see(link: SharedLink) {
    const now = clock.now()
    return await asTenant(databases.exports, link.orgId, async (tx) => {
      const standing = await standingOf(tx, { ...link, now })
      const report = standing && (await seeReport({ tx, now, ...standing }, link.reportId).catch(nothingMissing))
      if (!report || troubleOf(standing, report) !== null) return undefined
      const { channelIds, permissions } = standing.project
      return { report, of: nameOfFacts([report.row.version, standing.org.isAdmin, channelIds, permissions]) }
    })
  }

  /** Sends what `answer` makes of the report; says so where there's nothing to show. */
  async function show(
    request: Request,
    reply: FastifyReply,
    answer: (link: SharedLink, of: string, read: () => ReturnType<typeof makeSaved>) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const link = await find(request, reply)
    if (!link) return reply
    try {
      const seen = await see(link)
      if (!seen) return say(reply, 404, troublePage())
      return await answer(link, seen.of, () => makeSaved(link))
    } catch (error) {
      if (error instanceof Failure && error.code === 'LIMIT_EXCEEDED') return say(reply, 503, busyPage())
      if (error instanceof Failure && (error.code === 'NOT_FOUND' || error.code === 'PLAN_LIMIT'))
        return say(reply, 404, troublePage())
      log.error({ err: error, reportId: link.reportId }, "a shared report couldn't be made")
      return say(reply, 503, troublePage())
    }
  }

  app.get('/r/:token', (request: Request, reply) =>
    show(request, reply, async (link, of, read) => {
      const path = sharedPath(request.params.token)
      const { html, policy } = await memory.page(link.linkId, link.orgId, of, read, (document) =>
        pageOf(document, {
          pdfPath: `${path}/report.pdf`,
          picturePath: (key) => `${path}/p/${encodeURIComponent(key)}`,
        }),
      )
      if (isPersons({ method: request.method, address: request.ip, headers: request.headers }))
        noteOpening(databases, link, clock.now()).catch((err: unknown) =>
          log.warn({ err }, "the opening of a shared report couldn't be noted"),
        )
      return await reply
        .headers({ ...HEADERS, 'content-security-policy': policy })
        .type('text/html; charset=utf-8')
        .send(html)
    }),
  )
  app.get('/r/:token/report.pdf', (request: Request, reply) =>
    show(request, reply, async (link, of, read) => {
      const { pdf } = await memory.pdf(link.linkId, link.orgId, of, read)
      return await reply
        .headers({
          ...HEADERS,
          'content-security-policy': "default-src 'none'; sandbox",
          'content-disposition': 'inline; filename="report.pdf"',
        })
        .type('application/pdf')
        .send(pdf)
    }),
  )
  app.get('/r/:token/p/:key', (request: Request, reply) =>
    show(request, reply, async (link, of, read) => {
      const { pictures } = await memory.document(link.linkId, link.orgId, of, read)
      const bytes = pictures.get(request.params.key ?? '')
      if (!bytes) return say(reply, 404, missingPage())
      return await reply
        .headers({ ...HEADERS, 'content-security-policy': "default-src 'none'; sandbox" })
        .type(bytes[0] === 0x89 ? 'image/png' : 'image/jpeg')
        .send(Buffer.from(bytes))
    }),
  )
}

const nothingMissing = (error: unknown): undefined => {
  if (error instanceof Failure && error.code === 'NOT_FOUND') return undefined
  throw error
}

const say = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .headers({ ...messageHeaders, ...HEADERS, ...(status === 429 || status === 503 ? { 'retry-after': '60' } : {}) })
    .send(html)
