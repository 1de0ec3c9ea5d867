import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writePrivately } from './privateFiles.ts'

/** Where the time and the place of the last backup or dump are kept. Not part of a backup. */
export const LAST_BACKUP = 'last-backup.json'

const Shape = z.object({ takenAt: z.iso.datetime(), target: z.string() })

/** Remembers that a backup or a dump was made, for those who ask when. */
export function rememberBackup(dataDir: string, made: z.infer<typeof Shape>): void {
  // a node with its database elsewhere may have no folder
  if (existsSync(dataDir)) writePrivately(join(dataDir, LAST_BACKUP), JSON.stringify(made))
}

/** The last one, or undefined. */
export const lastBackup = (dataDir: string): z.infer<typeof Shape> | undefined =>
  readJson(join(dataDir, LAST_BACKUP), Shape)
