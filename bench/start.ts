import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/*
 * `npm start` as a person runs it: how long the second start takes until it prints its URL (limit 3 s), and the memory
 * of all its processes (app, worker, database; npm's own are listed separately) once it's idle (limit 200 MB PSS).
 * Linux only. The proportional size shares the pages of other programs on the same Node: stop those for a fair result.
 */

const LIMITS = { secondStart: 3000, idleMegabytes: 200 }
/** Long enough for start-up garbage to be collected and idle connections to close. */
const IDLE = 45_000

const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
const root = join(import.meta.dirname, '..')

type Running = { child: ChildProcess; ready: number }

async function start(): Promise<Running> {
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DATABASE_URL: undefined },
  })
  const ready = await new Promise<number>((done, failed) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('Rookery is ready at')) done(performance.now() - began)
    })
    child.once('exit', () => failed(new Error(`npm start ended:\n${text}`)))
  })
  return { child, ready }
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

try {
  await stop(await start())
  const second = await start()
  console.log(
    `second npm start, ready after ${(second.ready / 1000).toFixed(2)} s (limit ${LIMITS.secondStart / 1000} s)`,
  )
  await pause(IDLE)
  const tree = treeOf(second.child.pid ?? 0)
  const ours = tree.filter(({ name }) => !isNpm(name))
  for (const { name, megabytes } of tree) console.log(`  ${megabytes.toFixed(1).padStart(6)} MB  ${name}`)
  console.log(
    `idle: ${sum(ours).toFixed(0)} MB PSS in ${ours.length} processes (limit ${LIMITS.idleMegabytes} MB), npm and its starter ${sum(tree.filter(({ name }) => isNpm(name))).toFixed(0)} MB apart`,
  )
  await stop(second)
  if (second.ready > LIMITS.secondStart || sum(ours) > LIMITS.idleMegabytes) process.exitCode = 1
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
