import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { CONNECTIONS } from './_listing.ts'
import { median } from './_stage.ts'

/*
 * Creating scheduled posts and reading one post at a time, each time another and none sent from memory, over HTTP. With
 * BASE, the folder of another checkout with its node_modules, also that version, in turns in one run: the ratios count.
 */
const TURNS = process.argv.includes('--short') ? 8 : 30
const TURN_MS = 250
const base = process.env['BASE']

/** What bench/_postsServer.ts prints. */
type Place = { origin: string; path: string; cookie: string; channels: string[] }
type Server = Place & { pool: Pool; ids: string[]; calls: number; analyze(): Promise<void>; close(): Promise<void> }
type Ask = (server: Server, call: number) => Promise<void>

async function start(folder: string): Promise<Server> {
  const program = fileURLToPath(new URL('_postsServer.ts', import.meta.url))
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const line = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`The server of ${folder} ended`)
    return value
  }
  // printed by bench/_postsServer.ts
  const place = JSON.parse(await line()) as Place
  const pool = new Pool(place.origin, { connections: CONNECTIONS, pipelining: 1 })
  const analyze = async () => {
    child.stdin.write('analyze\n')
    await line()
  }
  const close = async () => {
    await pool.close()
    const ended = once(child, 'exit')
    child.stdin.end()
    await ended
  }
  return { ...place, pool, ids: [], calls: 0, analyze, close }
}

async function send(server: Server, path: string, body?: object): Promise<unknown> {
  const answer = await server.pool.request({
    method: body ? 'POST' : 'GET',
    path,
    headers: {
      cookie: server.cookie,
      ...(body && { 'content-type': 'application/json', origin: server.origin, 'idempotency-key': randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

const create: Ask = async (server, call) => {
  const utc = new Date(Date.UTC(2030, 0, 1, 0, call)).toISOString()
  const contents = [{ text: `The rooks come back to the old elms in autumn, ${call} of them.`, media: [] }]
  // the contract's reply
  const { posts } = (await send(server, server.path, {
    intent: 'SCHEDULE',
    channels: [{ channelId: server.channels[call % server.channels.length], postType: 'post', contents }],
    schedule: { type: 'ONCE', details: { utc, timezone: 'Europe/London' } },
  })) as { posts: { postId: string }[] }
  server.ids.push(...posts.map(({ postId }) => postId))
}

const read: Ask = async (server, call) => {
  await send(server, `${server.path}/${server.ids[call % server.ids.length]}`)
}

/** Calls a second, in one turn. */
async function turn(server: Server, ask: Ask): Promise<number> {
  const begun = performance.now()
  const first = server.calls
  const connection = async () => {
    while (performance.now() < begun + TURN_MS) await ask(server, server.calls++)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return ((server.calls - first) * 1000) / (performance.now() - begun)
}

/** Loads the servers in turns, each going first as often as the other, and prints their rates and the median ratio. */
async function compare(name: string, servers: readonly Server[], ask: Ask): Promise<void> {
  const rates = servers.map((): number[] => [])
  for (let i = -4; i < TURNS; i++)
    for (let k = 0; k < servers.length; k++) {
      const at = (k + i + 4) % servers.length
      const server = servers[at]
      const rate = server && (await turn(server, ask))
      if (rate && i >= 0) rates[at]?.push(rate)
    }
  const [ours = [], theirs = []] = rates
  const rest = theirs.length > 0 ? `, base ${median(theirs).toFixed(0)}/s: ratio ` : ''
  const ratio = theirs.length > 0 ? median(ours.map((rate, i) => rate / (theirs[i] ?? Number.NaN))).toFixed(2) : ''
  console.log(`${name}, ${CONNECTIONS} connections: ${median(ours).toFixed(0)}/s${rest}${ratio} (${TURNS} turns)`)
}

const servers: Server[] = []
try {
  for (const folder of [fileURLToPath(new URL('..', import.meta.url)), ...(base ? [base] : [])])
    servers.push(await start(folder))
  // posts to be among, and statements planned for them
  for (const server of servers) {
    for (let i = 0; i < 8; i++) await turn(server, create)
    await server.analyze()
  }
  await compare('scheduled posts created', servers, create)
  for (const server of servers) await server.analyze()
  await compare('one post read afresh', servers, read)
} finally {
  for (const server of servers) await server.close()
}
