// pauses, resumes or shows publishing: publishing hold|resume|status [all|platform|credentials|organization] [name] [reason]
import { z } from 'zod'
import { command, words } from '../../db/command.ts'
import { openDatabases } from '../../db/pools.ts'
import { withDatabase } from '../../db/withDatabase.ts'
import { asSystem } from '../../db/system.ts'
import { pausePublishing, activeKillSwitches, resumePublishing, type KillSwitch } from '../../delivery/killSwitch.ts'
import { assertKillSwitchTarget } from '../../delivery/killSwitchTargets.ts'

const USAGE = 'publishing hold|resume|status [all|platform|credentials|organization] [name] [reason]'
const Words = z.tuple([
  z.enum(['hold', 'resume', 'status']),
  z.enum(['all', 'platform', 'credentials', 'organization']),
])

await command(async ({ env, clock }) => {
  const [verb = 'status', scope = 'all', ...rest] = words(Infinity, USAGE)
  const parsed = Words.safeParse([verb, scope])
  if (!parsed.success) throw new Error(`Usage: npm run rookery -- ${USAGE}`)
  const [what, where] = parsed.data
  const name = where === 'all' ? '' : (rest.shift() ?? '')
  // a reason belongs to a pause, and a name to a scope that isn't everything
  if ((where !== 'all' && name === '' && what !== 'status') || (what !== 'hold' && rest.length > 0))
    throw new Error(`Usage: npm run rookery -- ${USAGE}`)
  return await withDatabase(env, async ({ settings }) => {
    const databases = openDatabases(settings)
    try {
      if (what !== 'status') await asSystem(databases.system, (tx) => assertKillSwitchTarget(tx, where, name))
      if (what === 'hold')
        await asSystem(databases.system, (tx) =>
          pausePublishing(tx, {
            scope: where,
            name,
            reason: rest.join(' ') || 'Paused by an operator',
            since: clock.now(),
          }),
        )
      const ended = what === 'resume' && (await resumePublishing(databases.system, where, name))
      const before = what === 'resume' && where !== 'all' && !ended ? `Publishing for ${name} was not paused.\n` : ''
      const holds = await activeKillSwitches(databases.system)
      if (holds.length === 0) return `${before}Publishing is running.`
      return before + holds.map(describe).join('\n')
    } finally {
      await databases.close()
    }
  })
})

function describe({ scope, name, reason, since }: KillSwitch): string {
  const what = scope === 'all' ? 'everything' : `${scope} ${name}`
  return `Paused: ${what}, since ${since.toISOString()}: ${reason}`
}
