import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isbot } from 'isbot'
import { networkOf } from '../http/attempts.ts'

/** Who asked, as far as counting needs it: nothing of it is kept. */
export type Visit = { method: string; address: string; headers: IncomingHttpHeaders }

/** What browsers say when they load a page that nobody has opened yet. */
const EARLY = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/** Whether a person opened it: not a HEAD, not a program, not a browser that only prepares for a click. */
export function isPersons({ method, headers }: Visit): boolean {
  if (method !== 'GET') return false
  if (EARLY.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))) return false
  const agent = headers['user-agent']
  // every browser names itself
  return agent !== undefined && agent !== '' && !isbot(agent)
}

/** How many visitors of one network a page can have in a day: agents are told apart by this many kinds. */
const KINDS = 64

/**
 * Who a page's visitor is, as 16 bytes in base64. Everyone of a network whose agent is of the same kind counts as one, so
 * forged agents make at most 64 visitors. It isn't stored: only what it becomes with the day's salt is.
 */
export function visitorOf(pageId: string, { address, headers }: Visit): string {
  const kind = hash('sha256', headers['user-agent'] ?? '', 'buffer').readUInt8(0) % KINDS
  return hash('sha256', `${pageId} ${networkOf(address)} ${kind}`, 'buffer').toString('base64', 0, 16)
}
