import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'
import { SHORT_LINK_PATH } from '#contract/links/shortCode.ts'
import { fail } from '../errors.ts'

/** What load balancers request, under any name; it reveals nothing about anyone. */
const HEALTH = new Set(['/healthz', '/readyz'])

/**
 * Refuses requests for a name that isn't ours. Another site can have its own name resolve to this machine (DNS
 * rebinding); its requests then look like those of our own pages, but their Host is that name.
 */
export function refuseForeignHosts(
  app: FastifyInstance,
  env: Pick<Env, 'publicUrl' | 'shortUrl' | 'ALLOWED_HOSTS'>,
): void {
  const ours = new Set([new URL(env.publicUrl).hostname, ...env.ALLOWED_HOSTS.map((name) => name.toLowerCase())])
  const short = new URL(env.shortUrl).hostname
  app.addHook('onRequest', async ({ host, routeOptions: { url = '' } }) => {
    if (HEALTH.has(url)) return
    // a name of its own for short links has nothing else: no page there could be taken for one of ours
    const isForShort = !ours.has(short) && nameOf(host) === short
    if (isForShort ? !url.startsWith(SHORT_LINK_PATH) : !isOurs(host, ours)) throw fail('FOREIGN_HOST')
  })
}

const nameOf = (host: string): string | undefined =>
  URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : undefined

/**
 * Whether a Host names this installation: one of `names`, localhost, an IP address, or a name without a dot, such as a
 * machine's or a container's. Nobody else can register the last three. A request without a Host doesn't come from a
 * browser.
 */
function isOurs(host: string, names: ReadonlySet<string>): boolean {
  if (host === '') return true
  const hostname = nameOf(host)
  if (hostname === undefined) return false
  return (
    names.has(hostname) ||
    hostname.endsWith('.localhost') ||
    !hostname.includes('.') ||
    isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  )
}
