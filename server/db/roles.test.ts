import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'
import { openDatabases, type ConnectionSettings } from './pools.ts'
import { asClient, assertAppRoleIsBound, parseDatabaseUrl, prepareOutside } from './roles.ts'
import { migrationFiles, readLanded } from './sqlFiles.ts'
import { asTenant } from './tenant.ts'

const ORG = '01920000-0000-7000-8000-000000000001'

let database: TestDatabase
const asSuperuser = <T>(fn: (client: Client) => Promise<T>): Promise<T> => asClient(inject('cluster').superuser, fn)

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.drop())

describe('the start', () => {
  it('accepts the roles that it creates', async () => {
    await expect(assertAppRoleIsBound(database.settings)).resolves.toBeUndefined()
  })

  it.each([
    ['is a superuser', 'superuser'],
    ['may bypass row-level security', 'bypassrls'],
    ['belongs to rookery_system', 'in role rookery_system'],
    ['owns tables', 'in role rookery_owner'],
  ])('refuses an app role that %s', async (why, attributes) => {
    const app = await makeLogin(attributes)
    await expect(assertAppRoleIsBound({ ...database.settings, app })).rejects.toThrow(why)
    await asSuperuser((client) => client.query(`drop role ${app.user}`))
  })

  it('refuses a schema that is newer than the program', async () => {
    await database.owner.query("insert into migration.applied (name) values ('9999-from-the-future')")
    await expect(migrate(database.settings)).rejects.toThrow('newer version of Rookery: it has 9999-from-the-future')
    await database.owner.query("delete from migration.applied where name like '9999%'")
    await expect(migrate(database.settings)).resolves.toEqual([])
  })

  it('refuses tables of a version that recorded no migrations, and leaves them alone', async () => {
    await database.owner.query(
      'alter table migration.applied rename to kept; create table migration.applied (like migration.kept including all)',
    )
    await expect(migrate(database.settings)).rejects.toThrow("tables that this version of Rookery didn't make")
    await database.owner.query('drop table migration.applied; alter table migration.kept rename to applied')
    await expect(migrate(database.settings)).resolves.toEqual([])
  })

  it('refuses functions that are newer than the program, and leaves them alone', async () => {
    const { functionsVersion } = readLanded()
    await database.owner.query(
      "update migration.functions set version = version + 1; update migration.function_file set hash = '' where name = 'enter'",
    )
    await expect(migrate(database.settings)).rejects.toThrow(`it has version ${functionsVersion + 1} of the functions`)
    await database.owner.query('update migration.functions set version = version - 1')
    await migrate(database.settings)
    const { rows } = await database.owner.query(
      "select hash <> '' as applied from migration.function_file where name = 'enter'",
    )
    expect(rows).toEqual([{ applied: true }])
  })

  it('applies a function again when its file has changed', async () => {
    await database.owner.query(
      "drop function take_back; update migration.function_file set hash = 'of an earlier version' where name = 'take_back'",
    )
    await migrate(database.settings)
    const taken = "select take_back(now(), gen_random_uuid(), '{}', false, '{}') as posts"
    expect((await database.databases.system.query(taken)).rows).toEqual([{ posts: 0 }])
  })

  it('creates one schema when two nodes start at once on an empty database', async () => {
    const empty = await createTestDatabase({ empty: true })
    const applied = await Promise.all([migrate(empty.settings), migrate(empty.settings)])
    expect(applied.map((names) => names.length).toSorted((a, b) => a - b)).toEqual([0, migrationFiles().length])
    await empty.drop()
  })
})

async function makeLogin(attributes: string): Promise<ConnectionSettings> {
  const user = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser((client) =>
    client.query(`set scram_iterations = 1; create role ${user} login password 'x' ${attributes}`),
  )
  return { ...database.settings.app, user, password: 'x' }
}

describe('an external database', () => {
  let login: ConnectionSettings
  let url: string

  beforeAll(async () => {
    login = await makeLogin('')
    await asSuperuser((client) => client.query(`create database ${login.user} owner ${login.user}`))
    url = `postgres://${login.user}:x@localhost/${login.user}?host=${encodeURIComponent(login.host)}`
  })

  afterAll(() =>
    asSuperuser(async (client) => {
      await client.query(`drop database ${login.user} with (force)`)
      await client.query(`drop role ${login.user}`)
    }),
  )

  it("says what an administrator has to do if its user can't assume the roles", async () => {
    await expect(prepareOutside(url)).rejects.toThrow(
      'isn\'t allowed to use the role rookery_owner: see "An external database"',
    )
  })

  it('works with one login that assumes the roles, and isolates tenants', async () => {
    await asSuperuser((client) =>
      client.query(
        `grant rookery_owner, rookery_app, rookery_system, rookery_purge to ${login.user} with inherit false, set true`,
      ),
    )
    const settings = await prepareOutside(url)
    expect((await migrate(settings)).length).toBeGreaterThan(0)
    await assertAppRoleIsBound(settings)
    const databases = openDatabases(settings)
    const { rows } = await databases.web.query('select current_user::text as role, session_user::text as login')
    expect(rows).toEqual([{ role: 'rookery_app', login: login.user }])
    expect(await asTenant(databases.web, ORG, (tx) => tx.selectFrom('organization').selectAll().execute())).toEqual([])
    await expect(databases.web.query('select * from organization')).rejects.toThrow(/app\.org_id|uuid/)
    await databases.close()
  })
})

describe('DATABASE_URL', () => {
  it('is parsed completely', () => {
    expect(parseDatabaseUrl('postgresql://me:p%40ss@db.example.org/rookery?sslmode=verify-full')).toEqual({
      host: 'db.example.org',
      port: 5432,
      database: 'rookery',
      user: 'me',
      password: 'p@ss',
      ssl: { rejectUnauthorized: true },
    })
    expect(parseDatabaseUrl('postgres://me@db:6000/x')).toMatchObject({ port: 6000, ssl: false, password: '' })
  })

  it.each(['', 'mysql://me@db/x', 'postgres://db', 'postgres://db/x'])(
    "is refused with a message if it's %j",
    (text) => {
      expect(() => parseDatabaseUrl(text)).toThrow('postgres://user:password@host:5432/name')
    },
  )
})
