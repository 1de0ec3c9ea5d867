// puts a backup into an empty DATA_DIR: restore <folder or .tar.gz>
import { restore } from '../backup.ts'
import { clusterPaths } from '../cluster.ts'
import { argument, command } from '../command.ts'

await command(async ({ env }) => {
  const source = argument('restore <folder or .tar.gz>')
  if (env.DATABASE_URL) throw new Error('A backup is restored into DATA_DIR, but DATABASE_URL is set')
  const found = await restore(source, clusterPaths(env.DATA_DIR))
  return `The backup of ${found.takenAt} is in ${env.DATA_DIR}. After the next start, publishing waits for what was due since then`
})
