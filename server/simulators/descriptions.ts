import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import addFormats from 'ajv-formats'
import { OpenAPIRouter, OpenAPIValidator, type Operation } from 'openapi-backend'
import { parse } from 'yaml'
import { z } from 'zod'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { platformSpecs } from '../env.ts'

/*
 * Where the platforms' own API descriptions are, and how they're read. They aren't part of this repository:
 * PLATFORM_SPECS names the folder.
 */

type Validator = InstanceType<typeof OpenAPIValidator>

export type Description = {
  hosts: readonly string[]
  /** The operation described for a path; the most specific one if several match. */
  callAt: (method: string, path: string) => Operation | undefined
  /** Validates values as they are: for JSON. */
  strict: Validator
  /** Accepts numbers as text: for forms. */
  coercing: Validator
  /** Paths that end with a slash, which `callAt` doesn't match. */
  slashed: ReadonlySet<string>
  /** Whether it says which calls need a token. */
  saysSecurity: boolean
}

const google = 'google-business-profile/mybusiness'
const files: Partial<Record<PlatformKey, readonly { file: string; hosts: readonly string[] }[]>> = {
  facebook: [
    { file: 'facebook/graph-pages.generated.openapi.json', hosts: ['graph.facebook.com', 'graph-video.facebook.com'] },
  ],
  instagram: [
    { file: 'instagram/instagram-facebook-login.generated.openapi.json', hosts: ['graph.facebook.com'] },
    // the Pages that professional accounts are linked to
    { file: 'facebook/graph-pages.generated.openapi.json', hosts: ['graph.facebook.com'] },
    { file: 'instagram/instagram-login.generated.openapi.json', hosts: ['graph.instagram.com'] },
  ],
  threads: [{ file: 'threads/threads.handwritten.openapi.yaml', hosts: ['graph.threads.net'] }],
  linkedin: [{ file: 'linkedin/linkedin-rest.handwritten.openapi.yaml', hosts: ['api.linkedin.com'] }],
  x: [{ file: 'x/openapi.json', hosts: ['api.x.com'] }],
  tiktok: [{ file: 'tiktok/tiktok.handwritten.openapi.yaml', hosts: ['open.tiktokapis.com'] }],
  youtube: [
    { file: 'youtube/youtube-v3.generated.openapi.json', hosts: ['www.googleapis.com', 'youtube.googleapis.com'] },
    { file: 'youtube/youtubeAnalytics-v2.generated.openapi.json', hosts: ['youtubeanalytics.googleapis.com'] },
  ],
  googlemybusiness: [
    { file: `${google}-v4.handwritten.openapi.yaml`, hosts: ['mybusiness.googleapis.com'] },
    {
      file: `${google}accountmanagement-v1.generated.openapi.json`,
      hosts: ['mybusinessaccountmanagement.googleapis.com'],
    },
    {
      file: `${google}businessinformation-v1.generated.openapi.json`,
      hosts: ['mybusinessbusinessinformation.googleapis.com'],
    },
    { file: `${google}notifications-v1.generated.openapi.json`, hosts: ['mybusinessnotifications.googleapis.com'] },
    {
      file: 'google-business-profile/businessprofileperformance-v1.generated.openapi.json',
      hosts: ['businessprofileperformance.googleapis.com'],
    },
  ],
}

let told = false

/** The folder of descriptions; undefined for `none`, or if there is none, which is logged once. With CI it must exist. */
export function descriptionsFolder(): string | undefined {
  const asked = platformSpecs()
  if (asked.folder === 'none') return undefined
  const folder = asked.folder ?? resolve(import.meta.dirname, '../../../shared/platform-specs')
  if (existsSync(folder)) return folder
  if (asked.required) throw new Error(`PLATFORM_SPECS: no descriptions of platforms at ${folder}`)
  if (!told)
    console.warn(`No platform API descriptions at ${folder}, so requests to platforms aren't checked against them.`)
  told = true
  return undefined
}

const Document = z.looseObject({
  paths: z.record(z.string(), z.looseObject({})),
  security: z.array(z.unknown()).optional(),
})
const loaded = new Map<string, Description>()

/** Every description of a platform; empty for those that publish none. */
export function descriptionsOf(folder: string, platform: PlatformKey): Description[] {
  return (files[platform] ?? []).map(({ file, hosts }) => {
    const path = join(folder, file)
    const known = loaded.get(path)
    if (known) return { ...known, hosts }
    const made = load(path, hosts)
    loaded.set(path, made)
    return made
  })
}

function load(path: string, hosts: readonly string[]): Description {
  const document = Document.parse(parseFile(path))
  const slashed = new Set<string>()
  const paths = Object.entries(document.paths).map(([name, item]) => {
    if (name.endsWith('/')) slashed.add(name.slice(0, -1))
    return [name.replace(/(?<=.)\/$/, ''), withServers(item)] as const
  })
  // parsed above; the library checks the rest of the OpenAPI document
  const definition = dereferenced({ ...document, paths: Object.fromEntries(paths) }) as ConstructorParameters<
    typeof OpenAPIRouter
  >[0]['definition']
  const router = new OpenAPIRouter({ definition })
  const validator = (coerceTypes: boolean) =>
    new OpenAPIValidator({
      definition,
      router,
      lazyCompileValidators: true,
      ajvOpts: { strict: false, coerceTypes, allErrors: true },
      customizeAjv: (ajv) => (addFormats.default(ajv), ajv),
    })
  return {
    hosts,
    callAt: callsOf(router.getOperations()),
    strict: validator(false),
    coercing: validator(true),
    slashed,
    saysSecurity: document.security !== undefined,
  }
}

/** Matches like the library's router, which builds its list and patterns for each call: here they're cached. */
function callsOf(operations: readonly Operation[]): Description['callAt'] {
  const literal = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
  const patterns = operations
    .map((operation) => {
      const literals = operation.path.split(/\{[^}]+\}/)
      return {
        operation,
        letters: literals.join('').length,
        pattern: new RegExp(`^${literals.map((part) => RegExp.escape(part)).join('[^/]+')}$`),
      }
    })
    .toSorted((a, b) => b.letters - a.letters)
  return (method, path) => {
    const [verb, place] = [method.toLowerCase(), path.replace(/(?<=.)\/+$/, '')]
    return (
      literal.get(`${verb} ${place}`) ??
      patterns.find(({ operation, pattern }) => operation.method === verb && pattern.test(place))?.operation
    )
  }
}

function parseFile(path: string): unknown {
  const text = readFileSync(path, 'utf8')
  return path.endsWith('.json') ? JSON.parse(text, withoutRepeats) : parse(text)
}

/** A path's own hosts apply to each of its calls. */
function withServers(item: Record<string, unknown>): Record<string, unknown> {
  if (item.servers === undefined) return item
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null && 'operationId' in value
        ? { servers: item.servers, ...value }
        : value,
    ]),
  )
}

/** Replaces every `$ref` with what it points to: the same object each time, so that cycles stay cycles. */
function dereferenced(document: Record<string, unknown>): unknown {
  const done = new Map<unknown, unknown>()
  const at = (pointer: string): unknown =>
    pointer
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (node, key) =>
          typeof node === 'object' && node !== null
            ? Reflect.get(node, key.replaceAll('~1', '/').replaceAll('~0', '~'))
            : undefined,
        document,
      )
  const walk = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    if ('$ref' in node && typeof node.$ref === 'string') return walk(at(node.$ref))
    const known = done.get(node)
    if (known !== undefined) return known
    if (Array.isArray(node)) {
      const list: unknown[] = []
      done.set(node, list)
      list.push(...node.map(walk))
      return list
    }
    const copy: Record<string, unknown> = {}
    done.set(node, copy)
    for (const [key, value] of Object.entries(node)) copy[key] = walk(value)
    return copy
  }
  return walk(document)
}

const Servers = z.array(z.object({ url: z.url() }))

/** The hosts at which a call exists. */
export function hostsOf(description: Description, operation: Operation): readonly string[] {
  const own = Servers.safeParse(operation.servers)
  return own.success ? own.data.map(({ url }) => new URL(url).host) : description.hosts
}

/** X's description repeats a value of an enum, which JSON Schema forbids. */
const withoutRepeats = (name: string, value: unknown): unknown =>
  name === 'enum' && Array.isArray(value) ? [...new Set(value)] : value
