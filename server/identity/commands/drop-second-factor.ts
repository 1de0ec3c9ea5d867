// for someone who lost their app and recovery codes: turns off the app and removes the passkeys: drop-second-factor
// <email>
import { argument, command } from '../../db/command.ts'
import { openDatabases } from '../../db/pools.ts'
import { withDatabase } from '../../db/withDatabase.ts'
import { asSystem } from '../../db/system.ts'
import { dropSecondFactors } from '../secondFactor.ts'

await command(async ({ env, clock }) => {
  const email = argument('drop-second-factor <email>').trim().toLowerCase()
  return await withDatabase(env, async ({ settings }) => {
    const databases = openDatabases(settings)
    try {
      const dropped = await asSystem(databases.system, (tx) => dropSecondFactors(tx, email, clock.now()))
      if (!dropped) throw new Error(`Nobody has the address ${email}.`)
      return `${email} logs in with the password alone now. All their sessions were ended.`
    } finally {
      await databases.close()
    }
  })
})
