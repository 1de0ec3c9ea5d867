import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { Home } from '#contract/organizations.ts'
import { demoPerson } from '#server/seed/content.ts'

/*
 * `npm start` as a person runs it: how long the second start takes until it prints its URL, and the memory of all its
 * processes (app and database; npm's own are listed separately): idle and empty, idle with the demo organization, right
 * after a load, and when that has been over for a while. Linux only. The proportional size shares the pages of other
 * programs on the same Node: stop those for a fair result.
 */

/** Milliseconds, and megabytes (PSS). */
const LIMITS = { secondStart: 1500, idle: 180, rested: 220 }
/** Long enough for start-up garbage to be collected and idle connections to close. */
const IDLE = 45_000
/** How long each kind of request is made, on so many connections. */
const LOAD = { milliseconds: 12_000, connections: 32 }
const REST = 70_000

const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
const root = join(import.meta.dirname, '..')

type Running = { child: ChildProcess; ready: number; origin: string }

async function start(): Promise<Running> {
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DATABASE_URL: undefined },
  })
  const { ready, origin } = await new Promise<Omit<Running, 'child'>>((done, failed) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /Rookery is ready at (\S+)/.exec(text)?.[1]
      if (address !== undefined) done({ ready: performance.now() - began, origin: new URL(address).origin })
    })
    child.once('exit', () => failed(new Error(`npm start ended:\n${text}`)))
  })
  return { child, ready, origin }
}

async function stop({ child }: Running): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done))
  // as Ctrl-C in a terminal reaches the whole group
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
  await ended
}

/** Every process below one, with its command and its proportional set size in megabytes. */
function treeOf(pid: number): { name: string; megabytes: number }[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${entry}/stat`)
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const walk = (id: number): number[] => [id, ...(children.get(id) ?? []).flatMap(walk)]
  return walk(pid).map((id) => {
    const name = read(`/proc/${id}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 70)
    return { name, megabytes: Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0) / 1024 }
  })
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // it ended in the meantime
    return ''
  }
}

const isNpm = (name: string) => /\bnpm\b|bin\/start\.js|^sh -c/.test(name)
const sum = (list: { megabytes: number }[]) => list.reduce((total, { megabytes }) => total + megabytes, 0)

/** Prints the memory of app and database, and returns it in megabytes. */
function memory(of: Running, when: string): number {
  const tree = treeOf(of.child.pid ?? 0)
  const ours = tree.filter(({ name }) => !isNpm(name))
  const app = ours.filter(({ name }) => !/postgres/.test(name))
  const npm = tree.filter(({ name }) => isNpm(name))
  console.log(
    `${when}: ${sum(ours).toFixed(0)} MB, of which the app ${sum(app).toFixed(0)}, in ${ours.length} processes; npm and its starter ${sum(npm).toFixed(0)} apart`,
  )
  return sum(ours)
}

/** What people who work at the demo organization read: a month of the calendar, the insights, the inbox. */
async function load(origin: string): Promise<void> {
  const pool = new Pool(origin, { connections: LOAD.connections, pipelining: 1 })
  const entered = await fetch(`${origin}/api/public/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: demoPerson.email, password: demoPerson.password }),
  })
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const headers = { cookie, 'accept-encoding': 'br' }
  const { organizations } = Home.parse(await (await fetch(`${origin}/api/home`, { headers })).json())
  const [organization] = organizations
  const path = `/api/${organization?.orgId}/project/${organization?.projects[0]?.projectId}`
  const now = Date.now()
  const day = (days: number) => new Date(now + days * 86_400_000).toISOString()
  const reads = [
    // another range each time, so that nothing is held
    (n: number) => `/post?from=${day(-15)}&to=${new Date(now + 15 * 86_400_000 + n).toISOString()}&view=month`,
    () => `/insights/summary?from=${day(-30).slice(0, 10)}&to=${day(0).slice(0, 10)}`,
    () => '/inbox?status=OPEN',
  ]
  let asked = 0
  for (const read of reads) {
    const until = performance.now() + LOAD.milliseconds
    const ask = async () => {
      while (performance.now() < until) {
        const reply = await pool.request({ method: 'GET', path: path + read((asked += 1)), headers })
        const text = await reply.body.arrayBuffer()
        if (reply.statusCode !== 200) throw new Error(`answered ${reply.statusCode}: ${Buffer.from(text).toString()}`)
      }
    }
    await Promise.all(Array.from({ length: LOAD.connections }, ask))
  }
  await pool.close()
  console.log(`${asked.toLocaleString('en')} requests on ${LOAD.connections} connections`)
}

let running: Running | undefined
try {
  await stop(await start())
  running = await start()
  const { ready } = running
  console.log(`second npm start, ready after ${(ready / 1000).toFixed(2)} s (limit ${LIMITS.secondStart / 1000} s)`)
  await pause(IDLE)
  memory(running, 'idle and empty')
  await stop(running)
  running = undefined
  const seeded = spawnSync(process.execPath, [join(root, 'server', 'seed', 'main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, NODE_ENV: 'development', SIMULATED_CHANNELS: '1', LOG_LEVEL: 'warn' },
  })
  if (seeded.status !== 0) throw new Error('the demo organization was not created')
  // what is left to do for so many posts at once is done at the first start
  running = await start()
  await pause(IDLE)
  await stop(running)
  running = await start()
  await pause(IDLE)
  const idle = memory(running, `idle with the demo organization (limit ${LIMITS.idle} MB)`)
  await load(running.origin)
  memory(running, 'right after the load')
  await pause(REST)
  const rested = memory(running, `${REST / 1000} s later (limit ${LIMITS.rested} MB)`)
  if (ready > LIMITS.secondStart || idle > LIMITS.idle || rested > LIMITS.rested) process.exitCode = 1
} finally {
  if (running) await stop(running)
  rmSync(dataDir, { recursive: true, force: true })
}
