import type { FastifyInstance, FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { isOwnRedirect } from '#contract/linkInBio/links.ts'
import { SHORT_CODE_LENGTH, SHORT_CODE_SIGNS, SHORT_LINK_PATH } from '#contract/links/shortCode.ts'
import { asSystem } from '../db/system.ts'
import type { Databases } from '../db/pools.ts'
import type { Dependencies } from '../dependencies.ts'
import { answerInFront } from '../http/front.ts'
import { securityHeaders } from '../http/securityHeaders.ts'
import { busyPage, messageHeaders, messagePage } from '../publicPages/messagePage.ts'
import { limitUnknown } from '../publicPages/unknownAddresses.ts'
import { createLinkMemory, type ShortLink } from './memory.ts'

type Deps = Pick<Dependencies, 'env' | 'clock' | 'databases' | 'clicks'>

const code = `[${SHORT_CODE_SIGNS}]{${SHORT_CODE_LENGTH}}`
const isCode = new RegExp(`^${code}$`)
const inPath = new RegExp(`^${SHORT_LINK_PATH}(${code})(?:\\?|$)`)

/**
 * Short links, for everyone and without cookies: they lead to the address that's stored for their code, and nowhere else. Each
 * click comes here, so it's counted. Links in memory are answered before Fastify.
 */
export function mountShortLinks(app: FastifyInstance, { env, clock, databases, clicks }: Deps): void {
  const security = securityHeaders(env)
  const origins = [...new Set([env.publicUrl, env.shortUrl])]
  const memory = createLinkMemory((wanted) => readLink(databases, wanted, origins), clock)
  const unknown = limitUnknown(clock)
  const headersOf = ({ url }: ShortLink): Record<string, string> => ({
    ...security,
    location: url,
    'cache-control': 'private, no-store, max-age=0',
    'x-robots-tag': 'noindex',
    'content-length': '0',
  })

  const hosts = [...env.ALLOWED_HOSTS, new URL(env.shortUrl).hostname]
  answerInFront(app, { ...env, ALLOWED_HOSTS: hosts }, (request, response, address) => {
    const { method = '', url = '', headers } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    const wanted = inPath.exec(url)?.[1]
    const link = wanted === undefined ? undefined : memory.peek(wanted)
    if (!link) return false
    clicks.linkClick(link, { method, address, headers })
    response.writeHead(302, headersOf(link)).end()
    return true
  })

  app.get<{ Params: { code: string } }>(`${SHORT_LINK_PATH}:code`, async (request, reply) => {
    const { method, ip, headers } = request
    const wanted = request.params.code.toLowerCase()
    if (!isCode.test(wanted)) return say(reply, 404, missingPage())
    if (!memory.peek(wanted) && unknown.isOver(ip)) return say(reply, 429, busyPage())
    const link = await memory.get(wanted).catch((error: unknown) => {
      request.log.error({ err: error }, "a short link couldn't be read")
      return undefined
    })
    if (link === undefined) return say(reply, 503, busyPage())
    if (link === null) {
      unknown.count(ip)
      return say(reply, 404, missingPage())
    }
    clicks.linkClick(link, { method, address: ip, headers })
    return await reply.code(302).headers(headersOf(link)).send()
  })
}

/** Null for a code that nobody has, of a project or organization that is deleted, that an operator stopped, or with an address that may not be led to. */
async function readLink(
  { system }: Pick<Databases, 'system'>,
  wanted: string,
  origins: readonly string[],
): Promise<ShortLink | null> {
  const { rows } = await asSystem(system, (tx) =>
    sql<ShortLink>`
      select s.org_id as "orgId", s.post_id as "postId", p.zone, s.url
      from short_link s join project p on p.org_id = s.org_id and p.id = s.project_id join organization o on o.org_id = s.org_id
      where s.code = ${wanted} and s.blocked_at is null and p.deleted_at is null and o.deletes_at is null`.execute(tx),
  )
  const [row] = rows
  const url = row && URL.canParse(row.url) ? new URL(row.url) : undefined
  if (!row || !url || !['http:', 'https:'].includes(url.protocol) || isOwnRedirect(url.href, origins)) return null
  // as browsers read it: a header has no other letters
  return { ...row, url: url.href }
}

const missingPage = (): string =>
  messagePage("This link doesn't exist", [
    'Check the address for typos. It may also have been deleted, or turned off because it could have harmed its visitors.',
  ])

const say = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .headers(status === 404 ? messageHeaders : { ...messageHeaders, 'retry-after': '60' })
    .send(html)
