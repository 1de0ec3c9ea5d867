import type { FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { EndpointShape } from '#contract/endpoint.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/kysely.ts'
import { enterTenant, type Entered, type EntryIds } from '../db/tenant.ts'
import type { SecurityEvent } from '../security.ts'
import { admit, type Grant } from './access.ts'
import type { Admission } from './admission.ts'
import type { Checks } from './checks.ts'
import { despiteDeadlocks } from './deadlock.ts'
import { despiteNeeds } from './needsFirst.ts'
import type { HeldReplies } from './heldReplies.ts'
import { idOf, parse } from './input.ts'
import type { AuditEntry, AuditFacts, Emitted, Told } from './route.ts'
import type { Who } from './securityEvents.ts'
import { clearSessionCookie, hashToken, sessionTokenOf, setSessionCookie } from './session.ts'

/** How often a session's last use is stored at most, in milliseconds. */
const SEEN_EVERY_MS = 3_600_000

export type HttpOptions = {
  pool: pg.Pool
  /** Whose turn it is at the database, and who calls too often. */
  admission: Admission
  /** Replies that were made before, and the checks of whether they still hold. */
  held: HeldReplies
  checks: Checks
  clock: Clock
  publicUrl: string
  /** Called after the response, if a session was last seen more than an hour ago. */
  onSeen: (sessionId: string) => void
  /** Receives events that matter for security: refusals, and changes whose endpoint or audit entry declares them. */
  onSecurity: (event: SecurityEvent) => void
  /** Writes the entries of `c.audit`, in the request's transaction. */
  writeAudit: (tx: Tx, entries: readonly AuditEntry[], now: Date) => Promise<void>
  /** Writes the events of `c.emit` for open screens, in the request's transaction. */
  writeEvents: (tx: Tx, events: readonly Emitted[], now: Date) => Promise<void>
  /** Tests: every JSON reply is parsed with its contract, and a difference is an error. */
  checkReplies: boolean
}

/** One call on its way through the server. */
export type Call = ReturnType<typeof beginCall>

export function beginCall(
  endpoint: EndpointShape,
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  who: Who,
) {
  const now = options.clock.now()
  const { token, ids } = entryOf(request, options)
  const later: (() => void)[] = []
  const cookie = { isSet: false }
  return {
    endpoint,
    request,
    reply,
    options,
    who,
    now,
    token,
    ids,
    /** What runs once the transaction is durable. */ later,
    cookie,
    /** Whether the audit entry was written. */ audited: { done: false },
    /** Whether it was counted against its caller's limits: once, however often it enters. */ counted: {
      done: false,
    },
    /** What every verb gets. */
    common: {
      now,
      address: request.ip,
      client: request.headers['user-agent']?.slice(0, 200) ?? '',
      setSession(value: string) {
        cookie.isSet = true
        setSessionCookie(reply, options.publicUrl, value)
      },
      clearSession() {
        cookie.isSet = true
        clearSessionCookie(reply, options.publicUrl)
      },
      afterCommit: (job: () => void) => void later.push(job),
      isAskedAgain: (question: string) => options.held.isAskedAgain(question),
      request,
    },
  }
}

/** The result of `enter`: a verb's context, without what needs the transaction. */
type Inside = { tx: Tx; grant: Grant; context: object }

/**
 * Enters the organization and project in the path, admits the caller and runs `fn` in that transaction. A read, or a
 * call that met a deadlock, may run twice. Throws what the access check and the schemas throw.
 */
export async function enter<T>(
  call: Call,
  enterAs: typeof enterTenant,
  fn: (inside: Inside) => Promise<T>,
): Promise<T> {
  const { endpoint, request, options, now, ids } = call
  let seen: Entered | undefined
  const run = async (tx: Tx, entered: Entered) => {
    call.later.length = 0
    call.audited.done = false
    setWho(call, entered)
    const grant = admit(endpoint.access, entered, now)
    countOnce(call, grant)
    seen = entered
    return await fn({ tx, grant, context: { ...call.common, ...parse(endpoint, request), ...grant } })
  }
  const result = await options.admission.atDatabase(ids, request, () =>
    despiteDeadlocks(() => enterAs(options.pool, ids, now, run)),
  )
  if (seen) noteUse(call, seen)
  return result
}

/** Notes who calls, for events that matter for security. */
export function setWho({ who, ids }: Call, entered: Entered): void {
  who.personId = entered.person_id
  // a member without a second factor still belongs to the organization
  who.orgId = entered.second_factor_missing ? ids.orgId : entered.org_id
  who.projectId = entered.project_id
}

/** Counts the call against its caller's limits, unless that was done. Throws TOO_MANY_REQUESTS. */
export function countOnce({ counted, options, endpoint, request, ids }: Call, grant: Grant): void {
  if (!counted.done) options.admission.count(endpoint, request, ids, grant)
  counted.done = true
}

/** Stores that the session was used, if its last use was long ago. */
export function noteUse({ token, now, options, reply, cookie }: Call, entered: Entered): void {
  const { session_id: sessionId, session_seen_at: seenAt } = entered
  if (!token || !sessionId || !seenAt || now.getTime() - seenAt.getTime() <= SEEN_EVERY_MS) return
  options.onSeen(sessionId)
  // the cookie's expiry moves with the session's
  if (!cookie.isSet) setSessionCookie(reply, options.publicUrl, token)
}

/** Whether the endpoint declares an audit entry that its verb didn't write. */
export const isUnaudited = ({ endpoint, audited }: Call): boolean =>
  endpoint.audit !== null && 'action' in endpoint.audit && !audited.done

/** Short transactions for a detached verb; each enters as the request did, with the permissions of that moment. */
export function reenter(call: Call) {
  const { endpoint, ids, request, options } = call
  const enterOnce = <T>(fn: (t: unknown) => Promise<T>): Promise<T> => {
    const now = options.clock.now()
    return options.admission.atDatabase(ids, request, () =>
      despiteDeadlocks(() =>
        enterTenant(options.pool, ids, now, async (tx, entered) => {
          const grant = admit(endpoint.access, entered, now)
          return await fn({ ...grant, tx, now, ...recorders(call, tx, grant, now) })
        }),
      ),
    )
  }
  return <T>(fn: (t: unknown) => Promise<T>): Promise<T> => despiteNeeds(() => enterOnce(fn), enterOnce)
}

/** What a verb writes besides its rows: its audit entry, and events for open screens. */
export function recorders({ endpoint, request, options, audited }: Call, tx: Tx, grant: Grant, now: Date) {
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
          address: request.ip,
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

/** Who calls and where to, as `enter` needs it. */
export function entryOf(
  request: FastifyRequest,
  { publicUrl }: Pick<HttpOptions, 'publicUrl'>,
): { token: string | undefined; ids: EntryIds } {
  const token = sessionTokenOf(request, publicUrl)
  const ids = {
    tokenHash: token ? hashToken(token) : null,
    orgId: idOf(request, 'orgId'),
    projectId: idOf(request, 'projectId'),
  }
  return { token, ids }
}
