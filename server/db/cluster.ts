import { randomBytes } from 'node:crypto'
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { Binaries } from './binaries.ts'
import { giveTo, type Launcher } from './launch.ts'
import { readJson, writePrivately } from './privateFiles.ts'
import { sizesFor, type Machine } from './sizes.ts'

const passwords = z.object({ superuser: z.string(), owner: z.string(), app: z.string(), system: z.string() })

export type Passwords = z.infer<typeof passwords>

/** Where the parts of an embedded cluster are in DATA_DIR. */
export type ClusterPaths = { root: string; data: string; passwords: string; log: string; lock: string; sockets: string }

export type ClusterOptions = {
  /** Without it, a crash of the machine may lose data. Only for tests that don't involve crashes. */
  fsync: boolean
  /** What its memory and workers are sized for. */
  machine: Machine
  /** Instead of as many as three nodes need. */
  maxConnections?: number | undefined
}

/** A socket's address is limited to 104 bytes on macOS and 108 on Linux, including PostgreSQL's own name at its end. */
const SOCKET_DIRECTORY_LIMIT = 103 - '/.s.PGSQL.5432'.length

export const SOCKET_PORT = 5432

/** Creates DATA_DIR (0700) and returns its paths. */
export function clusterPaths(dataDir: string): ClusterPaths {
  const root = resolve(dataDir)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  return {
    root,
    data: join(root, 'pg'),
    passwords: join(root, 'database-passwords.json'),
    log: join(root, 'postgres.log'),
    lock: join(root, 'running.json'),
    sockets: socketDirectory(root),
  }
}

/** DATA_DIR/run, or a short private temporary folder that DATA_DIR remembers. */
function socketDirectory(root: string): string {
  const near = join(root, 'run')
  if (Buffer.byteLength(near) <= SOCKET_DIRECTORY_LIMIT) {
    mkdirSync(near, { recursive: true, mode: 0o700 })
    return near
  }
  const note = join(root, 'socket-directory.json')
  const known = readJson(note, z.string())
  if (known !== undefined && isOursAlone(known)) return known
  const short = mkdtempSync(join(tmpdir(), 'rookery-'))
  writePrivately(note, JSON.stringify(short))
  return short
}

function isOursAlone(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { mode, uid } = statSync(folder)
  return (mode & 0o077) === 0 && (uid === process.getuid?.() || process.getuid?.() === 0)
}

/** Reads the generated passwords, or creates them on the first start. */
export function clusterPasswords(paths: ClusterPaths): Passwords {
  const known = readJson(paths.passwords, passwords)
  if (known) return known
  if (existsSync(paths.data))
    throw new Error(`${paths.passwords} is missing: restore it from the backup of ${paths.root}`)
  const make = (): string => randomBytes(24).toString('base64url')
  const made = { superuser: make(), owner: make(), app: make(), system: make() }
  writePrivately(paths.passwords, JSON.stringify(made, null, 2))
  return made
}

/**
 * Creates the cluster if there is none. It's created under another name first, so that an interrupted start leaves
 * nothing that looks complete.
 */
export async function createCluster(
  paths: ClusterPaths,
  binaries: Binaries,
  launcher: Launcher,
  options: { superuser: string; fsync: boolean },
): Promise<void> {
  if (existsSync(join(paths.data, 'PG_VERSION'))) return
  const growing = `${paths.data}.new`
  const passwordFile = join(paths.root, 'initdb-password')
  rmSync(growing, { recursive: true, force: true })
  mkdirSync(growing, { mode: 0o700 })
  writePrivately(passwordFile, options.superuser)
  giveTo(launcher, growing)
  giveTo(launcher, passwordFile)
  try {
    const durability = options.fsync ? [] : ['--no-sync']
    await runInitdb(binaries, launcher, ['-D', growing, `--pwfile=${passwordFile}`, ...durability])
  } finally {
    rmSync(passwordFile, { force: true })
  }
  writeFileSync(join(growing, 'postgresql.conf'), FIRST_CONFIGURATION)
  giveTo(launcher, join(growing, 'postgresql.conf'))
  renameSync(growing, paths.data)
}

const FIRST_CONFIGURATION = `# rookery.conf is rewritten at every start. What you set below it wins.
include 'rookery.conf'
`

async function runInitdb(binaries: Binaries, launcher: Launcher, more: string[]): Promise<void> {
  const args = [
    '-U',
    'postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
    ...more,
  ]
  const [file = binaries.initdb, ...rest] = [...launcher.prefix, binaries.initdb, ...args]
  const child = spawn(file, rest, { stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const status = await new Promise<number | null>((done, failed) => {
    child.once('error', failed)
    child.once('close', done)
  })
  if (status !== 0) throw new Error(`initdb failed (${status ?? 'killed'}): ${output.trim().slice(-2000)}`)
}

/** Writes the settings that size PostgreSQL next to the app; see docs/operations.md for how to change them. */
export function writeConfiguration(paths: ClusterPaths, launcher: Launcher, options: ClusterOptions): void {
  const file = join(paths.data, 'rookery.conf')
  const lines = Object.entries(configuration(paths, options)).map(([name, value]) => `${name} = '${value}'`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  chmodSync(file, 0o600)
  giveTo(launcher, file)
}

function configuration(
  paths: ClusterPaths,
  { fsync, machine, maxConnections }: ClusterOptions,
): Record<string, string | number> {
  const onWindows = process.platform === 'win32'
  const sizes = sizesFor(machine)
  return {
    ...sizes,
    listen_addresses: onWindows ? '127.0.0.1' : '',
    port: SOCKET_PORT,
    unix_socket_directories: onWindows ? '' : paths.sockets.replaceAll("'", "''"),
    unix_socket_permissions: '0700',
    max_connections: maxConnections ?? sizes.max_connections,
    huge_pages: 'off',
    // the workers of the other method cost memory, and our working set is in the cache
    io_method: 'sync',
    work_mem: '8MB',
    random_page_cost: 1.1,
    jit: 'off',
    max_worker_processes: 2,
    max_parallel_workers: 0,
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    max_logical_replication_workers: 0,
    max_wal_senders: 0,
    // one for backups: it keeps the WAL written in the meantime
    max_replication_slots: 2,
    wal_level: 'replica',
    // a restored copy recovers with the WAL next to it and begins a new timeline: there is nothing to fetch
    restore_command: 'false',
    // ready means ready to write, also after a restore
    hot_standby: 'off',
    wal_compression: 'on',
    min_wal_size: '80MB',
    max_wal_size: '512MB',
    fsync: fsync ? 'on' : 'off',
    full_page_writes: fsync ? 'on' : 'off',
    synchronous_commit: fsync ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %a ',
    log_checkpoints: 'off',
    log_lock_waits: 'on',
  }
}

/** The cluster's major version, as initdb wrote it. */
export function clusterVersion(paths: ClusterPaths): string {
  return readFileSync(join(paths.data, 'PG_VERSION'), 'utf8').trim()
}
