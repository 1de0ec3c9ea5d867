import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isbot } from 'isbot'
import { networkOf } from '../http/attempts.ts'

/** Who asked, as far as counting needs it: nothing of it is kept. */
export type Visit = { method: string; address: string; headers: IncomingHttpHeaders }

/** What browsers say when they load a page that nobody has opened yet. */
const EARLY = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const
/** How many visitors of one network a page can have in a day: agents are told apart by this many kinds. */
const KINDS = 64
/** Browsers' names as long as this are remembered, and so many of them: that saves most of what counting costs. */
const [LENGTH_MOST, AGENTS_MOST] = [400, 1_000]

/** Whether an agent is a person's, and which kind it is. */
type Agent = { isPersons: boolean; kind: number }
const agents = new Map<string, Agent>()

function agentOf(name: string): Agent {
  const known = agents.get(name)
  if (known) return known
  const agent = { isPersons: !isbot(name), kind: hash('sha256', name, 'buffer').readUInt8(0) % KINDS }
  if (agents.size >= AGENTS_MOST) agents.clear()
  if (name.length <= LENGTH_MOST) agents.set(name, agent)
  return agent
}

/** Whether a person opened it: not a HEAD, not a program, not a browser that only prepares for a click. */
export function isPersons({ method, headers }: Visit): boolean {
  if (method !== 'GET') return false
  for (const name of EARLY) if (headers[name] !== undefined && isEarly(String(headers[name]))) return false
  const agent = headers['user-agent']
  // every browser names itself
  return agent !== undefined && agent !== '' && agentOf(agent).isPersons
}

const isEarly = (purpose: string) => /prefetch|prerender|preview/i.test(purpose)

/**
 * Who a page's visitor is, as 22 letters of base64. Everyone of a network whose agent is of the same kind counts as one, so
 * forged agents make at most 64 visitors. It isn't stored: only what it becomes with the day's salt is.
 */
export function visitorOf(pageId: string, { address, headers }: Visit): string {
  const { kind } = agentOf(headers['user-agent'] ?? '')
  return hash('sha256', `${pageId} ${networkOf(address)} ${kind}`, 'base64').slice(0, VISITOR_LENGTH)
}
/** Letters of base64: more than 16 bytes. */
const VISITOR_LENGTH = 22
