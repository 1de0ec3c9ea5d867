import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Whether a path names an archive rather than a folder. */
export function isArchive(path: string): boolean {
  return /\.(tar|tar\.gz|tgz)$/.test(path)
}

/**
 * Writes a copy of `source` to `target`: a new or empty folder, or a new file ending in .tar, .tar.gz or .tgz. `fill`
 * writes it into a folder. On any failure, nothing of it stays. Throws a sentence if `target` can't be written, before
 * anything is copied.
 */
export async function writeCopy<T>(target: string, source: string, fill: (folder: string) => Promise<T>): Promise<T> {
  const path = resolve(target)
  const parent = dirname(path)
  if (existsSync(source) && isBelow(path, realpathSync(source)))
    throw new Error(`${target} is inside DATA_DIR, so the copy would contain itself. Choose a folder outside of it`)
  if (isArchive(target)) {
    if (!existsSync(parent))
      throw new Error(`The folder ${parent} doesn't exist. Create it first, or choose another one`)
    if (existsSync(path)) throw new Error(`${target} already exists. Choose another name`)
    const folder = await mkdtemp(join(parent, '.rookery-copy-'))
    try {
      const made = await fill(folder)
      await pack(folder, path)
      return made
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  if (existsSync(path) && readdirSync(path).length > 0) throw new Error(`${target} is not empty`)
  const isNew = !existsSync(path)
  await mkdir(path, { recursive: true, mode: 0o700 })
  try {
    return await fill(path)
  } catch (error) {
    for (const name of readdirSync(path)) await rm(join(path, name), { recursive: true, force: true })
    if (isNew) await rm(path, { recursive: true, force: true })
    throw error
  }
}

/** Whether a path, or its nearest existing parent, is in a folder. */
function isBelow(path: string, folder: string): boolean {
  const existing = existsSync(path) ? realpathSync(path) : undefined
  if (existing === undefined) return dirname(path) !== path && isBelow(dirname(path), folder)
  return existing === folder || existing.startsWith(`${folder}${sep}`)
}

/**
 * Packs a folder's content into a new file that only its owner can read, because it contains keys. Compressed if the
 * name ends in gz. Needs the system's tar. An unfinished file is removed.
 */
async function pack(folder: string, file: string): Promise<void> {
  const made = await open(file, 'wx', 0o600)
  await made.close()
  try {
    await tar([file.endsWith('.tar') ? '-cf' : '-czf', file, '-C', folder, '.'])
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/** Unpacks an archive into a folder. Throws a sentence when there is no such file, or it's damaged. */
export async function unpackInto(folder: string, file: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`${file} does not exist`)
  await tar(['-xpf', file, '-C', folder]).catch((cause: unknown) => {
    throw new Error(`${file} is damaged, or isn't an archive. Restore another backup`, { cause })
  })
}

/** A folder's content as a compressed archive, streamed. The stream fails if tar does. */
export function packed(folder: string): Readable {
  const child = spawn('tar', ['-czf', '-', '-C', folder, '.'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const out = new PassThrough()
  const ended = endOf(child)
  // tar's output may end before it is known whether tar succeeded
  child.stdout.pipe(out, { end: false })
  ended.then(
    () => out.end(),
    (error: Error) => out.destroy(error),
  )
  out.once('close', () => child.kill())
  return out
}

/** Unpacks a compressed archive into a folder as it arrives. */
export async function unpackStream(folder: string, archive: Readable): Promise<void> {
  const child = spawn('tar', ['-xpzf', '-', '-C', folder], { stdio: ['pipe', 'ignore', 'pipe'] })
  await Promise.all([endOf(child), pipeline(archive, child.stdin)])
}

function tar(args: string[]): Promise<void> {
  return endOf(spawn('tar', args, { stdio: ['ignore', 'ignore', 'pipe'] }))
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.once('error', (error) => failed(new Error('An archive needs the program tar', { cause: error })))
    child.once('close', (code) => (code === 0 ? done() : failed(new Error(`tar failed: ${complaint.trim()}`))))
  })
}
