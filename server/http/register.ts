import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EndpointShape } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { readTenant, type EntryIds } from '../db/tenant.ts'
import { Failure, fail } from '../errors.ts'
import { admit } from './access.ts'
import { answer } from './answer.ts'
import { entryOf, type HttpOptions } from './call.ts'
import { bodyLimitOf } from './bodySize.ts'
import { hasBody, lengthOf, SMALL_BODY } from './connections.ts'
import { parseParams } from './input.ts'
import { mustNotBeForeign } from './origin.ts'
import { failureOf, sendProblem } from './problem.ts'
import type { Route } from './route.ts'
import { eventOfRefusal, eventOfSuccess, type Who } from './securityEvents.ts'

/** Registers one endpoint: enter, parse, run, present. Failures are sent as problem details. */
export function register(app: FastifyInstance, route: Route, options: HttpOptions): void {
  const { endpoint } = route
  const isOpen = endpoint.access.kind === 'public'
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.rawBody && { config: { rawBody: endpoint.rawBody } }),
    bodyLimit: bodyLimitOf(endpoint),
    ...(route.beforeBody && { onRequest: (request: FastifyRequest) => mustBeWorthReading(route, request, options) }),
    // a large body is only read after the access check, and so is the first one of a session, which strangers' don't affect
    ...(!isOpen && {
      preParsing: async (request: FastifyRequest) => {
        if (!hasBody(request)) return
        const { ids } = entryOf(request, options)
        const isNew = ids.tokenHash !== null && options.admission.personOf(ids) === undefined
        if (isNew || (lengthOf(request) ?? Infinity) > SMALL_BODY) await mustBeAdmitted(endpoint, request, ids, options)
      },
    }),
    // a HEAD of an endless response would never end, and anything may send one
    ...((endpoint.reply === 'stream' || endpoint.changes) && { exposeHeadRoute: false }),
    handler: async (request, reply) => {
      const who: Who = { personId: null, orgId: null, projectId: null }
      const tell = (event: string, code?: ErrorCode) =>
        options.onSecurity({
          event,
          ...who,
          address: request.ip,
          endpoint: `${endpoint.method} ${endpoint.path}`,
          ...(code && { code }),
        })
      try {
        const answered = await answer(route, request, reply, options, who)
        const event = eventOfSuccess(endpoint)
        if (event) tell(event)
        return answered
      } catch (thrown) {
        const code = thrown instanceof Failure ? thrown.code : undefined
        const event = code && eventOfRefusal(code, endpoint)
        if (event) tell(event, code)
        return refuse(request.log, reply, thrown)
      }
    },
  })
}

/** Sends what was thrown as problem details; undeclared errors are logged with their cause. */
export function refuse(log: FastifyBaseLogger, reply: FastifyReply, thrown: unknown): FastifyReply {
  const { failure, unexpected } = failureOf(thrown)
  // a client that disconnected while sending its body isn't our error, and nobody waits for a response
  const { complete, destroyed } = reply.request.raw
  const hasLeft = destroyed && !complete
  if (unexpected && !hasLeft) log.error({ err: failure.cause ?? failure }, 'request failed')
  return sendProblem(reply, failure.code, failure.facts)
}

/** Throws what the route throws by the path alone. Another site isn't told what that is. */
async function mustBeWorthReading(
  { endpoint, beforeBody }: Route,
  request: FastifyRequest,
  { publicUrl }: HttpOptions,
): Promise<void> {
  mustNotBeForeign(endpoint, request, publicUrl)
  // the parameters' type follows from the endpoint at the handle() call; here all endpoints are alike
  await beforeBody?.(parseParams(endpoint, request) as never)
}

/** Throws what the access check throws, before the body is read. */
async function mustBeAdmitted(
  { access }: EndpointShape,
  request: FastifyRequest,
  ids: EntryIds,
  options: HttpOptions,
): Promise<void> {
  const now = options.clock.now()
  if (ids.tokenHash === null) throw fail('UNAUTHORIZED')
  await options.admission.beforeBody(ids, request, () =>
    readTenant(options.pool, ids, now, async (_, entered) => admit(access, entered, now)),
  )
}
