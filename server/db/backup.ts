import { existsSync, renameSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Client } from 'pg'
import { z } from 'zod'
import { clusterVersion, type ClusterPaths } from './cluster.ts'
import { copyFolder } from './copyFiles.ts'
import { isArchive, unpackInto, writeCopy } from './archive.ts'
import { LAST_BACKUP } from './lastBackup.ts'
import { readJson, writePrivately } from './privateFiles.ts'
import { asClient } from './roles.ts'
import type { Reached } from './withDatabase.ts'

const MANIFEST = 'rookery-backup.json'

const manifest = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  postgres: z.string(),
  systemIdentifier: z.string(),
})

/** What a backup contains besides the database. It's written last: a folder without it isn't a backup. */
export type BackupManifest = z.infer<typeof manifest>

/** What PostgreSQL recreates at its start, in the order of its own pg_basebackup. */
const EMPTIED = [
  'pg_wal',
  'pg_replslot',
  'pg_stat_tmp',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_subtrans',
]
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'backup_manifest', 'tablespace_map'])
/** What belongs to a running process and not to its data. */
export const NOT_DATA = new Set([
  'pg',
  'pg.new',
  'run',
  'running.json',
  'socket-directory.json',
  'postgres.log',
  LAST_BACKUP,
])

/**
 * Copies the embedded database of a running or stopped app with everything else in DATA_DIR (media, keys, passwords)
 * into `target`: a new or empty folder, or a file ending in .tar, .tar.gz or .tgz. People can keep working. The copy
 * contains what was committed when it ended; media cover at least that.
 */
export async function backup(reached: Reached, target: string, now: Date): Promise<BackupManifest> {
  const { paths } = embeddedOf(reached)
  return await writeCopy(target, paths.root, (folder) => backupFolder(reached, folder, now))
}

/** The same into an existing, empty folder; the caller handles failures. */
export async function backupFolder(reached: Reached, folder: string, now: Date): Promise<BackupManifest> {
  return await copyEverything(embeddedOf(reached), folder, now)
}

function embeddedOf({ embedded }: Reached): NonNullable<Reached['embedded']> {
  if (!embedded)
    throw new Error("Use your database's own tools to back up an external database, or npm run rookery -- dump")
  return embedded
}

async function copyEverything(
  { superuser, paths }: NonNullable<Reached['embedded']>,
  folder: string,
  now: Date,
): Promise<BackupManifest> {
  const rest = { wants: (path: string) => !NOT_DATA.has(path), onlyNew: true }
  // before and after: a file that a row references was there in one of the two rounds, even if it was deleted since
  await copyFolder(paths.root, folder, rest)
  const systemIdentifier = await asClient(superuser, (client) => copyDatabase(client, paths, join(folder, 'pg')))
  await copyFolder(paths.root, folder, rest)
  const made: BackupManifest = {
    format: 1,
    takenAt: now.toISOString(),
    postgres: clusterVersion(paths),
    systemIdentifier,
  }
  writePrivately(join(folder, MANIFEST), JSON.stringify(made, null, 2))
  return made
}

/** Between start and stop, the files may change: the WAL copied afterwards makes them consistent. */
async function copyDatabase(client: Client, paths: ClusterPaths, folder: string): Promise<string> {
  // the slot keeps the WAL written in the meantime; it's gone with this connection
  await client.query("select pg_create_physical_replication_slot('rookery_backup', true, true)")
  await client.query("select pg_backup_start('rookery', true)")
  await copyFolder(paths.data, folder, {
    wants: (path) => !LEFT_OUT.has(path) && !EMPTIED.some((name) => path.startsWith(`${name}/`)),
  })
  const { rows } = await client.query<{ labelfile: string; segment: string }>(
    'select labelfile, pg_walfile_name(lsn) as segment from pg_backup_stop(false)',
  )
  const [stopped] = rows
  if (!stopped) throw new Error('pg_backup_stop answered nothing')
  await copyWal(paths, folder, stopped.labelfile, stopped.segment)
  await writeFile(join(folder, 'backup_label'), stopped.labelfile, { mode: 0o600 })
  const { rows: systems } = await client.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  )
  return systems[0]?.id ?? ''
}

/** The segments from the backup's start to its end; their names sort in order of writing. */
async function copyWal(paths: ClusterPaths, folder: string, label: string, last: string): Promise<void> {
  const first = /START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/.exec(label)?.[1]
  if (!first) throw new Error(`The backup's label doesn't name a WAL file: ${label}`)
  const wal = join(paths.data, 'pg_wal')
  const wanted = (name: string): boolean =>
    (name >= first && name <= last && name.length === 24) || name.endsWith('.history')
  await copyFolder(wal, join(folder, 'pg_wal'), { wants: wanted })
  if (!(await readdir(join(folder, 'pg_wal'))).includes(last))
    throw new Error(`The WAL file ${last} was gone before it could be copied`)
}

/**
 * Restores a backup into DATA_DIR, which must not contain a database. At the next start, it recovers to the backup's
 * end and begins a new timeline, by which publishing detects the restore and holds what was due since.
 */
export async function restore(source: string, paths: ClusterPaths): Promise<BackupManifest> {
  mustBeEmpty(paths)
  if (!existsSync(source)) throw new Error(`${source} does not exist`)
  if (!isArchive(source)) return await restoreFolder(resolve(source), source, paths)
  await mkdir(paths.root, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(paths.root, '.rookery-restore-'))
  try {
    await unpackInto(folder, resolve(source))
    return await restoreFolder(folder, source, paths)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Throws a sentence if DATA_DIR contains a database. */
export function mustBeEmpty(paths: ClusterPaths): void {
  if (existsSync(paths.data)) throw new Error(`${paths.root} already contains a database. Move it away first`)
}

/** The same from an unpacked backup; `source` is its name in errors. */
export async function restoreFolder(from: string, source: string, paths: ClusterPaths): Promise<BackupManifest> {
  const found = readJson(join(from, MANIFEST), manifest)
  if (!found) throw new Error(`${source} doesn't contain a complete backup: ${MANIFEST} is missing`)
  await copyFolder(from, paths.root, { wants: (path) => path !== MANIFEST && path !== 'pg' })
  // under another name until it's complete
  const growing = `${paths.data}.new`
  rmSync(growing, { recursive: true, force: true })
  await copyFolder(join(from, 'pg'), growing)
  for (const name of EMPTIED) await mkdir(join(growing, name), { recursive: true, mode: 0o700 })
  await writeFile(join(growing, 'recovery.signal'), '', { mode: 0o600 })
  renameSync(growing, paths.data)
  return found
}
