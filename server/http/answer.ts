import type { FastifyReply, FastifyRequest } from 'fastify'
import { changeTenant, enterTenant, readTenant } from '../db/tenant.ts'
import { admit } from './access.ts'
import { answerHeld, hold } from './answerHeld.ts'
import { beginCall, enter, isUnaudited, recorders, reenter, type Call, type HttpOptions } from './call.ts'
import { once, replayOf } from './idempotency.ts'
import { parse } from './input.ts'
import { despiteNeeds } from './needsFirst.ts'
import { mustNotBeForeign } from './origin.ts'
import { jsonOf, sendJson } from './present.ts'
import { asOfOf, type Bytes, type LateBytes, type Route } from './route.ts'
import type { Who } from './securityEvents.ts'

type Verb = (c: never) => Promise<unknown>

/** Answers one call, each kind of reply in its own way. Errors become problem details. */
export async function answer(
  { endpoint, answer: how }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  who: Who,
): Promise<unknown> {
  mustNotBeForeign(endpoint, request, options.publicUrl)
  const call = beginCall(endpoint, request, reply, options, who)
  if (how.kind === 'stream') return await answerStream(call, how.open)
  if (how.kind === 'bytes') return await answerBytes(call, how.verb)
  if (how.kind === 'detached') return await answerDetached(call, how.verb)
  return endpoint.access.kind === 'public' ? await answerPublic(call, how.verb) : await answerJson(call, how.verb)
}

// the context's type follows from the endpoint at the handle() call; here all endpoints are alike
const run = (verb: Verb, context: unknown): Promise<unknown> => verb(context as never)

/** A public endpoint needs no transaction of the request's own; without a session it reads nothing. */
async function answerPublic(call: Call, verb: Verb): Promise<unknown> {
  const { endpoint, request, options, now, who } = call
  const ids = { ...call.ids, orgId: null, projectId: null }
  const read = () => enterTenant(options.pool, ids, now, async (_, entered) => admit(endpoint.access, entered, now))
  const caller = call.token ? (await options.admission.atDatabase(ids, request, read)).caller : null
  who.personId = caller?.personId ?? null
  const value = await run(verb, { ...call.common, ...parse(endpoint, request), caller })
  return presented(call, value)
}

/** A verb in the request's transaction that returns JSON. */
async function answerJson(call: Call, verb: Verb): Promise<unknown> {
  const { endpoint, reply, options, later, ids, request } = call
  if (await answerHeld(call)) return reply
  // a GET changes nothing unless its endpoint says so
  const isReading = endpoint.method === 'GET' && !endpoint.changes
  const enterAs = isReading ? readTenant : endpoint.idempotent ? changeTenant : enterTenant
  const value = await despiteNeeds(
    () => runInside(call, enterAs, verb),
    reenter(call),
    (work) => options.admission.outside('media', ids, request, work),
  )
  for (const job of later) job()
  const json = jsonOf(endpoint, value, reply, options.checkReplies)
  const asOf = asOfOf(value)
  if (asOf) hold(call, asOf, json)
  return sendJson(reply, json)
}

/** A verb in the request's transaction that returns a file, which may be created after the transaction. */
async function answerBytes(call: Call, verb: Verb): Promise<unknown> {
  const { endpoint, request, reply, options, ids } = call
  // a verb of a bytes route returns Bytes, now or later, see handleBytes
  const made = (await runInside(call, enterTenant, verb)) as Bytes | LateBytes
  for (const job of call.later) job()
  const file = typeof made === 'function' ? await options.admission.outside(endpoint.cost, ids, request, made) : made
  if (file.length !== undefined) void reply.header('content-length', file.length)
  return reply
    .code(file.status ?? 200)
    .headers(file.headers ?? {})
    .type(file.contentType)
    .send(file.bytes)
}

/** Events for as long as the caller listens. */
async function answerStream(call: Call, open: (c: never, reply: FastifyReply) => void): Promise<unknown> {
  const context = await enter(call, enterTenant, async (inside) => inside.context)
  for (const job of call.later) job()
  void call.reply.hijack()
  await run(async (c) => open(c, call.reply), context)
  return call.reply
}

/** A verb outside of any transaction, which opens short ones itself. */
async function answerDetached(call: Call, verb: Verb): Promise<unknown> {
  const { endpoint, request, options, ids } = call
  const context = await enter(call, enterTenant, async (inside) => inside.context)
  const value = await options.admission.outside(endpoint.cost, ids, request, () =>
    run(verb, { ...context, inTenant: reenter(call) }),
  )
  // its transactions are committed: too late to refuse
  if (isUnaudited(call)) {
    const problem = `${endpoint.method} ${endpoint.path} declares an audit entry and wrote none`
    if (options.checkReplies) throw new Error(problem)
    request.log.error(problem)
  }
  return presented(call, value)
}

async function runInside(call: Call, enterAs: typeof enterTenant, verb: Verb): Promise<unknown> {
  const { endpoint, request, now } = call
  try {
    return await enter(call, enterAs, async ({ tx, grant, context }) => {
      const runVerb = () => run(verb, { ...context, tx, ...recorders(call, tx, grant, now) })
      const value = await (endpoint.idempotent ? once(tx, endpoint, request, grant, now, runVerb) : runVerb())
      if (isUnaudited(call))
        throw new Error(`${endpoint.method} ${endpoint.path} declares an audit entry and wrote none`)
      return value
    })
  } catch (thrown) {
    const reply = replayOf(thrown)
    call.later.length = 0
    return reply
  }
}

function presented({ endpoint, reply, options, later }: Call, value: unknown): unknown {
  for (const job of later) job()
  return sendJson(reply, jsonOf(endpoint, value, reply, options.checkReplies))
}
