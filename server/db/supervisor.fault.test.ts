import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { until } from '../testing/until.ts'
import { packagedFolder } from './binaries.ts'
import { startDatabase, type RunningDatabase } from './database.ts'
import { openDatabases } from './pools.ts'
import { isAlive, isZombie } from './processes.ts'
import { asClient } from './roles.ts'
import { superviseDatabase, type Supervisor } from './supervisor.ts'
import { asSystem } from './system.ts'

const PROGRAM = fileURLToPath(new URL('../testing/holdDatabase.ts', import.meta.url))
/** The user "daemon", which every Unix has, and a number without a name, as in containers. */
const OTHER_USER = 1
const NAMELESS = 12_345
const isRoot = process.getuid?.() === 0
const Said = z.object({ postgres: z.number(), launcher: z.string(), uid: z.number() })

let folder: string
let children: ChildProcess[]

/** A copy of PostgreSQL in its own folder, as after cloning into a home that others can't enter. */
let home: string
/** A folder for the PATH in which `unshare` is refused, as in most containers. */
let shims: string
beforeAll(() => {
  shims = mkdtempSync(join(tmpdir(), 'rookery-no-namespaces-'))
  writeFileSync(join(shims, 'unshare'), '#!/bin/sh\necho "unshare failed: Operation not permitted" >&2\nexit 1\n')
  for (const file of [shims, join(shims, 'unshare')]) chmodSync(file, 0o755)
  home = mkdtempSync(join(tmpdir(), 'rookery home & clone '))
  cpSync(packagedFolder(), join(home, 'native'), { recursive: true, verbatimSymlinks: true })
  chmodSync(home, 0o700)
})
afterAll(() => {
  for (const made of [home, shims]) rmSync(made, { recursive: true, force: true })
})

beforeEach(() => {
  // as a home that others can't enter
  folder = mkdtempSync(join(tmpdir(), 'rookery-supervisor-test-'))
  chmodSync(folder, 0o700)
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await until(() => !existsSync(join(folder, 'data/pg/postmaster.pid')) || !databaseRuns(folder), {
    what: 'the database to go',
  })
  rmSync(folder, { recursive: true, force: true })
})

type HoldOptions = { launcher?: string; binaries?: string; prefix?: string[]; path?: string }

/** Runs the program, as root or another user, and waits until its database is ready. */
async function holdDatabase(
  dataDir: string,
  { launcher = '', binaries = '', prefix = [], path = process.env['PATH'] ?? '' }: HoldOptions = {},
): Promise<{ child: ChildProcess; said: z.infer<typeof Said> }> {
  const [file, ...args] = [...prefix, process.execPath, PROGRAM, dataDir, launcher, binaries]
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PATH: path } })
  children.push(child)
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const ended = new Promise<never>((_, fail) => child.once('close', () => fail(new Error(`It ended: ${complaint}`))))
  ended.catch(() => undefined)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const line = await Promise.race([lines.next(), ended])
  if (line.done) return await ended
  return { child, said: Said.parse(JSON.parse(line.value)) }
}

/** Runs as a regular user who can read this project, even if it's in a closed folder. */
function as(uid: number): string[] {
  const change = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  return isOpenToAll(PROGRAM)
    ? [...change, '--']
    : [
        ...change,
        '--securebits=+no_setuid_fixup',
        '--inh-caps=+dac_read_search',
        '--ambient-caps=+dac_read_search',
        '--',
      ]
}

function isOpenToAll(path: string): boolean {
  return path === '/' || ((statSync(path).mode & 0o005) !== 0 && isOpenToAll(dirname(path)))
}

function supervisorOf(running: RunningDatabase): Supervisor {
  if (!running.supervisor) throw new Error('An external database has no supervisor')
  return running.supervisor
}

const gone = (pid: number): boolean => !isAlive(pid) || isZombie(pid)

function databaseRuns(home: string): boolean {
  const held = readFileSync(join(home, 'data/pg/postmaster.pid'), 'utf8')
  return !gone(Number(held.split('\n')[0]))
}

describe('an app that is killed', () => {
  const ways = isRoot
    ? ['root', 'root by nobodyWithPassage', 'other user', 'other user by leash', 'nameless']
    : ['us', 'us by leash']

  it.each(ways)('leaves no database behind, and the next start works (as %s)', async (way) => {
    const dataDir = join(folder, 'data')
    const options = optionsFor(way)
    const first = await holdDatabase(dataDir, options)
    first.child.kill('SIGKILL')
    await until(() => gone(first.said.postgres), { what: 'PostgreSQL to follow' })
    const second = await holdDatabase(dataDir, options)
    expect(second.said.postgres).not.toBe(first.said.postgres)
    expect(second.said.launcher).toBe(first.said.launcher)
    second.child.kill('SIGTERM')
    await until(() => gone(second.said.postgres))
  })

  function optionsFor(way: string): HoldOptions {
    const [who, launcher] = way.split(' by ')
    const uid = who === 'other user' ? OTHER_USER : who === 'nameless' ? NAMELESS : null
    if (uid) chownSync(folder, uid, uid)
    // in its own namespace it loses the capability that lets it read a project in a folder closed to it
    if (who === 'nameless') chownSync(home, NAMELESS, NAMELESS)
    return {
      ...(who === 'nameless' && { binaries: join(home, 'native') }),
      ...(launcher ? { launcher } : {}),
      ...(uid ? { prefix: as(uid) } : {}),
    }
  }

  it('may be started again immediately, while its database is still stopping', async () => {
    const first = await holdDatabase(join(folder, 'data'))
    first.child.kill('SIGKILL')
    const second = await holdDatabase(join(folder, 'data'))
    expect(gone(first.said.postgres)).toBe(true)
    second.child.kill('SIGTERM')
    await until(() => gone(second.said.postgres))
  })
})

describe('a project in a closed folder with spaces in its path', () => {
  const without = ' without namespaces'
  const people = isRoot ? ['root', 'other user'] : ['us']

  it.each(people.flatMap((who) => [who, who + without]))(
    'starts, and starts again on its files, as %s',
    async (way) => {
      const uid = way.startsWith('other user') ? OTHER_USER : null
      for (const made of [home, folder]) chownSync(made, uid ?? process.getuid?.() ?? 0, process.getgid?.() ?? 0)
      const options = {
        binaries: join(home, 'native'),
        prefix: uid ? as(uid) : [],
        ...(way.endsWith(without) && { path: `${shims}:${process.env['PATH']}` }),
      }
      for (let start = 0; start < 2; start++) {
        const { child, said } = await holdDatabase(join(folder, 'data'), options)
        if (way === 'root without namespaces') expect(said.launcher).toBe('nobody with dac_override')
        child.kill('SIGTERM')
        await until(() => gone(said.postgres))
      }
    },
  )
})

describe('a database that is killed', () => {
  const SLEEPING = "select from pg_stat_activity where query like 'select pg_sleep%'"

  it('is detected and restarted; requests fail in the meantime and work afterwards', async () => {
    const states: string[] = []
    const running = await startDatabase({
      dataDir: join(folder, 'data'),
      fsync: false,
      onState: (state) => states.push(state),
    })
    const databases = openDatabases(running.settings)
    const ask = (): Promise<unknown> =>
      asSystem(databases.system, (tx) => tx.selectFrom('organization').selectAll().execute())
    try {
      await ask()
      const supervisor = supervisorOf(running)
      const pidNow = (): number | undefined => supervisor.pid()
      const pid = pidNow() ?? 0
      const slow = databases.web.query('select pg_sleep(60)')
      slow.catch(() => undefined)
      await until(() => asClient(supervisor.superuser, async (client) => (await client.query(SLEEPING)).rowCount))
      process.kill(pid, 'SIGKILL')
      await expect(slow).rejects.toThrow(/terminated|closed|ECONNRESET|unexpected/i)
      await until(() => states.at(-1) === 'ready' && pidNow() !== pid, { what: 'a new postmaster' })
      expect(await until(ask)).toEqual([])
      expect(states).toEqual(expect.arrayContaining(['down']))
      expect(states.at(-1)).toBe('ready')
    } finally {
      await databases.close()
      await running.stop()
    }
    expect(states.at(-1)).toBe('stopped')
  })
})

describe('DATA_DIR', () => {
  it('belongs to one process at a time', async () => {
    const first = await holdDatabase(join(folder, 'data'))
    await expect(superviseDatabase({ dataDir: join(folder, 'data') })).rejects.toThrow(
      `in use by process ${first.child.pid}`,
    )
    first.child.kill('SIGTERM')
    await until(() => gone(first.said.postgres))
  })

  it("may be deeper than a socket's address is long", async () => {
    const deep = join(folder, 'a-folder-with-a-long-name'.repeat(4), 'data')
    mkdirSync(deep, { recursive: true })
    const supervisor = await superviseDatabase({ dataDir: deep, fsync: false })
    expect(supervisor.superuser.host.length).toBeLessThan(100)
    expect(statSync(supervisor.superuser.host).mode & 0o777).toBe(0o700)
    await supervisor.stop()
    rmSync(supervisor.superuser.host, { recursive: true, force: true })
  })
})
