import fastifyCookie from '@fastify/cookie'
import fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify'
import { api } from '#contract/api.ts'
import { writeAudit } from './audit/write.ts'
import { emit } from './live/emit.ts'
import {
  boundConnections,
  CONNECTION_LIMITS,
  serverTimeouts,
  SMALL_BODY,
  type ConnectionLimits,
} from './http/connections.ts'
import { BODY_SHARES, boundBodies, type BodyShares } from './http/bodies.ts'
import { entryOf } from './http/call.ts'
import { compressReplies } from './http/compress.ts'
import { createAdmission } from './http/admission.ts'
import { Checks } from './http/checks.ts'
import { HeldReplies } from './http/heldReplies.ts'
import { watchForwarded } from './http/forwarded.ts'
import { refuseForeignHosts } from './http/host.ts'
import { openApi } from './http/openapi.ts'
import { refuseHostilePaths } from './http/paths.ts'
import { refuse, register } from './http/register.ts'
import { NO_CALL, sendProblem } from './http/problem.ts'
import type { Route } from './http/route.ts'
import { refuseUnreadable } from './http/unreadable.ts'
import { securityHeaders } from './http/securityHeaders.ts'
import { unreasonable } from './http/invalidText.ts'
import type { Dependencies } from './dependencies.ts'
import { fail } from './errors.ts'
import { loggedError } from './log.ts'
import { isPublicAddress } from './platforms/addresses.ts'
import type { Readiness } from './readiness.ts'

const VERSION = '0.1.0'

export type AppOptions = {
  routes: readonly Route[]
  /** Called when a session was last seen more than an hour ago. */
  onSeen: (sessionId: string) => void
  /** Tests: every reply is parsed with its contract. */
  checkReplies?: boolean
  /** Whether requests can be served, and why not. */
  ready?: () => Promise<Readiness>
  metrics?: () => Promise<string>
  /** Benchmarks of verbs: how many bytes of replies are held to be sent again. */
  heldReplyBytes?: number
  /** Tests: smaller limits than the product's. */
  limits?: Partial<ConnectionLimits>
  bodies?: BodyShares
  /** Tests: receives the log's lines. */
  logTo?: { write(line: string): void }
}

/** The product's HTTP side: the contract's routes, their description, and health. */
export async function createApp(
  deps: Pick<Dependencies, 'env' | 'clock' | 'databases' | 'security'>,
  options: AppOptions,
): Promise<FastifyInstance> {
  const { env, clock, databases } = deps
  const limits = { ...CONNECTION_LIMITS, ...options.limits }
  const security = securityHeaders(env)
  /** Of every reply; `cache-control` unless it has another one. */
  const headersOf = ({ id, url }: Pick<FastifyRequest, 'id' | 'url'>): Record<string, string> => ({
    'x-request-id': id,
    ...security,
    ...(url.startsWith('/api/') && { 'cache-control': 'no-store' }),
  })
  const app = fastify({
    logger:
      env.LOG_LEVEL === 'silent'
        ? false
        : {
            level: env.LOG_LEVEL,
            ...(options.logTo && { stream: options.logTo }),
            redact: ['req.headers.cookie', 'req.headers.authorization', 'res.headers["set-cookie"]'],
            serializers: {
              req: (request) => ({ method: request.method, url: withoutToken(request.url) }),
              err: loggedError,
            },
          },
    logController: new LogController({ disableRequestLogging: env.LOG_LEVEL !== 'debug' && env.LOG_LEVEL !== 'trace' }),
    trustProxy: env.TRUST_PROXY.length > 0 ? env.TRUST_PROXY : false,
    ...serverTimeouts(limits),
    clientErrorHandler: refuseUnreadable,
    // each endpoint has its own; this one is for unknown URLs
    bodyLimit: SMALL_BODY,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    genReqId: () => crypto.randomUUID(),
    // for URLs that no route can be looked up for, which no hook sees either
    frameworkErrors(thrown, request, reply) {
      void reply.headers(headersOf(request))
      refuse(request.log, reply, thrown)
    },
    // register() parses input with Zod; Fastify's own validation has nothing to do
    ajv: { customOptions: { strict: false } },
  })
  boundConnections(app, { env, clock, limits, warn: (facts, message) => app.log.warn(facts, message) })
  const admission = createAdmission(clock)
  boundBodies(app, options.bodies ?? BODY_SHARES, (request) => admission.personOf(entryOf(request, env).ids))
  refuseForeignHosts(app, env)
  refuseHostilePaths(app)
  await app.register(fastifyCookie)
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // signed bodies are parsed by the code that checked the signature
    if ('rawBody' in request.routeOptions.config) return done(null, String(body))
    try {
      const parsed: unknown = body === '' ? undefined : JSON.parse(String(body))
      const why = unreasonable(parsed)
      if (why !== undefined) throw fail('BAD_INPUT', { detail: why })
      done(null, parsed)
    } catch (error) {
      done(error instanceof Error ? error : new SyntaxError('not JSON'))
    }
  })
  // email programs that unsubscribe send a form (RFC 8058); only the URL matters. No call reads its input from one, but for
  // signed forms of platforms
  app.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'multipart/form-data'],
    { parseAs: 'string', bodyLimit: 10_000 },
    (request, body, done) => done(null, 'rawBody' in request.routeOptions.config ? String(body) : undefined),
  )
  watchForwarded(app, (facts, message) => app.log.warn(facts, message))
  app.setErrorHandler((thrown, request, reply) => refuse(request.log, reply, thrown))
  app.addHook('onSend', async (request, reply) => {
    const { 'cache-control': noStore, 'referrer-policy': referrers, ...headers } = headersOf(request)
    void reply.headers(headers)
    // a route may be stricter
    if (noStore !== undefined && !reply.hasHeader('cache-control')) void reply.header('cache-control', noStore)
    if (referrers !== undefined && !reply.hasHeader('referrer-policy')) void reply.header('referrer-policy', referrers)
  })

  compressReplies(app)

  const held = new HeldReplies(options.heldReplyBytes)
  const checks = new Checks(databases.web, () => clock.now())
  const http = {
    pool: databases.web,
    admission,
    held,
    checks,
    clock,
    publicUrl: env.publicUrl,
    onSeen: options.onSeen,
    onSecurity: (event: Parameters<typeof deps.security.record>[0]) => deps.security.record(event),
    writeAudit,
    writeEvents: emit,
    checkReplies: options.checkReplies ?? false,
  }
  for (const route of options.routes) {
    if (route.endpoint.rawBody !== 'base64') register(app, route, http)
    else
      await app.register(async (scope) => {
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
          done(null, body.toString('base64')),
        )
        register(scope, route, http)
      })
  }

  // written when it's first asked for: it unfolds the schemas of all endpoints, which are most of the app's memory
  let description: Buffer | undefined
  app.get('/api/openapi.json', (_request, reply) => {
    description ??= Buffer.from(JSON.stringify(openApi(api, VERSION, env.publicUrl)))
    return reply.type('application/json').serializer(String).send(description)
  })
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok', version: VERSION }))
  app.get('/readyz', async (_request, reply) => {
    const busy = { ready: false, why: 'too many requests are waiting for the database' }
    const state: Readiness = admission.isStalled ? busy : ((await options.ready?.()) ?? { ready: true })
    return reply.code(state.ready ? 200 : 503).send(state)
  })
  if (options.metrics) {
    const metrics = options.metrics
    app.get('/metrics', async (request, reply) =>
      isOutsider(request) ? reply.callNotFound() : reply.type('text/plain; version=0.0.4').send(await metrics()),
    )
  }
  app.all('/api/*', (_request, reply) => sendProblem(reply, 'NOT_FOUND', { detail: NO_CALL }))
  return app
}

/** Metrics are for the operator: not for the internet, nor for requests through an unknown proxy. */
const isOutsider = ({ ip, socket, headers }: Pick<FastifyRequest, 'ip' | 'socket' | 'headers'>): boolean =>
  isPublicAddress(ip) || (headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress)

/**
 * A URL as logs may contain it: no query, and no token of a link that decides, serves a file, accepts one, lets someone in
 * or shows a report.
 */
export const withoutToken = (url: string): string =>
  (url.split('?')[0] ?? '').replace(
    /(\/approval\/|\/approve\/|\/media\/(?:file|thumbnail)\/|\/upload\/|\/invite\/|^\/r\/(?:(?:confirm|stop|file)\/)?)[^/]+/u,
    '$1...',
  )
