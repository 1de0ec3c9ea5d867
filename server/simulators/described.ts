import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Operation } from 'openapi-backend'
import { z } from 'zod'
import { descriptionsFolder, descriptionsOf, hostsOf, type Description } from './descriptions.ts'
import { handRules } from './handRules.ts'
import type { HandRule } from './handRule.ts'
import { lexiconViolations } from './lexicons.ts'
import { seeBody, type Asked, type SeenBody } from './seenBody.ts'

export type Described = {
  /** What the platform wouldn't accept, one line each; empty if everything is valid. */
  check: (request: Asked) => Promise<string[]>
  /** What the platform wouldn't have responded, if its responses are described. */
  checkAnswer: (request: Asked, status: number, json: unknown) => string[]
}

/**
 * Platforms without a machine-readable description: our handwritten rules are all there is, and they're always here.
 */
const HAND_WRITTEN = new Set<PlatformKey>(['mastodon', 'pinterest'])
const cache = new Map<PlatformKey, Described>()

/**
 * The platform's own API description, to check requests and responses against. Undefined if there is no folder of
 * descriptions (PLATFORM_SPECS), which is logged once; with CI=true that is an error.
 */
export function described(platform: PlatformKey): Described | undefined {
  const known = cache.get(platform)
  if (known) return known
  const folder = HAND_WRITTEN.has(platform) ? '' : descriptionsFolder()
  if (folder === undefined) return undefined
  const made =
    platform === 'bluesky'
      ? { check: async (asked: Asked) => lexiconViolations(folder, asked, await bodyOf(asked)), checkAnswer: () => [] }
      : against(descriptionsOf(folder, platform), platform)
  cache.set(platform, made)
  return made
}

const bodyOf = async ({ headers, body }: Asked): Promise<SeenBody> =>
  typeof body === 'object' && 'kind' in body ? body : await seeBody(lower(headers)['content-type'], body)

const lower = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function against(descriptions: readonly Description[], platform: PlatformKey): Described {
  const rules = handRules.filter(({ platforms }) => platforms.includes(platform))
  return {
    async check(request) {
      const url = new URL(request.url)
      const seen = {
        method: request.method.toUpperCase(),
        url,
        headers: lower(request.headers),
        body: await bodyOf(request),
      }
      const rule = rules.find(
        ({ host, method, path, with: field }) =>
          (host?.test(url.host) ?? true) &&
          method === seen.method &&
          path.test(url.pathname) &&
          (field === undefined || (isRecord(seen.body.value) && field in seen.body.value)),
      )
      if (rule) return byHand(rule, seen)
      const found = find(descriptions, seen.method, url)
      return found ? byDescription(found, seen) : [`no such call: ${seen.method} ${url.host}${url.pathname}`]
    },
    checkAnswer(request, status, json) {
      const url = new URL(request.url)
      // the description's path of any ID fits such a call as well
      const isByHand = rules.some(
        ({ host, method, path, with: field }) =>
          field === undefined && method === request.method && (host?.test(url.host) ?? true) && path.test(url.pathname),
      )
      const found = isByHand ? undefined : find(descriptions, request.method, url)
      if (!found) return []
      const { errors } = found.description.strict.validateResponse(json, found.operation, status)
      return (errors ?? []).map((error) => sentence('answer', error))
    },
  }
}

type Seen = { method: string; url: URL; headers: Record<string, string>; body: SeenBody }
type Found = { description: Description; operation: Operation }

function find(descriptions: readonly Description[], method: string, { host, pathname }: URL): Found | undefined {
  for (const description of descriptions) {
    const operation = description.callAt(method, pathname)
    if (operation && hostsOf(description, operation).includes(host)) return { description, operation }
  }
  return undefined
}

/** Names in a platform's documentation that differ from its description. */
const ALSO_CALLED: Record<string, Record<string, string>> = { 'api.x.com': { 'tweet.fields': 'post.fields' } }

function byDescription({ description, operation }: Found, { method, url, headers, body }: Seen): string[] {
  const violations: string[] = []
  const query = Object.fromEntries(
    [...url.searchParams].map(([name, value]) => [ALSO_CALLED[url.host]?.[name] ?? name, value]),
  )
  if (description.slashed.has(operation.path) && !url.pathname.endsWith('/'))
    violations.push('path must end with a slash')
  if (operation.requestBody !== undefined && body.kind !== 'none') violations.push(...typeViolations(operation, body))
  if (
    needsToken(description, operation) &&
    !/^(Bearer|OAuth) \S+$/.test(headers.authorization ?? '') &&
    !('access_token' in query) &&
    !(isRecord(body.value) && 'access_token' in body.value)
  )
    violations.push('no token')
  const fields =
    body.kind === 'multipart' && isRecord(body.value)
      ? { ...body.value, ...Object.fromEntries(Object.keys(body.files).map((name) => [name, 'a file'])) }
      : body.value
  // a binary upload has nothing to validate, but it exists
  const content = body.kind === 'none' ? undefined : body.kind === 'bytes' ? 'bytes' : fields
  const validator = body.kind === 'json' ? description.strict : description.coercing
  const { errors } = validator.validateRequest(
    {
      method,
      path: url.pathname,
      query,
      headers: body.kind === 'bytes' ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(content !== undefined && { body: content }),
    },
    operation,
  )
  // the library would parse binary data as invalid JSON
  return [
    ...violations,
    ...(errors ?? [])
      .filter((error) => !(body.kind === 'bytes' && error.keyword === 'parse'))
      .map((error) => sentence('request', error)),
  ]
}

const Content = z.looseObject({ content: z.record(z.string(), z.unknown()) })

function typeViolations(operation: Operation, body: SeenBody): string[] {
  const described = Content.safeParse(operation.requestBody)
  if (!described.success) return []
  const types = Object.keys(described.data.content)
  const fits = types.some(
    (type) =>
      type === body.contentType ||
      type === '*/*' ||
      (type.endsWith('/*') && body.contentType.startsWith(type.slice(0, -1))),
  )
  if (!fits) return [`content-type ${body.contentType || 'is missing'}: takes ${types.join(', ')}`]
  return body.kind !== 'bytes' && body.value === undefined ? ['the body cannot be read'] : []
}

/** Documents without security requirements are Google's, where every call needs a token. */
function needsToken(description: Description, operation: Operation): boolean {
  return !description.saysSecurity || (operation.security ?? []).length > 0
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function sentence(
  what: string,
  { instancePath, message, params }: { instancePath: string; message?: string; params: unknown },
): string {
  return `${what}${instancePath.replace('/requestBody', '/body')} ${message ?? 'is wrong'} ${JSON.stringify(params)}`
}

function byHand(rule: HandRule, { url, headers, body }: Seen): string[] {
  const violations: string[] = []
  const query = Object.fromEntries(url.searchParams)
  const fields = (body.kind === 'form' || body.kind === 'multipart') && isRecord(body.value) ? body.value : {}
  const judge = (what: string, schema: z.ZodType | undefined, value: unknown): void => {
    const result = schema?.safeParse(value)
    if (result?.success === false)
      violations.push(...result.error.issues.map((issue) => `${what}/${issue.path.join('/')} ${issue.message}`))
  }
  if (rule.json && body.kind !== 'form') judge('body', rule.json, body.value)
  if (rule.params && !(rule.json && body.kind === 'json')) judge('request', rule.params, { ...query, ...fields })
  if (rule.json === undefined && body.kind === 'json') violations.push('takes no JSON')
  judge('headers', rule.headers, headers)
  for (const name of rule.files ?? []) if (!body.files[name]) violations.push(`the file ${name} is missing`)
  if (rule.token === 'bearer' && !/^Bearer \S+$/.test(headers.authorization ?? '') && query.access_token === undefined)
    violations.push('no token')
  if (rule.token === 'basic' && !/^Basic \S+$/.test(headers.authorization ?? '') && fields.client_id === undefined)
    violations.push('the client does not say who it is')
  return violations
}
