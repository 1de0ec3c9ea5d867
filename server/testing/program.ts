import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from './until.ts'

export type Program = {
  address: string
  child: ChildProcess
  /** Everything that it has printed so far. */
  output(): string
  /** The newest email in the outbox, as stored. */
  newestMail(): string | undefined
  /** Asks it to stop and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Nothing of the test's own environment but where programs are, and what other processes have compiled. */
export const plainEnvironment = () => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
})

function launch(dataDir: string, variables: Record<string, string>, file = main) {
  const env = { ...plainEnvironment(), HOME: process.env['HOME'], PORT: '0', DATA_DIR: dataDir, ...variables }
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const leave = () => child.kill('SIGKILL')
  process.once('exit', leave)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).finally(() =>
    process.off('exit', leave),
  )
  return { child, ended, output: () => output }
}

/** Runs server/main.ts, or another program, that is expected to end on its own; returns its exit code and output. */
export async function runProgram(
  dataDir: string,
  variables: Record<string, string>,
  file = main,
): Promise<{ code: number | null; output: string }> {
  const { ended, output } = launch(dataDir, variables, file)
  const code = await ended
  return { code, output: output() }
}

/** Runs server/main.ts under plain Node, as people do, and waits for its URL. It ends with the test's process. */
export async function startProgram(dataDir: string, variables: Record<string, string> = {}): Promise<Program> {
  const { child, ended, output } = launch(dataDir, variables)
  const address = await until(
    () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${output()}`)
      return /Rookery is ready at (\S+)/.exec(output())?.[1]
    },
    { deadline: 60_000, what: `the program's address` },
  )
  const outbox = join(dataDir, 'outbox')
  return {
    address,
    child,
    output,
    newestMail() {
      const newest = existsSync(outbox) ? readdirSync(outbox).toSorted().at(-1) : undefined
      return newest === undefined ? undefined : readFileSync(join(outbox, newest), 'utf8')
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return await ended
    },
  }
}
