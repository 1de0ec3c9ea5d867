import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'

export type CopyOptions = {
  /** Whether an entry is copied, by its path in the folder. A folder that isn't is skipped with its content. */
  wants?: (path: string) => boolean
  /** Skip existing files, for a second round over files that never change. */
  onlyNew?: boolean
}

/**
 * Copies a folder that is in use: a file that disappears in the meantime is skipped, modes are kept, links are copied
 * as links. Files are cloned if the file system supports it.
 */
export async function copyFolder(from: string, to: string, options: CopyOptions = {}, below = ''): Promise<void> {
  await mkdir(join(to, below), { recursive: true })
  for (const name of await readdir(join(from, below))) {
    const path = below ? `${below}/${name}` : name
    if (options.wants?.(path) === false) continue
    await unlessGone(() => copyEntry(from, to, options, path))
  }
  await chmod(join(to, below), (await lstat(join(from, below))).mode & 0o777)
}

async function copyEntry(from: string, to: string, options: CopyOptions, path: string): Promise<void> {
  const source = join(from, path)
  const target = join(to, path)
  const entry = await lstat(source)
  if (entry.isDirectory()) return await copyFolder(from, to, options, path)
  if (options.onlyNew && existsSync(target)) return
  if (entry.isSymbolicLink()) return await symlink(await readlink(source), target)
  if (!entry.isFile()) return
  // under its name once it's whole, because an interrupted copy is continued with `onlyNew`
  const part = `${target}.part`
  await copyFile(source, part, constants.COPYFILE_FICLONE)
  await rename(part, target)
}

async function unlessGone(copy: () => Promise<void>): Promise<void> {
  try {
    await copy()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
