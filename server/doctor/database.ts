import { existsSync } from 'node:fs'
import type { Client, ClientBase } from 'pg'
import type { Clock } from '../clock.ts'
import { clusterPaths } from '../db/cluster.ts'
import { appliedMigrations, isLoadUnfinished } from '../db/migrate.ts'
import { openDatabases } from '../db/pools.ts'
import { isDataDirectoryTaken } from '../db/postmaster.ts'
import { asClient, assertAppRoleIsBound, parseDatabaseUrl, rolesOf } from '../db/roles.ts'
import { migrationFiles } from '../db/sqlFiles.ts'
import { withDatabase, type Reached } from '../db/withDatabase.ts'
import { activeKillSwitches } from '../delivery/killSwitch.ts'
import { defaultOptions } from '../delivery/options.ts'
import type { Env } from '../env.ts'
import { about, reasonOf, type Finding } from './finding.ts'

/** The version that the embedded database has, and an external one needs. */
const VERSION = 18
/** Connections that one node opens at most, and what an external database keeps for others. */
const CONNECTIONS = 60

const { ok, warning, problem } = about('Database')
const clockFinding = about('Clock')

/** Version, roles, schema and clock of the database, without changing anything in an external one. */
export async function lookAtDatabase(env: Env, clock: Clock): Promise<Finding[]> {
  if (env.DATABASE_URL !== undefined) return await lookOutside(env, env.DATABASE_URL, clock)
  const paths = clusterPaths(env.DATA_DIR)
  if (!existsSync(paths.data)) return [ok('There is none yet; the first start creates it.')]
  const isRunning = isDataDirectoryTaken(paths)
  const where = isRunning ? 'embedded, of the running app' : 'embedded; the app is not running'
  return await withDatabase(env, async (reached) => await lookInside(reached, where, clock)).catch((error: unknown) => [
    problem(
      `The embedded database can't be used: ${reasonOf(error)}`,
      `Its own log is ${paths.log}. If the disk was full or the machine lost power, start the app again: it recovers.`,
    ),
  ])
}

async function lookOutside(env: Env, url: string, clock: Clock): Promise<Finding[]> {
  const todo =
    'Check DATABASE_URL and "An external database" in docs/operations.md. Special characters in its user and password have to be encoded: p@ss is p%40ss.'
  try {
    const login = parseDatabaseUrl(url)
    const { lacks, isNew } = await asClient(login, async (client) => await rolesThere(client))
    if (lacks.length > 0) return lacks.map((says) => problem(says, todo))
    if (isNew) return [ok('It can be used, and nothing of Rookery is in it yet; the first start prepares it.')]
    return await lookInside({ settings: rolesOf(login), embedded: null }, 'external', clock)
  } catch (error) {
    return [problem(`The external database can't be used: ${reasonOf(error)}`, todo)]
  }
}

/** What the login of an external database may not do, and whether our roles have to be made. */
async function rolesThere(client: Client): Promise<{ lacks: string[]; isNew: boolean }> {
  const { rows } = await client.query<{ name: string; there: boolean; usable: boolean; creates: boolean }>(
    `select r.name, p.oid is not null as there, coalesce(pg_has_role(current_user, p.oid, 'set'), false) as usable,
       (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as creates
     from unnest(array['rookery_owner', 'rookery_app', 'rookery_system', 'rookery_purge']) r(name) left join pg_roles p on p.rolname = r.name`,
  )
  const lacks = rows.flatMap(({ name, there, usable, creates }) =>
    there
      ? usable || creates
        ? []
        : [`Its user isn't allowed to use the role ${name}.`]
      : creates
        ? []
        : [`The role ${name} is missing, and its user isn't allowed to create it.`],
  )
  return { lacks, isNew: rows.some(({ there, usable }) => !there || !usable) }
}

async function lookInside({ settings }: Reached, where: string, clock: Clock): Promise<Finding[]> {
  const databases = openDatabases(settings)
  try {
    const asked = clock.now().getTime()
    const { rows } = await databases.system.query<Facts>(FACTS)
    const answered = clock.now().getTime()
    const [facts] = rows
    if (!facts) return [problem('The database answered nothing.', 'Look into its log.')]
    const found: Finding[] = []
    if (Math.floor(facts.version / 10_000) !== VERSION)
      found.push(
        problem(
          `It is PostgreSQL ${facts.named}, and Rookery needs ${VERSION}.`,
          `Upgrade it to PostgreSQL ${VERSION}.`,
        ),
      )
    if (facts.encoding !== 'UTF8')
      found.push(problem(`Its encoding is ${facts.encoding}.`, 'Create the database with encoding UTF8.'))
    if (facts.connections < CONNECTIONS)
      found.push(
        warning(
          `It allows ${facts.connections} connections, and one node of Rookery may open about ${CONNECTIONS}.`,
          `Raise max_connections to ${CONNECTIONS + 40} or more.`,
        ),
      )
    await assertAppRoleIsBound(settings).catch((error: unknown) =>
      found.push(problem(reasonOf(error), 'See "An external database" in docs/operations.md.')),
    )
    const schema = await asClient(settings.owner, schemaFindings)
    found.push(...schema)
    // an older schema may lack what is asked next
    const holds = schema.length > 0 ? [] : await activeKillSwitches(databases.system)
    for (const { scope, name, reason, since } of holds)
      found.push(
        warning(
          `Publishing is paused for ${scope === 'all' ? 'everything' : `${scope} ${name}`} since ${since.toISOString()}: ${reason}`,
          `Once that is settled, run: npm run rookery -- publishing resume ${scope === 'all' ? '' : `${scope} ${name}`}`.trimEnd(),
        ),
      )
    if (found.length === 0) found.push(ok(`PostgreSQL ${facts.named}, ${where}, with the newest schema.`))
    return [...found, clockOf(facts.now.getTime(), asked, answered)]
  } finally {
    await databases.close()
  }
}

type Facts = { version: number; named: string; encoding: string; connections: number; now: Date }
const FACTS = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as named,
    pg_encoding_to_char(encoding) as encoding, current_setting('max_connections')::int as connections, clock_timestamp() as now
  from pg_database where datname = current_database()`

async function schemaFindings(client: ClientBase): Promise<Finding[]> {
  if (await isLoadUnfinished(client))
    return [problem('A dump was being loaded and is incomplete.', 'Load it again: that starts over.')]
  const names = migrationFiles().map(({ name }) => name)
  const applied = await appliedMigrations(client)
  const unknown = applied.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    return [
      problem(
        `Its schema is of another version of Rookery (${unknown[0]}).`,
        'Start that version, or restore a backup that this version wrote.',
      ),
    ]
  const pending = names.length - applied.length
  return pending > 0
    ? [
        warning(
          `${pending} ${pending === 1 ? 'migration is' : 'migrations are'} pending.`,
          'The next start applies them.',
        ),
      ]
    : []
}

/** The clocks of this machine and of the database, compared as publishing does. */
function clockOf(theirs: number, asked: number, answered: number): Finding {
  const off = Math.max(asked - theirs, theirs - answered, 0)
  const seconds = (off / 1000).toLocaleString('en', { maximumFractionDigits: 1 })
  return off > defaultOptions.clockTolerance
    ? clockFinding.problem(
        `This machine's clock and the database's are ${seconds} s apart, so nothing is published.`,
        'Turn on time synchronization (NTP) on both machines.',
      )
    : clockFinding.ok("This machine's clock agrees with the database's.")
}
