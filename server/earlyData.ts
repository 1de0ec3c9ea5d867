import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Id } from '#contract/common.ts'
import { EARLY_ELEMENT, firstCalls } from '#contract/early.ts'
import type { Dependencies } from './dependencies.ts'
import { asSystem } from './db/system.ts'
import { pathOf } from './http/paths.ts'
import { sessionTokenOf } from './http/session.ts'
import { writeCursor } from './live/cursor.ts'
import { currentCursor } from './live/read.ts'

/**
 * How long a page waits for its data: the app requests what is missing. The first calls after a start compile code and
 * open connections; the app's own calls would take as long, so that page waits for them. Milliseconds.
 */
const PATIENCE = { cold: 3000, warm: 300 }

/**
 * Creates the element with early data (contract/early.ts) for a project's page and a person with a session; undefined
 * for everyone else and all other pages. The calls are made as the browser would make them, with its cookies and from
 * its address, so that the same checks and limits apply: a page contains nothing that its person couldn't request.
 */
export function earlyDataOf(
  app: FastifyInstance,
  deps: Pick<Dependencies, 'databases' | 'env' | 'clock'>,
  patience: typeof PATIENCE = PATIENCE,
): (request: FastifyRequest) => Promise<string | undefined> {
  let isWarm = false
  return async (request) => {
    const { env } = deps
    const project = projectIn(pathOf(request.url))
    if (!project || request.method !== 'GET' || !sessionTokenOf(request, env.publicUrl)) return undefined
    const stop = new AbortController()
    const late = pause(isWarm ? patience.warm : patience.cold, undefined, { signal: stop.signal }).catch(
      () => undefined,
    )
    // the app reports an unavailable database
    const made = read(app, deps, request, project).catch(() => undefined)
    const data = await Promise.race([made, late]).finally(() => stop.abort())
    isWarm ||= data !== undefined
    return data
  }
}

function projectIn(path: string): { orgId: string; projectId: string } | undefined {
  const [, orgId, projectId] = /^\/([^/]+)\/project\/([^/]+)(?:\/|$)/.exec(path) ?? []
  return Id.safeParse(orgId).success && Id.safeParse(projectId).success && orgId && projectId
    ? { orgId, projectId }
    : undefined
}

async function read(
  app: FastifyInstance,
  { databases, clock }: Pick<Dependencies, 'databases' | 'clock'>,
  request: FastifyRequest,
  project: { orgId: string; projectId: string },
): Promise<string | undefined> {
  // before anything else is read, so that no change is missed in between
  const readAt = clock.now().toISOString()
  const after = writeCursor(await asSystem(databases.system, currentCursor))
  const { 'accept-encoding': _, 'if-none-match': __, ...headers } = request.headers
  const remoteAddress = request.socket.remoteAddress
  const answered = await Promise.all(
    firstCalls(project).map(async (url) => {
      const { statusCode, payload } = await app.inject({ url, headers, ...(remoteAddress && { remoteAddress }) })
      return statusCode === 200 ? [`${JSON.stringify(url)}:${payload}`] : []
    }),
  )
  const replies = answered.flat()
  if (replies.length === 0) return undefined
  return elementOf(`{"events":${JSON.stringify({ after, readAt })},"replies":{${replies.join()}}}`)
}

/**
 * In JSON, `<` only occurs inside strings: escaped there, no text can end the element, begin a comment or another
 * element.
 */
const elementOf = (json: string): string =>
  `<script id="${EARLY_ELEMENT.id}" type="${EARLY_ELEMENT.type}">${json.replaceAll('<', String.raw`\u003c`)}</script>`
