import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { countRoundTrips } from '../testing/roundTrips.ts'
import { until } from '../testing/until.ts'
import { openDatabases } from './pools.ts'
import { asSystem, asSystemInOneTrip } from './system.ts'
import type { Tx } from './kysely.ts'
import { asTenant, changeTenant, enterTenant, readTenant } from './tenant.ts'
import { insertWithCommit, readAndCommit } from './transaction.ts'

const NOW = new Date('2026-03-01T10:00:00Z')
const NOBODY = { tokenHash: null, orgId: null, projectId: null }
const HERE = '01920000-0000-7000-8000-000000000001'
const THERE = '01920000-0000-7000-8000-000000000002'
const PERSON = '01920000-0000-7000-8000-0000000000aa'
const TOKEN = Buffer.from('ab'.repeat(32), 'hex')

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.owner.query(`
    insert into person (id, email, password_hash, first_name, last_name, confirmed_at, created_at)
      values ('${PERSON}', 'a@example.org', '', 'A', 'B', now(), now());
    insert into session (id, token_hash, person_id, created_at, last_seen_at, expires_at)
      values ('${HERE}', '\\x${TOKEN.toString('hex')}', '${PERSON}', '2026-03-01', '2026-03-01', '2026-03-31');
    insert into organization (org_id, name, org_type, org_size, created_at, created_by)
      values ('${HERE}', 'Here', 'organization', '1', now(), '${PERSON}'), ('${THERE}', 'There', 'organization', '1', now(), '${PERSON}');
    insert into plan (org_id, plan_id, status, changed_at)
      values ('${HERE}', 'team', 'TRIAL_ACTIVE', now()), ('${THERE}', 'free', 'ACTIVE', now());
    insert into member (org_id, person_id, is_admin, added_at) values ('${HERE}', '${PERSON}', true, now());
  `)
})

afterAll(() => database.drop())

describe('enterTenant', () => {
  it('answers the session, the organization and the plan of a member, and sets the tenant', async () => {
    const ids = { tokenHash: TOKEN, orgId: HERE, projectId: null }
    const { entered, names } = await enterTenant(database.databases.web, ids, NOW, async (tx, entered) => ({
      entered,
      names: await tx.selectFrom('organization').select('name').execute(),
    }))
    expect(entered).toMatchObject({
      person_id: PERSON,
      confirmed: true,
      org_id: HERE,
      is_org_admin: true,
      plan_id: 'team',
    })
    expect(names).toEqual([{ name: 'Here' }])
  })

  it("doesn't admit to others' organizations, or with an expired session", async () => {
    const stranger = await enterTenant(
      database.databases.web,
      { tokenHash: TOKEN, orgId: THERE, projectId: null },
      NOW,
      async (_, entered) => entered,
    )
    expect(stranger).toMatchObject({ person_id: PERSON, org_id: null, plan_id: null })
    const late = new Date('2026-04-01T00:00:00Z')
    const expired = await enterTenant(
      database.databases.web,
      { tokenHash: TOKEN, orgId: HERE, projectId: null },
      late,
      async (_, entered) => entered,
    )
    expect(expired).toMatchObject({ person_id: null, org_id: null })
  })

  it('raises when a tenant table is queried without a tenant', async () => {
    const asking = enterTenant(database.databases.web, NOBODY, NOW, (tx) =>
      tx.selectFrom('organization').selectAll().execute(),
    )
    await expect(asking).rejects.toThrow(/app\.org_id|uuid/)
  })

  it('forgets the tenant with the transaction, on the same connection', async () => {
    const pids = new Set<number>()
    for (let round = 0; round < 3; round++) {
      await asTenant(database.databases.web, HERE, async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
        pids.add(rows[0]?.pid ?? 0)
      })
      const asking = enterTenant(database.databases.web, NOBODY, NOW, (tx) =>
        tx.selectFrom('organization').selectAll().execute(),
      )
      await expect(asking).rejects.toThrow(/uuid/)
    }
    expect(pids.size).toBe(1)
  })
})

describe('readTenant', () => {
  const ids = { tokenHash: TOKEN, orgId: THERE, projectId: null }
  const read = <T>(fn: Parameters<typeof readTenant<T>>[3]) => readTenant(database.databases.web, ids, NOW, fn)
  const joined = (isAdmin: boolean) =>
    database.owner.query(
      'insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, $3, now()) on conflict (org_id, person_id) do update set is_admin = excluded.is_admin',
      [THERE, PERSON, isAdmin],
    )
  const left = () => database.owner.query('delete from member where org_id = $1', [THERE])
  const names = (tx: Tx) => tx.selectFrom('organization').select('name').execute()

  it('admits a repeated caller with one query, and returns the current state', async () => {
    await joined(true)
    const runs: (boolean | null)[] = []
    const come = () =>
      read(async (tx, entered) => {
        runs.push(entered.is_org_admin)
        return await names(tx)
      })
    expect([await come(), await come()]).toEqual([[{ name: 'There' }], [{ name: 'There' }]])
    expect(runs).toEqual([true, true])
    // the assumption no longer holds: it runs again, and only the second result is seen
    await joined(false)
    await come()
    expect(runs).toEqual([true, true, true, false])
  })

  it('runs once also what asks the database nothing', async () => {
    await joined(true)
    const runs = vi.fn(async () => 'said without asking')
    await read(runs)
    runs.mockClear()
    for (let visit = 0; visit < 3; visit++) expect(await read(runs)).toBe('said without asking')
    expect(runs).toHaveBeenCalledTimes(3)
    expect(await Promise.all([read(runs), read(runs), read(runs)])).toHaveLength(3)
    expect(runs).toHaveBeenCalledTimes(6)
  })

  it('shows nothing to someone who has left, whether statements came first, last, or not at all', async () => {
    for (const look of [
      names,
      (tx: Tx) => readAndCommit(tx, tx.selectFrom('organization').select('name')),
      async () => [{ name: 'said without asking' }],
    ]) {
      await joined(true)
      const come = () => read(async (tx, entered) => (entered.org_id === null ? 'a stranger' : await look(tx)))
      await come()
      expect(await come()).toHaveLength(1)
      await left()
      expect(await come()).toBe('a stranger')
    }
  })

  it('retries after a failure under outdated assumptions, and reports one under current ones', async () => {
    await joined(true)
    const come = () =>
      read(async (tx, entered) => {
        await names(tx)
        if (entered.is_org_admin) throw new Error('only for others')
        return 'welcome'
      })
    await expect(come()).rejects.toThrow('only for others')
    await expect(come()).rejects.toThrow('only for others')
    await joined(false)
    expect(await come()).toBe('welcome')
    for (const fail of [
      async (tx: Tx) => (await sql`select 1 / 0`.execute(tx)).rows,
      (tx: Tx) => readAndCommit(tx, { compile: () => sql`select 1 / 0`.compile(tx) }),
    ]) {
      await expect(read(fail)).rejects.toThrow('division by zero')
      expect(await come()).toBe('welcome')
    }
  })

  it('admits all callers that arrive during an admission with one query, after they arrived', async () => {
    await joined(true)
    const seen = () => read(async (tx, entered) => (entered.org_id === null ? 'a stranger' : await names(tx)))
    await seen()
    const asked = vi.spyOn(database.databases.web, 'query')
    expect(await Promise.all(Array.from({ length: 8 }, seen))).toEqual(
      Array.from({ length: 8 }, () => [{ name: 'There' }]),
    )
    expect(asked).toHaveBeenCalledTimes(1)
    // the entrance waits at the door while the person is removed
    const owner = await database.owner.connect()
    try {
      await owner.query('begin; lock table member in access exclusive mode')
      const first = seen()
      await until(
        async () =>
          (await database.owner.query("select from pg_locks where not granted and relation = 'member'::regclass"))
            .rowCount === 1,
        { what: 'the first entrance to wait' },
      )
      const others = [seen(), seen(), seen()]
      await owner.query('delete from member where org_id = $1', [THERE])
      await owner.query('commit')
      expect(await Promise.all([first, ...others])).toEqual(Array.from({ length: 4 }, () => 'a stranger'))
    } finally {
      owner.release()
    }
    expect(asked).toHaveBeenCalledTimes(2)
    asked.mockRestore()
  })

  it("can't write, at the first visit nor at the next", async () => {
    await joined(true)
    const change = (tx: Tx) => tx.updateTable('organization').set({ name: 'Written' })
    for (const write of [
      async (tx: Tx) => void (await change(tx).execute()),
      async (tx: Tx) => void (await readAndCommit(tx, change(tx))),
    ])
      for (let visit = 0; visit < 3; visit++) await expect(read(write)).rejects.toThrow('read-only')
    expect(await read(names)).toEqual([{ name: 'There' }])
    await left()
  })
})

describe('changeTenant', () => {
  const ids = { tokenHash: TOKEN, orgId: THERE, projectId: null }
  const come = <T>(fn: Parameters<typeof changeTenant<T>>[3]) => changeTenant(database.databases.web, ids, NOW, fn)
  const joined = (isAdmin: boolean) =>
    database.owner.query(
      'insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, $3, now()) on conflict (org_id, person_id) do update set is_admin = excluded.is_admin',
      [THERE, PERSON, isAdmin],
    )
  const left = () => database.owner.query('delete from member where org_id = $1', [THERE])
  const rename = (tx: Tx, name: string) => tx.updateTable('organization').set({ name }).execute()
  const nameNow = async () =>
    (await database.owner.query<{ name: string }>('select name from organization where org_id = $1', [THERE])).rows[0]
      ?.name

  it('admits a repeated caller in the same round trip as its first statement', async () => {
    await joined(true)
    await come((tx) => rename(tx, 'One'))
    const roundTrips = countRoundTrips(database.databases.web)
    await come((tx) => rename(tx, 'Two'))
    // and the commit
    expect(roundTrips()).toBe(2)
    expect(await nameNow()).toBe('Two')
  })

  it('keeps nothing of what ran on outdated rights, and runs again on those of now', async () => {
    await joined(true)
    const runs: (boolean | null)[] = []
    const change = () =>
      come(async (tx, entered) => {
        runs.push(entered.is_org_admin)
        if (entered.is_org_admin) await rename(tx, 'Of an admin')
      })
    await change()
    await database.owner.query("update organization set name = 'There' where org_id = $1", [THERE])
    await joined(false)
    await change()
    expect(runs).toEqual([true, true, false])
    expect(await nameNow()).toBe('There')
  })

  it('admits nobody who has left, whether statements came or not', async () => {
    for (const change of [(tx: Tx) => rename(tx, 'Of someone who left'), async () => []]) {
      await joined(true)
      const enter = () => come(async (tx, entered) => (entered.org_id === null ? 'a stranger' : await change(tx)))
      await enter()
      await database.owner.query("update organization set name = 'There' where org_id = $1", [THERE])
      await left()
      expect(await enter()).toBe('a stranger')
      expect(await nameNow()).toBe('There')
    }
  })

  it('reports a failure under current rights, once, and keeps nothing', async () => {
    await joined(true)
    await come(async () => {})
    const runs = vi.fn(async (tx: Tx) => {
      await rename(tx, 'Failed')
      throw new Error('refused')
    })
    await expect(come(runs)).rejects.toThrow('refused')
    expect(runs).toHaveBeenCalledTimes(1)
    expect(await nameNow()).toBe('There')
    await left()
  })

  it("doesn't commit with a reading before it's known that the rights still hold", async () => {
    await joined(true)
    const change = () =>
      come(async (tx, entered) => {
        if (!entered.is_org_admin) return
        await insertWithCommit(tx, 'event', [{ at: NOW, org_id: THERE, kind: 'post', ref: 'too early' }])
        await readAndCommit(tx, tx.selectFrom('organization').select('name'))
      })
    await come(async () => {})
    await joined(false)
    await change()
    const { rows } = await database.owner.query("select from event where ref = 'too early'")
    expect(rows).toEqual([])
    await left()
  })
})

describe('a transaction', () => {
  it('commits what was written and undoes it on a throw', async () => {
    const rename = (name: string, failure?: Error): Promise<void> =>
      asTenant(database.databases.web, HERE, async (tx) => {
        const result = await tx.updateTable('organization').set({ name }).executeTakeFirst()
        expect(result.numUpdatedRows).toBe(1n)
        if (failure) throw failure
      })
    const name = async (): Promise<string[]> =>
      (
        await asTenant(database.databases.web, HERE, (tx) => tx.selectFrom('organization').select('name').execute())
      ).map((row) => row.name)
    await expect(rename('Undone', new Error('no'))).rejects.toThrow('no')
    expect(await name()).toEqual(['Here'])
    await rename('Here again')
    expect(await name()).toEqual(['Here again'])
  })

  it('fails its commit when a statement failed and was swallowed', async () => {
    const swallowed = asTenant(database.databases.web, HERE, async (tx) => {
      await sql`select 1 / 0`.execute(tx).catch(() => undefined)
    })
    await expect(swallowed).rejects.toThrow(/rolled back/)
  })

  it('sends statements without waiting for the one before, and reads the last with its commit', async () => {
    const answers = await asTenant(database.databases.web, HERE, async (tx) => {
      const [one, two] = await Promise.all([
        sql<{ n: number }>`select 1 as n`.execute(tx),
        sql<{ n: number }>`select 2 as n`.execute(tx),
      ])
      const last = await readAndCommit(tx, tx.selectFrom('organization').select('org_id'))
      await expect(tx.selectFrom('organization').selectAll().execute()).rejects.toThrow('committed')
      return [one.rows, two.rows, last]
    })
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ org_id: HERE }]])
  })

  it('inserts what was kept with its commit, one row or many, in several tables, and fails with it', async () => {
    const entry = (at: Date, detail: object = {}) => ({
      org_id: HERE,
      id: randomUUIDv7(),
      at,
      project_id: null,
      person_id: PERSON,
      action: 'kept',
      entity: 'thing',
      entity_id: 'x',
      detail,
    })
    const tell = (dates: Date[], kind: string | null) =>
      asTenant(database.databases.web, HERE, async (tx) => {
        await insertWithCommit(
          tx,
          'audit',
          dates.map((at) => entry(at, { said: "it's $1" })),
        )
        await insertWithCommit(tx, 'event', [{ at: NOW, org_id: HERE, kind, ref: 'kept' }])
        await insertWithCommit(tx, 'audit_client', [])
        return (await tx.selectFrom('audit').selectAll().execute()).length
      })
    const written = async () =>
      (
        await database.owner.query(
          "select (select count(*)::int from audit where action = 'kept' and detail = $1) as entries, (select count(*)::int from event where ref = 'kept') as events",
          [{ said: "it's $1" }],
        )
      ).rows[0]
    expect(await tell([NOW], 'post')).toBe(0)
    expect(await written()).toEqual({ entries: 1, events: 1 })
    expect(await tell([NOW, NOW, NOW], 'post')).toBe(1)
    expect(await written()).toEqual({ entries: 4, events: 2 })
    await expect(tell([NOW], null)).rejects.toThrow('null value')
    expect(await written()).toEqual({ entries: 4, events: 2 })
  })

  it.each([1, 2, 3])('inserts %i rows with the commit as they are, arrays in JSON columns too', async (count) => {
    const rows = Array.from({ length: count }, (_, i) => ({
      org_id: HERE,
      id: randomUUIDv7(),
      at: NOW,
      action: 'arrays',
      entity: 'thing',
      entity_id: `${count} ${i}`,
      detail: i % 2 === 0 ? [i, { "it's": ['"'] }] : { said: [null] },
    }))
    await asTenant(database.databases.web, HERE, (tx) => insertWithCommit(tx, 'audit', rows))
    const { rows: stored } = await database.owner.query(
      'select org_id, id, at, action, entity, entity_id, detail from audit where entity_id like $1 order by entity_id',
      [`${count} %`],
    )
    expect(stored).toEqual(rows)
  })

  it('refuses a statement that comes after its end', async () => {
    const tx = await asTenant(database.databases.web, HERE, async (inner) => ({ inner }))
    await expect(tx.inner.selectFrom('organization').selectAll().execute()).rejects.toThrow('committed')
  })

  it('survives its connection being ended, as does the pool', async () => {
    const ended = asTenant(database.databases.web, HERE, async (tx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    })
    await expect(ended).rejects.toThrow(/terminat/)
    expect(
      await asTenant(database.databases.web, HERE, (tx) => tx.selectFrom('plan').select('plan_id').execute()),
    ).toHaveLength(1)
  })
})

describe('a transaction in one trip', () => {
  const rename = (name: string) => ({
    text: 'update organization set name = $2 where org_id = $1 returning name',
    values: [THERE, name],
  })
  const broken = { text: 'select 1 / ($1::int - $1::int) as nothing', values: [1] }
  const nameOf = async () =>
    (await database.owner.query('select name from organization where org_id = $1', [THERE])).rows[0]?.name

  it('answers the rows of each statement, one alone as well as several, on the disk or not', async () => {
    const { system } = database.databases
    expect(await asSystemInOneTrip(system, [rename('One'), rename('Two')])).toEqual([
      [{ name: 'One' }],
      [{ name: 'Two' }],
    ])
    expect(await asSystemInOneTrip(system, [rename('Three')], { durable: false })).toEqual([[{ name: 'Three' }]])
    expect(await asSystemInOneTrip(system, [rename('There')])).toEqual([[{ name: 'There' }]])
  })

  it('does nothing when one of them fails, whichever, and its connection works on', async () => {
    const { system } = database.databases
    for (const statements of [[rename('Lost'), broken], [broken, rename('Lost')], [broken]])
      await expect(asSystemInOneTrip(system, statements)).rejects.toThrow('division by zero')
    expect(await nameOf()).toBe('There')
    expect(await asSystemInOneTrip(system, [rename('There'), rename('There')])).toHaveLength(2)
  })

  it('is refused on the pool of tenants', async () => {
    await expect(asSystemInOneTrip(database.databases.web, [broken])).rejects.toThrow('system role')
  })
})

describe('pools', () => {
  it('keep tenants and system apart', async () => {
    await expect(asTenant(database.databases.system, HERE, async () => 1)).rejects.toThrow('app role')
    await expect(asSystem(database.databases.web, async () => 1)).rejects.toThrow('system role')
    const seen = await asSystem(database.databases.system, (tx) =>
      tx.selectFrom('organization').select('org_id').execute(),
    )
    expect(seen).toHaveLength(2)
  })

  it('read numbers, dates, wall times and bytes as what they are', async () => {
    const { rows } = await database.databases.web.query(
      `select 9007199254740991::int8 as big, array[1,2]::int8[] as bigs, date '2026-03-29' as day, timestamp '2026-03-29 02:30' as wall,
        timestamptz '2026-03-29 02:30+00' as instant, '\\x01ff'::bytea as bytes, 1.50::numeric as exact`,
    )
    expect(rows[0]).toEqual({
      big: Number.MAX_SAFE_INTEGER,
      bigs: [1, 2],
      day: '2026-03-29',
      wall: '2026-03-29 02:30:00',
      instant: new Date('2026-03-29T02:30:00Z'),
      bytes: Buffer.from([1, 255]),
      exact: '1.50',
    })
    await expect(database.databases.web.query('select 9007199254740993::int8')).rejects.toThrow('does not fit')
  })

  it('close also when a client was never given back', async () => {
    const databases = openDatabases(database.settings)
    const forgotten = await databases.jobs.connect()
    const listening = forgotten.query('select pg_sleep(60)')
    listening.catch(() => undefined)
    await databases.close(50)
    await expect(listening).rejects.toThrow(/terminated|closed/)
  })

  it('commit jobs without waiting for the disk, and everything else durably', async () => {
    const show = async (
      pool: keyof Omit<TestDatabase['databases'], 'close' | 'disk' | 'notifications'>,
    ): Promise<unknown> =>
      (
        await database.databases[pool].query(
          "select current_setting('synchronous_commit') as v, current_setting('jit') as jit, current_user as who",
        )
      ).rows[0]
    expect(await show('jobs')).toMatchObject({ v: 'off', jit: 'off', who: 'rookery_system' })
    expect(await show('exports')).toMatchObject({ who: 'rookery_app' })
  })
})
