import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { Log } from './log.ts'

/** The product's files in DATA_DIR, and what a file system puts at the top of a volume. */
const OURS = new Set([
  'pg',
  'run',
  'media',
  'exports',
  'outbox',
  'running.json',
  'database-passwords.json',
  'encryption-keys',
  'app-secret.json',
  'postgres.log',
  'last-backup.json',
  'lost+found',
])
/** Folders whose files were once readable by others. PostgreSQL takes care of its own. */
const FILLED = ['media', 'exports', 'outbox']
const OTHERS = 0o077

/**
 * Creates DATA_DIR, or closes an existing one, so that no other user of the machine can read its content: folders 0700,
 * files 0600. Changes nothing that belongs to another user, and not the folder itself if it also contains other files;
 * the log says so then. On Windows, it only creates the folder.
 */
export function closeDataDir(dataDir: string, log: Pick<Log, 'warn'>): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const me = process.getuid?.()
  if (me === undefined) return
  const folder = statSync(dataDir)
  if (isOpen(folder)) {
    const strange = readdirSync(dataDir).filter((name) => !OURS.has(name.replace(/\.new$/, '')))
    if (folder.uid === me && strange.length === 0) chmodSync(dataDir, 0o700)
    else
      log.warn(
        { folder: dataDir, ...(folder.uid === me ? { strange: strange.slice(0, 5) } : { owner: folder.uid }) },
        'other users of this machine can read DATA_DIR: use a folder of its own, owned by the user that runs Rookery',
      )
  }
  for (const name of FILLED) closeBelow(join(dataDir, name), me)
}

const isOpen = ({ mode }: Stats): boolean => (mode & OTHERS) !== 0

/**
 * Closes a folder of ours with its content, the folder last, so that an interrupted run is repeated. A closed one is
 * skipped.
 */
function closeBelow(path: string, me: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  // a link leads to where we weren't asked to look
  if (found?.uid !== me || found.isSymbolicLink() || !isOpen(found)) return
  if (found.isDirectory()) for (const name of readdirSync(path)) closeBelow(join(path, name), me)
  chmodSync(path, found.isDirectory() ? 0o700 : 0o600)
}
