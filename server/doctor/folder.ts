import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '../env.ts'
import { about, type Finding } from './finding.ts'

const OTHERS = 0o077
/** Free space below which saving soon fails, and below which uploads may fill the disk. In bytes. */
const LITTLE = 1_000_000_000
const SOME = 5_000_000_000
/** Files that open something. */
const SECRET = ['database-passwords.json', 'encryption-keys', 'app-secret.json']

/** Whether DATA_DIR can be written to, is closed to others, and has space. */
export async function lookAtFolder({ DATA_DIR: folder }: Pick<Env, 'DATA_DIR'>): Promise<Finding[]> {
  const { ok, warning, problem } = about('Folder')
  if (!existsSync(folder)) return [ok(`${folder} doesn't exist yet; the first start creates it.`)]
  const found: Finding[] = []
  const { mode, uid } = statSync(folder)
  if (!isWritable(folder))
    found.push(
      problem(
        `${folder} can't be written to by this user.`,
        'Give it to the user that runs Rookery, or set another DATA_DIR.',
      ),
    )
  const isOpen = (path: string): boolean => existsSync(path) && (statSync(path).mode & OTHERS) !== 0
  const open = SECRET.filter((name) => isOpen(join(folder, name)))
  if (process.getuid !== undefined && (open.length > 0 || (mode & OTHERS) !== 0))
    found.push(
      warning(
        open.length > 0
          ? `Other users of this machine can read ${open.join(' and ')} in ${folder}.`
          : `Other users of this machine can look into ${folder}.`,
        `Run: chmod -R go= ${folder}`,
      ),
    )
  if (process.getuid !== undefined && uid !== process.getuid())
    found.push(
      warning(
        `${folder} belongs to another user (${uid}).`,
        'Run this command as the user that runs Rookery; what it says about the folder is then about that user.',
      ),
    )
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const has = `${folder} has ${gigabytes(free)} free`
  if (free < SOME)
    found.push(
      (free < LITTLE ? problem : warning)(
        `${has}.`,
        'Free space, or move DATA_DIR to a larger disk: when it is full, nothing can be saved or published.',
      ),
    )
  else if (found.length === 0) found.push(ok(`${has}, and holds ${readdirSync(folder).length} entries.`))
  return found
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toLocaleString('en', { maximumFractionDigits: 1 })} GB`

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
