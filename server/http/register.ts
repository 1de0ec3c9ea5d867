import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { z } from 'zod'
import { Id } from '#contract/common.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/kysely.ts'
import { enterTenant, readTenant, type Entered, type EntryIds } from '../db/tenant.ts'
import { Failure, fail } from '../errors.ts'
import type { SecurityEvent } from '../security.ts'
import { admit, type Grant } from './access.ts'
import type { Admission } from './admission.ts'
import { despiteDeadlocks } from './deadlock.ts'
import { hasBody, lengthOf, SIGNED_IN_BODY, SMALL_BODY } from './connections.ts'
import { isReplayed, once } from './idempotency.ts'
import { isForeign } from './origin.ts'
import { failureOf, fieldErrors, sendProblem } from './problem.ts'
import {
  rawJsonOf,
  type AuditEntry,
  type AuditFacts,
  type Bytes,
  type Emitted,
  type LateBytes,
  type Route,
  type Told,
} from './route.ts'
import { eventOfRefusal, eventOfSuccess, type Who } from './securityEvents.ts'
import { findInvalidText } from './invalidText.ts'
import { clearSessionCookie, hashToken, sessionTokenOf, setSessionCookie } from './session.ts'

export type HttpOptions = {
  pool: pg.Pool
  /** Whose turn it is at the database, and who calls too often. */
  admission: Admission
  clock: Clock
  publicUrl: string
  /** Called when a session was last seen more than an hour ago, after the answer. */
  onSeen: (sessionId: string) => void
  /** Hears of what matters for security: refusals, and changes that their endpoint or its audit entry declares as such. */
  onSecurity: (event: SecurityEvent) => void
  /** Writes what `c.audit` hands over, in the request's transaction. */
  writeAudit: (tx: Tx, entries: readonly AuditEntry[], now: Date) => Promise<void>
  /** Writes what `c.emit` tells open screens, in the request's transaction. */
  writeEvents: (tx: Tx, events: readonly Emitted[], now: Date) => Promise<void>
  /** Tests: every JSON answer is parsed by its contract, and a difference is an error. */
  checkReplies: boolean
}

/** Registers one endpoint: enter, parse, run, present. Each failure leaves as problem details. */
export function register(app: FastifyInstance, route: Route, options: HttpOptions): void {
  const { endpoint } = route
  const isOpen = endpoint.access.kind === 'public'
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.rawBody && { config: { rawBody: true } }),
    bodyLimit: endpoint.bodyLimit ?? (isOpen ? SMALL_BODY : SIGNED_IN_BODY),
    // who may not call has no large body read
    ...(!isOpen && {
      preParsing: async (request: FastifyRequest) => {
        if (hasBody(request) && (lengthOf(request) ?? Infinity) > SMALL_BODY)
          await mustBeAdmitted(endpoint, request, options)
      },
    }),
    // a HEAD of an answer that never ends would never end, and one may come from anything that only looks
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

/** Sends what was thrown as problem details; what nobody declared is logged with its cause. */
export function refuse(log: FastifyBaseLogger, reply: FastifyReply, thrown: unknown): FastifyReply {
  const { failure, unexpected } = failureOf(thrown)
  // a client that left in the middle of its body is no fault of ours, and there is nobody to answer
  const { complete, destroyed } = reply.request.raw
  const hasLeft = destroyed && !complete
  if (unexpected && !hasLeft) log.error({ err: failure.cause ?? failure }, 'request failed')
  return sendProblem(reply, failure.code, failure.facts)
}

async function answer(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  who: Who,
): Promise<unknown> {
  const { endpoint } = route
  if ((endpoint.method !== 'GET' || endpoint.changes) && isForeign(request, options.publicUrl))
    throw fail('FOREIGN_ORIGIN')
  const now = options.clock.now()
  const { token, ids } = entryOf(request, options)
  const later: (() => void)[] = []
  let cookieSet = false
  const common = {
    now,
    address: request.ip,
    client: request.headers['user-agent']?.slice(0, 200) ?? '',
    setSession(value: string) {
      cookieSet = true
      setSessionCookie(reply, options.publicUrl, value)
    },
    clearSession() {
      cookieSet = true
      clearSessionCookie(reply, options.publicUrl)
    },
    afterCommit: (job: () => void) => void later.push(job),
    request,
  }

  // a public endpoint without a session needs no transaction of the request's own
  if (endpoint.access.kind === 'public' && route.answer.kind === 'json') {
    const own = { ...ids, orgId: null, projectId: null }
    const read = () => enterTenant(options.pool, own, now, async (_, entered) => admit(endpoint.access, entered, now))
    const caller = token ? (await options.admission.atDatabase(own, request, read)).caller : null
    who.personId = caller?.personId ?? null
    const context = { ...common, ...parse(endpoint, request), caller }
    const value = await run(route.answer.verb, context)
    for (const job of later) job()
    return present(endpoint, value, reply, options)
  }

  const audited = { done: false }
  const isUnaudited = (value: unknown) =>
    endpoint.audit !== null && 'action' in endpoint.audit && !audited.done && !isReplayed(value)
  let isCounted = false
  let seen: { sessionId: string; at: Date } | undefined
  const enter = async (tx: Tx, entered: Entered) => {
    later.length = 0
    audited.done = false
    who.personId = entered.person_id
    // a member without a second factor is one of the organization all the same
    who.orgId = entered.second_factor_missing ? ids.orgId : entered.org_id
    who.projectId = entered.project_id
    const grant = admit(endpoint.access, entered, now)
    // a reading may run twice, see readTenant
    if (!isCounted) options.admission.count(endpoint, request, ids, grant)
    isCounted = true
    if (entered.session_id && entered.session_seen_at)
      seen = { sessionId: entered.session_id, at: entered.session_seen_at }
    const parsed = parse(endpoint, request)
    if (route.answer.kind === 'stream' || route.answer.kind === 'detached') return { ...common, ...parsed, ...grant }
    const context = {
      ...common,
      ...parsed,
      ...grant,
      tx,
      ...recorders(endpoint, tx, grant, now, request.ip, audited, options),
    }
    const { verb } = route.answer
    const value = await (endpoint.idempotent
      ? once(tx, endpoint, request, grant, now, () => run(verb, context))
      : run(verb, context))
    if (isUnaudited(value))
      throw new Error(`${endpoint.method} ${endpoint.path} declares an audit entry and wrote none`)
    return value
  }
  // a GET changes nothing unless its endpoint says so
  const enterAs =
    endpoint.method === 'GET' && !endpoint.changes && route.answer.kind === 'json' ? readTenant : enterTenant
  const result = await options.admission.atDatabase(ids, request, () =>
    despiteDeadlocks(() => enterAs(options.pool, ids, now, enter)),
  )
  if (seen && token && now.getTime() - seen.at.getTime() > 3_600_000) {
    options.onSeen(seen.sessionId)
    // the cookie's end slides with the session's
    if (!cookieSet) setSessionCookie(reply, options.publicUrl, token)
  }
  if (route.answer.kind === 'detached') {
    // what the first entrance answered is this verb's context
    const { verb } = route.answer
    const inTenant = reenter(endpoint, ids, request, audited, options)
    const value = await options.admission.outside(endpoint.cost, ids, request, () =>
      run(verb, { ...(result as object), inTenant }),
    )
    // its transactions are committed: too late to refuse
    if (isUnaudited(value)) {
      if (options.checkReplies)
        throw new Error(`${endpoint.method} ${endpoint.path} declares an audit entry and wrote none`)
      request.log.error(`${endpoint.method} ${endpoint.path} declares an audit entry and wrote none`)
    }
    for (const job of later) job()
    return present(endpoint, value, reply, options)
  }
  for (const job of later) job()

  if (route.answer.kind === 'stream') {
    void reply.hijack()
    await run(async (context: never) => route.answer.kind === 'stream' && route.answer.open(context, reply), result)
    return reply
  }
  if (route.answer.kind === 'bytes') {
    // a verb of a bytes route returns Bytes, now or later, see handleBytes
    const made = result as Bytes | LateBytes
    const file = typeof made === 'function' ? await options.admission.outside(endpoint.cost, ids, request, made) : made
    if (file.length !== undefined) void reply.header('content-length', file.length)
    return reply
      .code(file.status ?? 200)
      .headers(file.headers ?? {})
      .type(file.contentType)
      .send(file.bytes)
  }
  return present(endpoint, result, reply, options)
}

// the context's type follows from the endpoint at the handle() call; here all endpoints are alike
const run = (verb: (c: never) => Promise<unknown>, context: unknown): Promise<unknown> => verb(context as never)

/** Short transactions for a detached verb; each enters as the request did, with the rights of that moment. */
function reenter(
  endpoint: EndpointShape,
  ids: EntryIds,
  request: FastifyRequest,
  audited: { done: boolean },
  options: HttpOptions,
) {
  return <T>(fn: (t: unknown) => Promise<T>): Promise<T> => {
    const now = options.clock.now()
    return options.admission.atDatabase(ids, request, () =>
      despiteDeadlocks(() =>
        enterTenant(options.pool, ids, now, async (tx, entered) => {
          const grant = admit(endpoint.access, entered, now)
          return await fn({ ...grant, tx, now, ...recorders(endpoint, tx, grant, now, request.ip, audited, options) })
        }),
      ),
    )
  }
}

function recorders(
  endpoint: EndpointShape,
  tx: Tx,
  grant: Grant,
  now: Date,
  address: string,
  audited: { done: boolean },
  options: HttpOptions,
) {
  return {
    async audit(facts: AuditFacts | readonly AuditFacts[]) {
      const declared = endpoint.audit
      if (!declared || !('action' in declared)) throw new Error(`${endpoint.path} declares no audit entry`)
      audited.done = true
      const all: readonly AuditFacts[] = 'entityId' in facts ? [facts] : facts
      const entries = all.map(({ entityId, detail, as = declared, ...place }) => {
        const orgId = place.orgId ?? grant.org?.orgId
        if (!orgId) throw new Error('an audit entry needs an organization')
        const projectId = place.projectId ?? grant.project?.projectId ?? null
        return {
          orgId,
          projectId,
          personId: grant.caller?.personId ?? null,
          action: as.action,
          entity: as.entity,
          entityId,
          detail,
          address,
        }
      })
      await options.writeAudit(tx, entries, now)
    },
    async emit(events: Told | readonly Told[]) {
      const all: readonly Told[] = 'kind' in events ? [events] : events
      const whole = all.map((event) => {
        const orgId = event.orgId ?? grant.org?.orgId
        if (!orgId) throw new Error('an event needs an organization')
        return { projectId: grant.project?.projectId ?? null, ...event, orgId }
      })
      await options.writeEvents(tx, whole, now)
    },
  }
}

/** Who calls and whither, as `enter` is asked. */
function entryOf(request: FastifyRequest, { publicUrl }: HttpOptions): { token: string | undefined; ids: EntryIds } {
  const token = sessionTokenOf(request, publicUrl)
  const ids = {
    tokenHash: token ? hashToken(token) : null,
    orgId: idOf(request, 'orgId'),
    projectId: idOf(request, 'projectId'),
  }
  return { token, ids }
}

/** Throws what the access check throws, before the body is read. */
async function mustBeAdmitted({ access }: EndpointShape, request: FastifyRequest, options: HttpOptions): Promise<void> {
  const now = options.clock.now()
  const { ids } = entryOf(request, options)
  if (ids.tokenHash === null) throw fail('UNAUTHORIZED')
  await options.admission.atDatabase(ids, request, () =>
    readTenant(options.pool, ids, now, async (_, entered) => admit(access, entered, now)),
  )
}

/** An organization or project id of the path. A malformed one is as good as unknown: the access check refuses it. */
function idOf(request: FastifyRequest, name: string): string | null {
  const params = request.params
  const value = typeof params === 'object' && params !== null && name in params ? Reflect.get(params, name) : undefined
  return Id.safeParse(value).data ?? null
}

function parse(endpoint: EndpointShape, request: FastifyRequest) {
  const params = endpoint.params?.safeParse(request.params)
  if (params && !params.success) throw fail('NOT_FOUND')
  mustKnowQuery(endpoint, request.query)
  const query = endpoint.query?.safeParse(request.query)
  if (query && !query.success) throw fail('BAD_INPUT', { errors: fieldErrors(query.error, request.query) })
  const body = endpoint.body?.safeParse(request.body ?? {})
  if (body && !body.success) throw fail('BAD_INPUT', { errors: fieldErrors(body.error, request.body) })
  const unkept = findInvalidText(query?.data) ?? findInvalidText(body?.data)
  if (unkept !== undefined) throw fail('BAD_INPUT', { errors: { [unkept]: ["Contains a character we can't store"] } })
  return { params: params?.data ?? {}, query: query?.data ?? {}, body: body?.data }
}

/** A name that the endpoint lacks is refused: a filter that is silently dropped would answer everything. */
function mustKnowQuery({ query, reply }: EndpointShape, given: unknown): void {
  // what a browser follows may carry more than we wrote, such as the parameters of mail programs
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

function present(endpoint: EndpointShape, value: unknown, reply: FastifyReply, options: HttpOptions): unknown {
  const raw = rawJsonOf(value)
  if (endpoint.reply === 'bytes' || endpoint.reply === 'stream')
    throw new Error(`${endpoint.path} does not answer JSON`)
  if (options.checkReplies) {
    const parsed = endpoint.reply.safeParse(raw === undefined ? value : JSON.parse(raw))
    if (!parsed.success)
      throw new Error(`${endpoint.path} does not answer by its contract: ${z.prettifyError(parsed.error)}`)
  }
  void reply.type('application/json; charset=utf-8')
  return raw === undefined
    ? reply.serializer(serializerOf(endpoint.reply, reply)).send(value)
    : reply.serializer(String).send(raw)
}

type Serializer = ReturnType<FastifyReply['compileSerializationSchema']>
const serializers = new WeakMap<z.ZodType, Serializer>()

/** Fields that the contract lacks never leave. Made at the first answer: most of a start went into those that nobody calls. */
function serializerOf(schema: z.ZodType, reply: FastifyReply): Serializer {
  const known = serializers.get(schema)
  if (known) return known
  const made = reply.compileSerializationSchema(replySchema(schema))
  serializers.set(schema, made)
  return made
}

function replySchema(reply: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(reply, { io: 'output', target: 'draft-7', unrepresentable: 'any' })
  return schema
}
