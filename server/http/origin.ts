import type { FastifyRequest } from 'fastify'
import type { EndpointShape } from '#contract/endpoint.ts'
import { fail } from '../errors.ts'

/** Throws FOREIGN_ORIGIN if another site asks for a change. */
export function mustNotBeForeign(
  { method, changes }: Pick<EndpointShape, 'method' | 'changes'>,
  request: FastifyRequest,
  publicUrl: string,
): void {
  if ((method !== 'GET' || changes) && isForeign(request, publicUrl)) throw fail('FOREIGN_ORIGIN')
}

/**
 * Whether a request comes from another site. One with neither Origin nor Sec-Fetch-Site doesn't come from a browser and
 * passes.
 */
export function isForeign(request: FastifyRequest, publicUrl: string): boolean {
  if (request.headers['sec-fetch-site'] === 'cross-site') return true
  const origin = request.headers.origin
  if (origin === undefined) return false
  if (origin === new URL(publicUrl).origin) return false
  // the URL the browser used, such as 127.0.0.1 instead of localhost; foreign names are refused before anything else
  // (host.ts)
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.host
}
