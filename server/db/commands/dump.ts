// writes all data as text, for moving: dump <new folder or .tar.gz>
import { resolve } from 'node:path'
import { argument, command } from '../command.ts'
import { dump } from '../dump.ts'
import { rememberBackup } from '../lastBackup.ts'
import { withDatabase } from '../withDatabase.ts'

await command(async ({ env, clock }) => {
  const target = argument('dump <new folder or .tar.gz>')
  const made = await withDatabase(env, ({ settings }) => dump(settings, env.DATA_DIR, target, clock.now()))
  rememberBackup(env.DATA_DIR, { takenAt: clock.now().toISOString(), target: resolve(target) })
  const rows = made.tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows} rows from ${made.tables.length} tables were written to ${target}`
})
