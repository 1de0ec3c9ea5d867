import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access, BodyOf, EndpointShape, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { Permissions, PublishingChoice } from '#contract/permissions.ts'
import type { Entitlements, PlanFacts } from '#contract/plans.ts'
import type { Tx } from '../db/kysely.ts'

/** Who calls: a session and its person. `secondFactor`: whether the session used one. */
export type Caller = { sessionId: string; personId: string; confirmed: boolean; secondFactor: boolean }
export type CallerOrg = { orgId: string; isAdmin: boolean; plan: PlanFacts; entitlements: Entitlements }
export type CallerProject = {
  projectId: string
  /** The project's zone, an IANA name. */
  zone: string
  roleId: string | null
  roleName: string | null
  /** What the caller may do, including the publishing choice. */
  permissions: Permissions
  publishing: PublishingChoice
  /** The role's channels; null means every channel of the project. */
  channelIds: readonly string[] | null
}

/** One line of the audit log, as it's written. */
export type AuditEntry = {
  orgId: string
  projectId: string | null
  personId: string | null
  action: string
  entity: string
  entityId: string
  /**
   * Small facts. Changes are in `before` and `after`, field by field: ids of people and things, settings, times, and
   * names of things. Never names of people, and never the text of posts.
   */
  detail?: Record<string, unknown> | undefined
  address?: string | undefined
}

/**
 * The running request's audit entry. Action and entity come from the endpoint's declaration, or from `as` if the call
 * turned out to do something else.
 */
export type AuditFacts = {
  entityId: string
  detail?: Record<string, unknown>
  orgId?: string
  projectId?: string
  as?: Pick<AuditEntry, 'action' | 'entity'>
}

type Common<E extends EndpointShape> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  now: Date
  /** The client's address, only read from configured proxies. */
  address: string
  /** The client's user agent. */
  client: string
  /** Opens or ends the session cookie. */
  setSession(token: string): void
  clearSession(): void
  /** Runs after the commit, before the response is sent. */
  afterCommit(job: () => void): void
  /** Whether anyone asked this lately: only then a reply is worth holding that takes work to be checked later. */
  isAskedAgain(question: string): boolean
  request: FastifyRequest
}

/** A change that open screens are notified of; organization and project default to the request's. */
export type Told = LiveEvent & { projectId?: string | null; personId?: string; orgId?: string }

/** The same with its organization and project, as it's stored. */
export type Emitted = LiveEvent & { orgId: string; projectId: string | null; personId?: string | undefined }

type WithTx = {
  /**
   * The request's transaction, inside the caller's tenant. Committed when the verb returns, rolled back when it throws.
   */
  tx: Tx
  /** Writes the declared audit entry in this transaction, or one for each of several things. */
  audit(facts: AuditFacts | readonly AuditFacts[]): Promise<void>
  /** Notifies open screens of changes, in this transaction. */
  emit(events: Told | readonly Told[]): Promise<void>
}

type Granted<A extends Access> = A extends { kind: 'public' }
  ? { caller: Caller | null }
  : A extends { kind: 'session' | 'user' }
    ? WithTx & { caller: Caller }
    : A extends { kind: 'member' | 'orgAdmin' }
      ? WithTx & { caller: Caller; org: CallerOrg }
      : WithTx & { caller: Caller; org: CallerOrg; project: CallerProject }

/** What a verb gets: the parsed request and what the access check granted. */
export type Context<E extends EndpointShape = EndpointShape> = Common<E> & Granted<E['access']>
export type ProjectRequest = Common<EndpointShape> & WithTx & { caller: Caller; org: CallerOrg; project: CallerProject }

/** What one transaction of a detached verb gets: permissions are read and checked again, because time has passed. */
export type ProjectContext = WithTx & { caller: Caller; org: CallerOrg; project: CallerProject; now: Date }
/** The same for a call that belongs to the organization as a whole. */
export type OrgContext = Omit<ProjectContext, 'project'>
/**
 * What a detached verb gets: no transaction of the request's own. In a project, a way to open short ones around its
 * network calls; a person's own verbs use the system role.
 */
export type DetachedContext<E extends EndpointShape = EndpointShape> = Common<E> &
  (E['access'] extends { kind: 'user' }
    ? { caller: Caller }
    : E['access'] extends { kind: 'orgAdmin' | 'member' }
      ? { caller: Caller; org: CallerOrg; inTenant<T>(fn: (t: OrgContext) => Promise<T>): Promise<T> }
      : {
          caller: Caller
          org: CallerOrg
          project: CallerProject
          /** Enters the tenant again, with the endpoint's access check, and commits what `fn` does. */
          inTenant<T>(fn: (t: ProjectContext) => Promise<T>): Promise<T>
        })

const rawJson = Symbol('raw JSON')
/** JSON that PostgreSQL wrote, passed through unchanged. A test parses it with the contract. */
export type RawJson = { [rawJson]: string; asOf: AsOf | undefined }
/**
 * A list's position among the project's events. Every transaction before `xid` is in what was read with it. It also
 * contains the database's history, so that one from before a restore is refused, when it was read, and what its reader
 * may see. Clients send it back unchanged.
 */
export type Revision = { xid: string; history: string; minute: number; rights: string }
/**
 * What a reply was made from, so that the same reply can be sent again while that is the same: a list's position, which
 * becomes its ETag, or the stamp of a post (functions/reply_checks.sql).
 */
export type AsOf = { revision: Revision; recent: string | null } | { revision: Revision; postId: string; stamp: string }
/** Marks JSON to be sent unchanged. */
export const passThrough = (json: string, asOf?: AsOf): RawJson => ({ [rawJson]: json, asOf })
const madeFrom = new WeakMap<object, AsOf>()
/** Notes what a value was made from. */
export function withAsOf<T extends object>(value: T, asOf: AsOf): T {
  madeFrom.set(value, asOf)
  return value
}
/** What a value or marked JSON was made from, by which it may be sent again while that's the same. */
export const asOfOf = (value: unknown): AsOf | undefined =>
  isRawJson(value) ? value.asOf : typeof value === 'object' && value !== null ? madeFrom.get(value) : undefined
/** The marked JSON; undefined for any other reply. */
export const rawJsonOf = (value: unknown): string | undefined => (isRawJson(value) ? value[rawJson] : undefined)
const isRawJson = (value: unknown): value is RawJson => typeof value === 'object' && value !== null && rawJson in value

/** A file that is sent as it is, or a part of it with `status` 206. */
export type Bytes = {
  bytes: NodeJS.ReadableStream | Buffer
  contentType: string
  length?: number
  status?: number
  headers?: Record<string, string>
}

/** Bytes that are fetched or drawn first: created after the access check, with no transaction open. */
export type LateBytes = () => Promise<Bytes>

export type Verb<E extends EndpointShape> = (c: Context<E>) => Promise<ReplyOf<E> | RawJson>

export type Route = {
  endpoint: EndpointShape
  /** Throws for a caller whose body isn't worth reading. Gets the path's parameters, parsed. */
  beforeBody?: (params: never) => Promise<void>
  answer:
    | { kind: 'json'; verb: (c: never) => Promise<unknown> }
    | { kind: 'detached'; verb: (c: never) => Promise<unknown> }
    | { kind: 'bytes'; verb: (c: never) => Promise<Bytes | LateBytes> }
    | { kind: 'stream'; open: (c: never, reply: FastifyReply) => void }
}

/**
 * Binds an endpoint of the contract to its verb. An endpoint for everybody can refuse a call by its path alone, before
 * its body is read.
 */
export function handle<E extends EndpointShape>(
  endpoint: E,
  verb: Verb<E>,
  {
    beforeBody,
  }: { beforeBody?: E['access'] extends { kind: 'public' } ? (params: ParamsOf<E>) => Promise<void> : never } = {},
): Route {
  return { endpoint, ...(beforeBody && { beforeBody }), answer: { kind: 'json', verb } }
}

/**
 * Binds an endpoint of a project, an organization or a person whose verb uses the network or takes long, such as
 * hashing and drawing: no transaction is open in the meantime. The access check runs first, and again in each
 * `c.inTenant`.
 */
export function handleDetached<
  E extends EndpointShape & { access: { kind: 'project' | 'user' | 'orgAdmin' | 'member' }; idempotent?: never },
>(endpoint: E, verb: (c: DetachedContext<E>) => Promise<ReplyOf<E> | RawJson>): Route {
  return { endpoint, answer: { kind: 'detached', verb } }
}

/** Binds an endpoint that returns a file. A verb that has to get it from the network returns a function. */
export function handleBytes<E extends EndpointShape & { reply: 'bytes' }>(
  endpoint: E,
  verb: (c: Context<E>) => Promise<Bytes | LateBytes>,
): Route {
  return { endpoint, answer: { kind: 'bytes', verb } }
}

/**
 * Binds an endpoint whose response stays open. The access check runs first, in its own transaction, which has ended by
 * then.
 */
export function handleStream<E extends EndpointShape & { reply: 'stream' }>(
  endpoint: E,
  open: (c: Omit<Context<E>, 'tx' | 'audit' | 'emit'>, reply: FastifyReply) => void,
): Route {
  return { endpoint, answer: { kind: 'stream', open } }
}
