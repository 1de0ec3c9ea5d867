import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { CONNECTIONS } from './_listing.ts'
import type { ReferencePlace } from './_reference.ts'
import { median } from './_stage.ts'

/* Servers of checkouts, each in its own process with its own database, and their load from this one. */

/** What bench/_postsServer.ts prints. */
type Place = {
  origin: string
  path: string
  month: string
  cookie: string
  channels: string[]
  reference?: ReferencePlace
}
/** A server to load: `ids` of the posts that were created at it, `calls` counts its calls. */
export type Server = Pick<Place, 'path' | 'month' | 'cookie' | 'channels' | 'origin'> & {
  name: string
  pool: Pool
  ids: string[]
  calls: number
}
export type Ask = (server: Server, call: number) => Promise<unknown>
export type Fleet = { servers: Server[]; analyze(): Promise<void>; close(): Promise<void> }

const TURN_MS = 250

/** Starts the servers of a checkout: the product, and with `--reference` the plain one. */
export async function startServers(name: string, folder: string, flags: readonly string[]): Promise<Fleet> {
  const program = fileURLToPath(new URL('_postsServer.ts', import.meta.url))
  const child = spawn(process.execPath, [program, folder, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const line = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`The server of ${folder} ended`)
    return value
  }
  // printed by bench/_postsServer.ts
  const place = JSON.parse(await line()) as Place
  const serverAt = (called: string, at: Pick<Place, 'origin' | 'path' | 'month'>): Server => {
    const { cookie, channels } = place
    const pool = new Pool(at.origin, { connections: CONNECTIONS, pipelining: 1 })
    return { cookie, channels, ...at, name: called, pool, ids: [], calls: 0 }
  }
  const servers = [serverAt(name, place), ...(place.reference ? [serverAt('reference', place.reference)] : [])]
  return {
    servers,
    analyze: async () => {
      child.stdin.write('analyze\n')
      await line()
    },
    close: async () => {
      for (const { pool } of servers) await pool.close()
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

type Sent = { text: string; bytes: number; tag: string }

/** One call, whose reply has to be of this status. */
export async function send(
  { pool, cookie, origin }: Server,
  path: string,
  { body, headers = {}, status = 200 }: { body?: object; headers?: Record<string, string>; status?: number } = {},
): Promise<Sent> {
  const answer = await pool.request({
    method: body ? 'POST' : 'GET',
    path,
    headers: {
      cookie,
      ...headers,
      ...(body && { 'content-type': 'application/json', origin, 'idempotency-key': randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  if (answer.statusCode !== status)
    throw new Error(`${path} answered ${answer.statusCode}: ${String(bytes.subarray(0, 300))}`)
  return { text: String(bytes), bytes: bytes.length, tag: String(answer.headers.etag ?? '') }
}

/** Calls a second, in one turn. */
export async function turn(server: Server, ask: Ask): Promise<number> {
  const begun = performance.now()
  const first = server.calls
  const connection = async () => {
    while (performance.now() < begun + TURN_MS) await ask(server, server.calls++)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return ((server.calls - first) * 1000) / (performance.now() - begun)
}

/** A server's calls a second, and the median of the ratios of the first server's to its own, turn by turn. */
export type Rate = { name: string; rate: number; ratio: number }

/**
 * Loads the servers in turns, each going first as often as the others: another program that takes the machine for a moment
 * only spoils some of them.
 */
export async function compareRates(servers: readonly Server[], ask: Ask, turns: number): Promise<Rate[]> {
  const rates = servers.map((): number[] => [])
  for (let i = -4; i < turns; i++)
    for (let k = 0; k < servers.length; k++) {
      const at = (k + i + 4) % servers.length
      const server = servers[at]
      const rate = server && (await turn(server, ask))
      if (rate && i >= 0) rates[at]?.push(rate)
    }
  return servers.map(({ name }, at) => {
    const own = rates[at] ?? []
    return {
      name,
      rate: median(own),
      ratio: median((rates[0] ?? []).map((first, i) => first / (own[i] ?? Number.NaN))),
    }
  })
}
