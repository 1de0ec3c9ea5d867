import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startAiStub, type AiStub } from '#server/testing/aiStub.ts'
import { freePort } from '#server/testing/freePort.ts'
import { fillDataDir } from '#server/testing/preparedCluster.ts'
import { until } from '#server/testing/until.ts'
import { closeDatabase } from './database.ts'

export type Product = {
  /** Where the app is served. */
  base: string
  dataDir: string
  /** The newest email to the address that the test accepts; waits for it. */
  mailTo: (address: string, accepts: (text: string) => boolean) => Promise<string>
  /** The names of all emails to the address so far. */
  mailsTo: (address: string) => Promise<string[]>
  /** What the app printed if it ended by itself; undefined while it is running. */
  lastWords: () => string | undefined
  /** Stops the app and leaves its data folder, to start it again with the same data. */
  halt: () => Promise<void>
  stop: () => Promise<void>
}

const root = join(import.meta.dirname, '..')

/** A data folder for one run, with a cluster that is migrated already; `stop` of the product that uses it removes it. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-e2e-'))
  await fillDataDir(folder)
  return folder
}

/** Starts the built app as people start it, with its own data folder and port. */
export const startProduct = (env: Record<string, string> = {}, folder?: string): Promise<Product> =>
  startAs(['dist', 'server', 'main.js'], { NODE_ENV: 'production', ...env }, folder)

/**
 * Starts what `npm run dev` starts: the server that restarts when files are saved, Vite, and the simulated platforms.
 */
export async function startDevelopment(): Promise<Product> {
  const [api, bluesky, others] = [await freePort(), await freePort(), await freePort()]
  const product = await startAs(['bin', 'dev.js'], {
    ROOKERY_API_PORT: String(api),
    SIMULATOR_PORT: String(bluesky),
    SIMULATED_PLATFORMS: `http://127.0.0.1:${others}`,
  })
  const pages = () =>
    fetch(product.base).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(pages, { deadline: 60_000, what: 'the pages of npm run dev' })
  return product
}

/** Starts what `npm run demo` starts, with the demo organization in it. */
export async function startDemo(): Promise<Product> {
  const [bluesky, others] = [await freePort(), await freePort()]
  return await startAs(['bin', 'demo.js'], {
    SIMULATOR_PORT: String(bluesky),
    SIMULATED_PLATFORMS: `http://127.0.0.1:${others}`,
  })
}

async function startAs(program: string[], env: Record<string, string>, folder?: string): Promise<Product> {
  const dataDir = folder ?? (await newDataDir())
  const port = env['PORT'] === undefined ? await freePort() : Number(env['PORT'])
  const child = spawn(process.execPath, [join(root, ...program)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // Playwright sets it to test
      NODE_ENV: undefined,
      LOG_LEVEL: 'warn',
      DATABASE_URL: undefined,
      PUBLIC_URL: undefined,
      TRUST_PROXY: '127.0.0.1,::1',
      PAYMENTS: 'local',
      ...env,
      DATA_DIR: dataDir,
      PORT: String(port),
    },
  })
  const said: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => said.push(`${line}\n`))
  const base = `http://localhost:${port}`
  const ready = new Promise<'ready'>((resolve) =>
    lines.on('line', (line) => line.includes('is ready at') && resolve('ready')),
  )
  if ((await Promise.race([ready, exited])) !== 'ready') throw new Error(`The app did not start:\n${said.join('')}`)

  const halt = async () => {
    await closeDatabase({ dataDir })
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await exited
  }
  const outbox = join(dataDir, 'outbox')
  const mailsTo = async (address: string) => {
    const names = await readdir(outbox).catch(() => [])
    return names.filter((name) => name.endsWith(`-to-${address}.eml`)).toSorted()
  }
  return {
    base,
    dataDir,
    mailsTo,
    lastWords: () =>
      child.exitCode === null && child.signalCode === null
        ? undefined
        : `The app ended (${child.exitCode ?? child.signalCode}):\n${said.slice(-40).join('')}`,
    mailTo: (address, accepts) =>
      until(
        async () => {
          for (const name of (await mailsTo(address)).toReversed()) {
            const text = await readFile(join(outbox, name), 'utf8')
            if (accepts(text)) return text
          }
          return undefined
        },
        { what: `a mail to ${address}` },
      ),
    halt,
    stop: async () => {
      await halt()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The built app with a model behind it: a stub that responds with what the journey wants. `stop` ends both. */
export async function startProductWithAi(env: Record<string, string> = {}): Promise<Product & { ai: AiStub }> {
  const ai = await startAiStub()
  const product = await startProduct({ ...env, AI_BASE_URL: ai.baseUrl, AI_MODEL: 'stub' })
  return {
    ...product,
    ai,
    stop: async () => {
      await product.stop()
      await ai.stop()
    },
  }
}

/** The 6 digits of a mailed code, or undefined for other emails. */
export function codeIn(mail: string): string | undefined {
  return /^Subject: (\d{6}) is your/m.exec(mail)?.[1]
}
