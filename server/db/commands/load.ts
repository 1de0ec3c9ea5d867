// fills a new database with a dump: load <folder or .tar.gz>
import { argument, command } from '../command.ts'
import { load } from '../load.ts'
import { withDatabase } from '../withDatabase.ts'

await command(async ({ env }) => {
  const source = argument('load <folder or .tar.gz>')
  const found = await withDatabase(env, ({ settings }) => load(settings, env.DATA_DIR, source))
  return `The dump of ${found.takenAt} was loaded. After the next start, publishing is paused until you resume it`
})
