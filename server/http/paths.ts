import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'

/** Far longer than any path of the product, including signed links. In characters. */
const LONGEST_PATH = 2048
/** The longest file name on common disks. In bytes. */
const LONGEST_NAME = 255

/** Refuses paths that no page or client of ours requests, before anything looks them up. */
export function refuseHostilePaths(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (isHostile(pathOf(request.raw.url))) throw fail('NOT_FOUND')
  })
}

/** The path of a request's target, as it was sent. */
export const pathOf = (url = ''): string => url.split('?', 1)[0] ?? ''

/** Whether a path is below /api, in any spelling: what isn't an endpoint there isn't a page either. */
export const isBelowApi = (path: string): boolean => /^\/api(?:\/|$)/i.test(decoded(path) ?? path)

/**
 * Whether a path tries to be another one: empty, `.` and `..` segments, backslashes and control characters, encoded or
 * not, broken encodings, and lengths that only cause errors.
 */
function isHostile(path: string): boolean {
  const plain = decoded(path)
  if (plain === undefined || !plain.startsWith('/') || path.length > LONGEST_PATH) return true
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\\\u0000-\u001f\u007f]/.test(plain)) return true
  const segments = plain.slice(1).split('/')
  // one slash at the end is common
  if (segments.at(-1) === '') segments.pop()
  return segments.some(
    (segment) => segment === '' || segment === '.' || segment === '..' || Buffer.byteLength(segment) > LONGEST_NAME,
  )
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
