// copies the embedded database, media and keys: backup <new folder or .tar.gz>
import { backup } from '../backup.ts'
import { argument, command } from '../command.ts'
import { withDatabase } from '../reach.ts'

await command(async ({ env, clock }) => {
  const target = argument('backup <new folder or .tar.gz>')
  const made = await withDatabase(env, (reached) => backup(reached, target, clock.now()))
  return `The backup of ${made.takenAt} is in ${target}`
})
