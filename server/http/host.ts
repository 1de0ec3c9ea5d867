import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'
import { fail } from '../errors.ts'

/** What load balancers ask, by whatever name they know a node; it tells nothing of anyone. */
const HEALTH = new Set(['/healthz', '/readyz'])

/**
 * Refuses requests for a name that isn't ours. A page of another site can have its own name resolve to this machine
 * (DNS rebinding); its requests then look like our own pages', but they carry that name as their Host.
 */
export function refuseForeignHosts(app: FastifyInstance, env: Pick<Env, 'publicUrl' | 'ALLOWED_HOSTS'>): void {
  const ours = new Set([new URL(env.publicUrl).hostname, ...env.ALLOWED_HOSTS.map((name) => name.toLowerCase())])
  app.addHook('onRequest', async ({ host, routeOptions }) => {
    if (!isOurs(host, ours) && !HEALTH.has(routeOptions.url ?? '')) throw fail('FOREIGN_HOST')
  })
}

/**
 * Whether a Host names this installation: one of `names`, localhost, an address by number, or a name without a dot,
 * such as a machine's or a container's. The last three can't be registered by anyone else. A request without a Host
 * comes from no browser.
 */
function isOurs(host: string, names: ReadonlySet<string>): boolean {
  if (host === '') return true
  if (!URL.canParse(`http://${host}/`)) return false
  const { hostname } = new URL(`http://${host}/`)
  return (
    names.has(hostname) ||
    hostname.endsWith('.localhost') ||
    !hostname.includes('.') ||
    isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  )
}
