import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

export type Checkout = { folder: string; remove(): Promise<void> }

/** Another version with its packages: a folder that has them, or a commit, which is checked out for as long as it's needed. */
export async function checkOut(base: string): Promise<Checkout> {
  const given = resolve(base)
  if (existsSync(join(given, 'node_modules'))) return { folder: given, remove: async () => {} }
  const folder = join(mkdtempSync(join(tmpdir(), 'rookery-base-')), 'checkout')
  const remove = async () => {
    await run('git', ['worktree', 'remove', '--force', folder], { cwd: root })
    rmSync(join(folder, '..'), { recursive: true, force: true })
  }
  await run('git', ['worktree', 'add', '--detach', folder, base], { cwd: root })
  try {
    const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await run('npm', install, { cwd: folder, maxBuffer: 10_000_000 })
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, remove }
}
