import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { REPORTS } from '#contract/reports/limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { asSystem } from '../../db/system.ts'
import { fail } from '../../errors.ts'
import { count, type Limit } from '../../http/attempts.ts'
import { isForeign } from '../../http/origin.ts'
import { busyPage, messageHeaders, messagePage } from '../../publicPages/messagePage.ts'
import { limitUnknown } from '../../publicPages/unknownAddresses.ts'
import { fileHeaders, fileNameOf } from '../downloads.ts'
import { confirmRecipient, endRecipient, findMailedFile, findRecipient, type LinkedRecipient } from './findRecipient.ts'
import { canConfirm } from './recipients.ts'
import { howOften } from './texts.ts'
import { mailOfToken, readerPaths, reportLinksOf } from './tokens.ts'

type Deps = Pick<Dependencies, 'env' | 'clock' | 'databases' | 'media' | 'log'>
type Request = FastifyRequest<{ Params: { token: string } }>

/** Downloads with one link in an hour. */
const DOWNLOADS: Limit = { name: 'report-file', most: 60, seconds: 3600 }
/** What mail programs send to stop emails, and forms. In bytes. */
const LONGEST_BODY = 4096

/**
 * The pages of links in mails with reports, for everyone and without an account: opening one changes nothing, because programs that
 * check mails open them too.
 */
export function mountReportReaders(app: FastifyInstance, { env, clock, databases, media, log }: Deps): void {
  const links = reportLinksOf(env)
  const unknown = limitUnknown(clock)

  /** Whose link it is; undefined if the reply says that there's none, and was sent. */
  async function find({ params, ip }: Request, reply: FastifyReply): Promise<LinkedRecipient | undefined> {
    if (unknown.isOver(ip)) return void say(reply, 429, busyPage())
    const found = await findRecipient(databases, params.token)
    if (found) return found
    unknown.count(ip)
    return void say(reply, 404, missingPage())
  }
  const mustBeOwn = (request: Request) => {
    if (isForeign(request, env.publicUrl)) throw fail('FOREIGN_ORIGIN')
  }

  void app.register(async (scope) => {
    // one-click unsubscribing sends a form in either encoding (RFC 8058); the address says everything
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LONGEST_BODY }, (_request, _body, done) =>
      done(null, null),
    )
    scope.get('/r/confirm/:token', async (request: Request, reply) => {
      const found = await find(request, reply)
      return found ? say(reply, 200, confirmPage(found, request.params.token, clock.now())) : reply
    })
    scope.post('/r/confirm/:token', async (request: Request, reply) => {
      mustBeOwn(request)
      const found = await find(request, reply)
      if (!found) return reply
      const isConfirmed = await confirmRecipient(databases, found, clock.now())
      return say(reply, 200, isConfirmed ? confirmedPage(found) : confirmPage(found, request.params.token, clock.now()))
    })
    scope.get('/r/stop/:token', async (request: Request, reply) => {
      const found = await find(request, reply)
      return found ? say(reply, 200, stopPage(found, request.params.token)) : reply
    })
    scope.post('/r/stop/:token', async (request: Request, reply) => {
      mustBeOwn(request)
      const found = await find(request, reply)
      if (!found) return reply
      await endRecipient(databases, found, clock.now())
      return say(reply, 200, stoppedPage(found, request.params.token))
    })
    scope.get('/r/file/:token', async (request: Request, reply) => {
      const { params, ip } = request
      if (unknown.isOver(ip)) return say(reply, 429, busyPage())
      const mailId = mailOfToken(links, params.token, clock.now())
      const file = mailId === undefined ? undefined : await findMailedFile(databases, mailId)
      if (mailId === undefined || !file) {
        unknown.count(ip)
        return say(reply, 404, expiredPage())
      }
      const { allowed } = await asSystem(databases.system, (tx) => count(tx, DOWNLOADS, mailId, clock.now()), {
        durable: false,
      })
      if (!allowed) return say(reply, 429, busyPage())
      const bytes = await media.stream(file.mediaKey).catch((err: unknown) => {
        log.error({ err, mailId }, "the file of a report couldn't be read")
      })
      if (!bytes) return say(reply, 404, expiredPage())
      return await reply
        .headers({ ...fileHeaders(fileNameOf(file.reportName, file.to, 'pdf')), 'content-length': String(file.bytes) })
        .type('application/pdf')
        .send(bytes)
    })
  })
}

const form = (path: string, label: string): string =>
  `<form method="post" action="${path}">\n<button>${label}</button>\n</form>\n`

const named = ({ reportName, orgName }: LinkedRecipient): string => `the report "${reportName}" from ${orgName}`

function confirmPage(found: LinkedRecipient, token: string, now: Date): string {
  const { orgName, frequency } = found
  if (found.removed_at) return missingPage()
  if (found.ended_at && found.isMember) return stoppedPage(found, token)
  if (found.ended_at)
    return messagePage("You don't get this report", [
      `You told us that you don't want ${named(found)}. If you changed your mind, ask ${orgName} to send you a new link.`,
    ])
  if (found.confirmed_at || found.isMember)
    return messagePage('You already get this report', [`We send you ${named(found)} by email, ${howOften(frequency)}.`])
  if (!canConfirm(found, now))
    return messagePage('This link has expired', [
      `It worked for ${REPORTS.confirmDays} days. Ask ${orgName} to send you a new one.`,
    ])
  return messagePage(
    'Do you want this report?',
    [
      `${orgName} would like to send you the report "${found.reportName}" by email, ${howOften(frequency)}.`,
      "If you don't want it, close this page.",
    ],
    form(readerPaths.confirm(token), 'Yes, send it to me'),
  )
}

const confirmedPage = (found: LinkedRecipient): string =>
  messagePage("You'll get this report", [
    `We'll send you ${named(found)} by email, ${howOften(found.frequency)}. Each email has a link to stop them. You can close this page.`,
  ])

function stopPage(found: LinkedRecipient, token: string): string {
  if (found.ended_at) return stoppedPage(found, token)
  return messagePage(
    'Stop these emails?',
    [
      found.isMember || found.confirmed_at
        ? `We'll stop sending you ${named(found)}.${found.isMember ? " You'll still get other emails." : ''}`
        : `We won't send you ${named(found)}, and won't ask you about it again for now.`,
    ],
    form(readerPaths.stop(token), 'Stop emails'),
  )
}

function stoppedPage(found: LinkedRecipient, token: string): string {
  const stopped = `We've stopped sending you ${named(found)}.`
  return found.isMember
    ? messagePage("You won't get this report", [stopped], form(readerPaths.confirm(token), 'Get it again'))
    : messagePage("You won't get this report", [
        `${stopped} If you change your mind, ask ${found.orgName}. You can close this page.`,
      ])
}

const missingPage = (): string =>
  messagePage("This link doesn't work", [
    'The report may no longer be sent, or a part of the address is missing. Open the link from the email again.',
  ])
const expiredPage = (): string =>
  messagePage("This link doesn't work anymore", [
    'It has expired, or the report was deleted. Ask the person who sent you the report for it.',
  ])

const say = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .headers({
      ...messageHeaders,
      'cache-control': 'private, no-store',
      ...(status === 429 ? { 'retry-after': '60' } : {}),
    })
    .send(html)
