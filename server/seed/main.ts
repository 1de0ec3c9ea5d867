import { join } from 'node:path'
import { sealAudit } from '../audit/seal.ts'
import { systemClock } from '../clock.ts'
import { foldCounts } from '../dashboard/fold.ts'
import { startDatabase } from '../db/database.ts'
import { openDatabases, openOwnerPool, type DatabaseSettings } from '../db/pools.ts'
import { writePrivately } from '../db/privateFiles.ts'
import { asSystem } from '../db/system.ts'
import { readEnv } from '../env.ts'
import { PAST_FILE } from '../simulators/past.ts'
import { demoPerson } from './content.ts'
import { seedOrganization } from './organization.ts'

/*
 * `npm run seed`: fills the database with a demo organization to look around in. Its channels are simulated: `npm run
 * dev` responds for them. Refuses an installation with a public URL, and a second run.
 */

const env = readEnv()
if (env.PUBLIC_URL?.startsWith('https:')) {
  console.error(
    "The demo organization has a known password, so it can't be created in an installation with a public URL.",
  )
  process.exit(1)
}
const database = await startDatabase({
  dataDir: env.DATA_DIR,
  ...(env.DATABASE_URL !== undefined && { databaseUrl: env.DATABASE_URL }),
})
const databases = openDatabases(database.settings)
try {
  const now = systemClock.now()
  const made = await asSystem(databases.system, (tx) => seedOrganization(tx, env, now))
  await sealAudit(databases.system, systemClock.now())
  // two years of lines would be added up while people look at the first screen
  await foldCounts({ databases, signal: new AbortController().signal })
  await knowSizes(database.settings)
  if (made) writePrivately(join(env.DATA_DIR, PAST_FILE), JSON.stringify(made.past))
  const outcome = made
    ? `Created Northlight Coffee with ${made.posts} posts over two years and ${made.conversations} conversations.`
    : 'The demo organization already exists.'
  console.log(`${outcome} Log in as ${demoPerson.email} with the password ${demoPerson.password}.`)
} finally {
  await databases.close()
  await database.stop()
}

/** The database plans its queries by what it knows of the tables: after so many rows at once, nothing until it looks again. */
async function knowSizes(settings: DatabaseSettings): Promise<void> {
  const owner = openOwnerPool(settings)
  try {
    await owner.query('analyze')
  } finally {
    await owner.end()
  }
}
