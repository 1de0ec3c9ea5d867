import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isAlive, isZombie } from './db/processes.ts'
import { until } from './testing/until.ts'

// Signals to npm reach the app, which stops cleanly; each round starts at once on the same DATA_DIR.

const root = fileURLToPath(new URL('..', import.meta.url))
/** Node before 22.15 can't replace its process: `npm start` then stays as the parent of the app. */
const OLD_NODE = `--import=${new URL('data:text/javascript,process.execve=undefined').href}`

let dataDir: string
const started: ChildProcess[] = []
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'rookery-npm-start-'))
})
afterAll(async () => {
  for (const child of started) child.kill('SIGTERM')
  // an app that outlived its npm, which is what a test here found
  if (existsSync(join(dataDir, 'running.json'))) process.kill(pidIn('running.json'), 'SIGTERM')
  await until(() => !existsSync(join(dataDir, 'running.json')), { what: 'the last app to go' })
  rmSync(dataDir, { recursive: true, force: true })
})

const gone = (pid: number): boolean => !isAlive(pid) || isZombie(pid)
const pidIn = (file: string): number => Number(/\d+/.exec(readFileSync(join(dataDir, file), 'utf8'))?.[0])

async function npmStart(nodeOptions: string): Promise<{ npm: ChildProcess; app: number; postgres: number }> {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      DATA_DIR: dataDir,
      NODE_OPTIONS: nodeOptions,
    },
  })
  started.push(npm)
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // the first one may have to build the web app
  await until(() => output.includes('Rookery is ready') || npm.exitCode !== null, { deadline: 180_000 })
  if (npm.exitCode !== null) throw new Error(`npm start ended: ${output}`)
  return { npm, app: pidIn('running.json'), postgres: pidIn('pg/postmaster.pid') }
}

it.skipIf(process.platform === 'win32').each([
  ['SIGTERM', 'this Node', ''],
  ['SIGINT', 'this Node', ''],
  ['SIGHUP', 'this Node', ''],
  ['SIGKILL', 'this Node', ''],
  ['SIGTERM', 'an older Node', OLD_NODE],
  ['SIGKILL', 'an older Node', OLD_NODE],
] as const)(
  '%s to `npm start` on %s stops the app and its database',
  async (signal, _node, nodeOptions) => {
    const { npm, app, postgres } = await npmStart(nodeOptions)
    npm.kill(signal)
    await until(() => gone(app), { deadline: 60_000, what: 'the app to stop' })
    expect(gone(postgres)).toBe(true)
    // a killed app leaves this note, one that stopped takes it along
    expect(existsSync(join(dataDir, 'running.json'))).toBe(false)
    expect(existsSync(join(dataDir, 'pg', 'postmaster.pid'))).toBe(false)
  },
  240_000,
)
