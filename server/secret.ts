import { hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writePrivately } from './db/privateFiles.ts'
import type { Env } from './env.ts'

/**
 * A secret of this installation for one purpose, 32 bytes in base64url. Derived from ENCRYPTION_KEY, which the nodes of
 * one installation share, or from a file in DATA_DIR that only its owner reads.
 */
export function installationSecret(env: Pick<Env, 'ENCRYPTION_KEY' | 'DATA_DIR'>, purpose: string): string {
  const key = env.ENCRYPTION_KEY ?? secretFile(join(env.DATA_DIR, 'app-secret.json'))
  return Buffer.from(hkdfSync('sha256', key, 'rookery', purpose, 32)).toString('base64url')
}

function secretFile(path: string): string {
  const known = readJson(path, z.string().min(32))
  if (known) return known
  const made = randomBytes(32).toString('base64url')
  writePrivately(path, JSON.stringify(made))
  return made
}
