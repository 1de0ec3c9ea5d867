// holds, resumes or shows publishing: publishing hold|resume|status [all|platform|credentials|organisation] [name] [reason]
import { z } from 'zod'
import { command } from '../../db/command.ts'
import { openDatabases } from '../../db/pools.ts'
import { withDatabase } from '../../db/reach.ts'
import { asSystem } from '../../db/system.ts'
import { holdPublishing, holdsInForce, resumePublishing } from '../hold.ts'

const USAGE =
  'Usage: npm run rookery -- publishing hold|resume|status [all|platform|credentials|organisation] [name] [reason]'
const Words = z.tuple([
  z.enum(['hold', 'resume', 'status']),
  z.enum(['all', 'platform', 'credentials', 'organisation']),
])

await command(async ({ env, clock }) => {
  const [verb = 'status', scope = 'all', ...rest] = process.argv.slice(2)
  const parsed = Words.safeParse([verb, scope])
  if (!parsed.success) throw new Error(USAGE)
  const [what, where] = parsed.data
  const name = where === 'all' ? '' : (rest.shift() ?? '')
  if (where !== 'all' && name === '' && what !== 'status') throw new Error(USAGE)
  return await withDatabase(env, async ({ settings }) => {
    const databases = openDatabases(settings)
    try {
      if (what === 'hold')
        await asSystem(databases.system, (tx) =>
          holdPublishing(tx, {
            scope: where,
            name,
            reason: rest.join(' ') || 'Held by an operator',
            since: clock.now(),
          }),
        )
      if (what === 'resume') await resumePublishing(databases.system, where, name)
      const holds = await holdsInForce(databases.system)
      if (holds.length === 0) return 'Publishing is running.'
      return holds
        .map(
          (hold) =>
            `Held: ${hold.scope === 'all' ? 'everything' : `${hold.scope} ${hold.name}`}, since ${hold.since.toISOString()}: ${hold.reason}`,
        )
        .join('\n')
    } finally {
      await databases.close()
    }
  })
})
