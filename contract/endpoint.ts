import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Kind } from './kinds.ts'
import type { Action, Resource } from './permissions.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call an endpoint. Checked by the server before the handler runs; the access test walks every endpoint with
 * every kind of caller, so an endpoint whose check is missing fails the build.
 */
export type Access =
  /** Anyone, with or without a session. */
  | { kind: 'public' }
  /** Anyone with a session, confirmed or not. */
  | { kind: 'session' }
  /** A person with a session and a confirmed address. */
  | { kind: 'user' }
  /** A member of the organization named by `:orgId`. */
  | { kind: 'member' }
  /** An admin of the organization named by `:orgId`. */
  | { kind: 'orgAdmin' }
  /**
   * A person whose role in the project named by `:projectId` allows one of the actions on the resource, or one of those
   * in `or`; without actions, anyone in the project.
   */
  | { kind: 'project'; resource: Resource; anyOf: readonly Action[]; or?: readonly Allowed[] }

/** Any of these actions on a resource. */
type Allowed = { resource: Resource; anyOf: readonly Action[] }

/** A changing endpoint names the audit entry it writes, or says why it writes none. Reading endpoints carry null. */
type AuditDeclaration = { action: string; entity: string } | { none: string } | null

/**
 * What a call costs the server, which decides how often a person and an organization may make it. The numbers are in
 * server/http/limits.ts.
 * - `light`: reads or changes a few rows that it names, or has limits of its own (signing in)
 * - `list`: reads many rows by filters; counts when it searches for words or names many ids
 * - `draft`: saves what someone is writing, about once a second
 * - `post`: changes one post, or submits some together
 * - `bulk`: changes up to hundreds of posts
 * - `media`: takes, fetches or converts a file
 * - `preview`: asks a platform or a website for something to show
 * - `ai`: asks a language model
 * - `export`: writes a file of many rows
 */
export type Cost = 'light' | 'list' | 'draft' | 'post' | 'bulk' | 'media' | 'preview' | 'ai' | 'export'

/**
 * How an endpoint affects cached responses. A reading endpoint names the kinds of data that its response contains: a
 * change of one makes it stale. A changing endpoint names the kinds that are stale after it succeeds; none if nobody
 * caches them. A GET that changes something, where the specification requires that, declares `changes`: no other site
 * may send a browser there.
 */
type CacheTags = { reads: readonly Kind[]; changes?: never } | { changes: readonly Kind[]; reads?: never }

/** What a reply with an ETag is made from. */
export type Revisioned = 'posts' | 'figures' | 'conversations'

export type EndpointShape = CacheTags & {
  method: Method
  /** Path with `:name` parameters, starting with /api. */
  path: `/api/${string}`
  /** One line for people, printed in the reference. */
  summary: string
  access: Access
  cost: Cost
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  reply: z.ZodType | 'stream' | 'bytes'
  /** Declared failures besides those that access and parsing imply. */
  errors?: readonly ErrorCode[]
  audit: AuditDeclaration
  /** The security event logged for a success, such as `password.changed`. `login`: recorded by the login itself. */
  security?: string
  /**
   * The largest body in bytes, if it may be larger than usual: 32 kB without a session; with one, as much as its schema
   * accepts, but at least 32 kB and at most 2 MB.
   */
  bodyLimit?: number
  /** The body is passed on unchanged, for signed bodies: as text, or bytes in base64. Its schema is a string. */
  rawBody?: 'text' | 'base64'
  /**
   * Its response has an ETag, and a request with it in If-None-Match gets 304 as long as none of the project's posts,
   * channels, labels, campaigns and people has changed; with `figures`, nor any of its figures, nor the day; with
   * `conversations`, none of its conversations, channels and people. Its verb says as of when the response is.
   */
  revisioned?: Revisioned
  /** Accepts an Idempotency-Key header: the same key returns the same reply for 24 h. */
  idempotent?: true
}

/** Declares one endpoint. The server registers it, the web calls it, OpenAPI is printed from it, the access test walks it. */
export function endpoint<const E extends EndpointShape>(shape: E): E {
  return shape
}

/** Access for people who may do any of the actions on the resource in the project. */
export function can(resource: Resource, ...anyOf: [Action, ...Action[]]): Extract<Access, { kind: 'project' }> {
  return { kind: 'project', resource, anyOf }
}

/** Access for people who may do any of the actions on any of the resources, for what several resources have in common. */
export function canEither(
  { resource, anyOf }: ReturnType<typeof can>,
  ...or: ReturnType<typeof can>[]
): ReturnType<typeof can> {
  return { kind: 'project', resource, anyOf, or: or.map((one) => ({ resource: one.resource, anyOf: one.anyOf })) }
}

/** Access for everyone in the project, with any role. */
export const anyInProject = { kind: 'project', resource: 'project', anyOf: [] } as const satisfies Access

export const everybody = { kind: 'public' } as const satisfies Access
export const anySession = { kind: 'session' } as const satisfies Access
export const anyUser = { kind: 'user' } as const satisfies Access
export const anyMember = { kind: 'member' } as const satisfies Access
export const orgAdmins = { kind: 'orgAdmin' } as const satisfies Access

type Infer<T, Fallback> = T extends z.ZodType ? z.output<T> : Fallback
type InferInput<T, Fallback> = T extends z.ZodType ? z.input<T> : Fallback

export type ParamsOf<E extends EndpointShape> = Infer<E['params'], Record<string, never>>
export type QueryOf<E extends EndpointShape> = Infer<E['query'], Record<string, never>>
export type BodyOf<E extends EndpointShape> = Infer<E['body'], undefined>
export type ReplyOf<E extends EndpointShape> = Infer<E['reply'], never>

/** What a caller passes: the input side of the schemas, without parts that the endpoint lacks. */
export type CallOf<E extends EndpointShape> = (E['params'] extends z.ZodType
  ? { params: InferInput<E['params'], never> }
  : object) &
  (E['query'] extends z.ZodType ? { query?: InferInput<E['query'], never> } : object) &
  (E['body'] extends z.ZodType ? { body: InferInput<E['body'], never> } : object)
