import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { SafeAnswer, SafeRequest } from '../platforms/safeHttp.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { described } from '../simulators/described.ts'
import { seeBody, type SeenBody } from '../simulators/seenBody.ts'

/** One response of the script: what the platform returns, or that there is no complete response. */
export type Step = {
  /** The expected start of the request: method, host and path, such as `POST graph.threads.net/v1.0/me/threads`. */
  on?: string
  /** 200 by default. */
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** No response: `lost` after the request may have arrived, `unsent` before a byte was written. */
  fails?: 'lost' | 'unsent'
  /** Isn't checked against the description: for a request that must be refused. */
  unchecked?: boolean
}

/** A request as the script received it. */
export type ScriptedRequest = {
  method: string
  url: URL
  headers: Record<string, string>
  body: SeenBody
  timeoutMs: number
  maxBytes: number
}

export type ScriptedFetch = SafeFetch & {
  /** Every request, in order. */
  asked: ScriptedRequest[]
  /** Requests as `METHOD host/path`. */
  calls: () => string[]
  /** How many responses weren't used. */
  left: () => number
}

/**
 * A fetch with scripted responses, in order. Each request is checked against the platform's description; invalid and
 * unexpected requests throw, which no adapter catches. `lost` drops the n-th response, counted from 0: the call counts
 * as carried out.
 */
export function scriptedFetch(
  platform: PlatformKey,
  steps: readonly (Step | ((request: ScriptedRequest) => Step))[],
  options: { lost?: number } = {},
): ScriptedFetch {
  const asked: ScriptedRequest[] = []
  const calls = (): string[] => asked.map(({ method, url }) => `${method} ${url.host}${url.pathname}`)
  const script = async (address: string, request: SafeRequest): Promise<SafeAnswer> => {
    const seen = await see(address, request)
    const at = asked.push(seen) - 1
    const call = `${seen.method} ${seen.url.host}${seen.url.pathname}`
    const next = steps[at]
    if (next === undefined) throw new Error(`The script has ${steps.length} answers, and then came ${call}`)
    const step = typeof next === 'function' ? next(seen) : next
    if (step.on !== undefined && !call.startsWith(step.on))
      throw new Error(`The script expects ${step.on}, and ${call} came`)
    const violations = step.unchecked ? [] : ((await described(platform)?.check({ ...seen, url: address })) ?? [])
    if (violations.length > 0) throw new Error(`${call}: ${violations.join('; ')}`)
    return answerOf(step, address, options.lost === at)
  }
  return Object.assign(script, { asked, calls, left: () => Math.max(0, steps.length - asked.length) })
}

async function see(
  address: string,
  { method = 'GET', headers = {}, body, timeoutMs, maxBytes }: SafeRequest,
): Promise<ScriptedRequest> {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const streamed = typeof body === 'object' && 'open' in body
  const seen = await seeBody(lower['content-type'], streamed ? body.open() : body)
  if (streamed && seen.bytes !== body.bytes)
    throw new Error(`A body of ${body.bytes} bytes was announced and ${seen.bytes} came`)
  return { method, url: new URL(address), headers: lower, body: seen, timeoutMs, maxBytes }
}

function answerOf(step: Step, url: string, lost: boolean): SafeAnswer {
  if (step.fails === 'unsent') return { kind: 'unsent', why: 'unreachable', detail: 'scripted' }
  if (lost || step.fails === 'lost') return { kind: 'lost', why: 'dropped', detail: 'scripted' }
  const text = step.text ?? (step.json === undefined ? '' : JSON.stringify(step.json))
  return {
    kind: 'answer',
    status: step.status ?? 200,
    headers: { ...(step.json !== undefined && { 'content-type': 'application/json' }), ...step.headers },
    body: Buffer.from(text),
    url,
  }
}
