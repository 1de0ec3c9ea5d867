import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { migrate } from '../db/migrate.ts'
import { openDatabases, openOwnerPool, type Databases, type DatabaseSettings } from '../db/pools.ts'
import { embeddedSettings, EMBEDDED_DATABASE, prepareEmbedded } from '../db/roles.ts'
import { superviseDatabase, type Supervisor } from '../db/supervisor.ts'
import type { Faults } from '../simulators/bluesky/faults.ts'
import type { LedgerEntry } from '../simulators/bluesky/accounts.ts'
import { fillDataDir } from './preparedCluster.ts'

/** A bench's own database, with real fsync, like the product's. */
export type Harness = {
  settings: DatabaseSettings
  databases: Databases
  owner: pg.Pool
  supervisor: Supervisor
  dataDir: string
  close(): Promise<void>
}

export async function openHarness(): Promise<Harness> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
  await fillDataDir(dataDir)
  const supervisor = await superviseDatabase({ dataDir })
  await prepareEmbedded(supervisor.superuser, supervisor.passwords)
  const settings = embeddedSettings(supervisor.superuser, supervisor.passwords, EMBEDDED_DATABASE)
  await migrate(settings)
  const databases = openDatabases(settings)
  const owner = openOwnerPool(settings, 'rookery bench')
  return {
    settings,
    databases,
    owner,
    supervisor,
    dataDir,
    close: async () => {
      await Promise.all([databases.close(), owner.end()])
      await supervisor.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Ledger = { ledger: LedgerEntry[]; duplicates: LedgerEntry[]; calls: Record<string, number> }

/** The simulator in a separate process. */
export type SimulatorProcess = {
  origin: string
  allow: string
  setFaults(faults: Partial<Faults>): Promise<void>
  read(): Promise<Ledger>
  stop(): void
}

export async function startSimulatorProcess(): Promise<SimulatorProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../simulators/bluesky/main.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await firstLine(child)
  return {
    origin,
    allow: new URL(origin).host,
    setFaults: async (faults) =>
      void (await fetch(`${origin}/sim/faults`, { method: 'POST', body: JSON.stringify(faults) })),
    read: async () => (await (await fetch(`${origin}/sim/ledger`)).json()) as Ledger, // our own simulator's response
    stop: () => void child.kill('SIGKILL'),
  }
}

/** Waits for a child's first line of output. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no output')
  const lines = createInterface(child.stdout)
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [undefined])])) as [
    string | undefined,
  ] // a line event carries its text
  if (line === undefined) throw new Error('the child ended before it was ready')
  return line
}

/** The value below which `part` of the numbers are. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
