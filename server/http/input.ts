import type { FastifyRequest } from 'fastify'
import { Id } from '#contract/common.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import { fail } from '../errors.ts'
import { findInvalidText } from './invalidText.ts'
import { fieldErrors } from './problem.ts'
import { storedIn } from './storedIn.ts'

/** An organization or project id in the path. A malformed one counts as unknown: the access check refuses it. */
export function idOf(request: FastifyRequest, name: string): string | null {
  const params = request.params
  const value = typeof params === 'object' && params !== null && name in params ? Reflect.get(params, name) : undefined
  return Id.safeParse(value).data ?? null
}

/** The path's parameters, parsed. Throws NOT_FOUND for malformed ones. */
export function parseParams(endpoint: EndpointShape, request: FastifyRequest): Record<string, unknown> {
  const params = endpoint.params?.safeParse(request.params)
  if (params && !params.success) throw fail('NOT_FOUND')
  return params?.data ?? {}
}

/** The request, parsed with the endpoint's schemas. Throws NOT_FOUND for a malformed id, BAD_INPUT at the fields. */
export function parse(endpoint: EndpointShape, request: FastifyRequest) {
  const params = parseParams(endpoint, request)
  mustKnowQuery(endpoint, request.query)
  const sent = storedIn(request.query)
  const query = endpoint.query?.safeParse(sent)
  if (query && !query.success) throw fail('BAD_INPUT', { errors: fieldErrors(query.error, sent) })
  // what is signed stays as it is
  const content = endpoint.rawBody ? request.body : storedIn(request.body)
  const body = endpoint.body?.safeParse(content ?? {})
  if (body && !body.success) throw fail('BAD_INPUT', { errors: fieldErrors(body.error, content) })
  const unkept = findInvalidText(query?.data) ?? findInvalidText(body?.data)
  if (unkept !== undefined) throw fail('BAD_INPUT', { errors: { [unkept]: ["Contains a character we can't store"] } })
  return { params, query: query?.data ?? {}, body: body?.data }
}

/** Unknown names are refused: silently dropping a filter would return everything. */
function mustKnowQuery({ query, reply }: EndpointShape, given: unknown): void {
  // URLs that browsers follow may have additional parameters, such as those of email programs
  if (typeof reply === 'string' && !query) return
  const known = Object.keys(query?.shape ?? {})
  const unknown = Object.keys(typeof given === 'object' && given !== null ? given : {}).filter(
    (name) => !known.includes(name),
  )
  if (unknown.length === 0) return
  const valid = known.length === 0 ? 'This endpoint has no query parameters.' : `Valid parameters: ${known.join(', ')}.`
  throw fail('BAD_INPUT', {
    errors: Object.fromEntries(unknown.map((name) => [name, [`Unknown query parameter. ${valid}`]])),
  })
}
