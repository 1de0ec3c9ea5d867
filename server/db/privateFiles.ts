import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import type { z } from 'zod'

/**
 * Writes a file that only its owner can read (0600), completely or not at all, even if the machine stops in the
 * meantime.
 */
export function writePrivately(path: string, content: string): void {
  const beside = `${path}.new`
  const file = openSync(beside, 'w', 0o600)
  try {
    writeSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(beside, path)
}

/** Reads a JSON file and checks its shape. Undefined if there is none; throws if it's damaged. */
export function readJson<T>(path: string, shape: z.ZodType<T>): T | undefined {
  if (!existsSync(path)) return undefined
  return shape.parse(JSON.parse(readFileSync(path, 'utf8')))
}
