import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import type { z } from 'zod'

/** Writes a file that only its owner reads (0600), whole or not at all, also when the machine stops meanwhile. */
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

/** Reads a JSON file and checks its shape. Undefined when there is none; throws when it is damaged. */
export function readJson<T>(path: string, shape: z.ZodType<T>): T | undefined {
  if (!existsSync(path)) return undefined
  return shape.parse(JSON.parse(readFileSync(path, 'utf8')))
}
