// walks the sealed chain of the audit and names the first broken link: audit verify [--org <organisation>]
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { command } from '../../db/command.ts'
import { openDatabases } from '../../db/pools.ts'
import { withDatabase } from '../../db/reach.ts'
import { sayVerdict, verifyAudit } from '../verify.ts'

const USAGE = 'Usage: npm run rookery -- audit verify [--org <organisation>]'

await command(async ({ env }) => {
  const orgId = readCall()
  return await withDatabase(env, async ({ settings }) => {
    const databases = openDatabases(settings)
    try {
      const verdicts = await verifyAudit(databases.system, orgId)
      const said = verdicts.map(sayVerdict).join('\n') || 'There is no audit yet.'
      if (verdicts.some(({ broken }) => broken)) throw new Error(said)
      return said
    } finally {
      await databases.close()
    }
  })
})

/** Which organisation; undefined for each. Throws how the command is called. */
function readCall(): string | undefined {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { org: { type: 'string' } } })
    if (positionals.length !== 1 || positionals[0] !== 'verify') throw new Error(USAGE)
    return z.uuid().optional().parse(values.org)
  } catch {
    throw new Error(USAGE)
  }
}
