import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { sealAudit } from './seal.ts'
import { describeVerdict, UnknownOrganization, verifyAudit, type Wanted } from './verify.ts'
import { writeAudit } from './write.ts'

let database: TestDatabase
const NOW = new Date('2026-11-21T12:00:00Z')
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const write = (orgId: string, entityId: string, at = NOW) =>
  asTenant(database.databases.web, orgId, (tx) =>
    writeAudit(
      tx,
      [
        {
          orgId,
          projectId: null,
          personId: null,
          action: 'made',
          entity: 'thing',
          entityId,
          detail: { b: 1.5, a: 'ä"\\', n: null },
        },
      ],
      at,
    ),
  )
const seal = () => sealAudit(database.databases.system, NOW)
const verify = (wanted: Wanted, now = NOW) => verifyAudit(database.databases.system, now, wanted)
const verdict = async (orgId: string, head?: string) =>
  (await verify({ orgId, heads: new Map(head === undefined ? [] : [[orgId, head]]) }))[0]
/** An organization without any entry, created at `at`. */
async function organization(at = NOW): Promise<string> {
  const orgId = randomUUIDv7()
  await database.owner.query(
    "insert into person (id, email, password_hash, first_name, last_name, confirmed_at, created_at) values ($1, $3, '', 'Ada', 'L', $2, $2)",
    [orgId, at, `${orgId}@rook.example`],
  )
  await database.owner.query(
    "insert into organization (org_id, name, org_type, org_size, created_at, created_by) values ($1, 'Northlight', 'organization', '1', $2, $1)",
    [orgId, at],
  )
  return orgId
}
/** An organization with six sealed entries; returns them in order. */
async function chain() {
  const orgId = await organization()
  for (let i = 1; i <= 6; i++) await write(orgId, String(i), new Date(NOW.getTime() + i * 1000))
  await seal()
  const { rows } = await database.owner.query<{ id: string; sealed_seq: number }>(
    'select id, sealed_seq from audit where org_id = $1 order by sealed_seq',
    [orgId],
  )
  return { orgId, ids: rows.map((row) => row.id) }
}

describe('sealing', () => {
  it('gives each organization its own chain, and appends later entries', async () => {
    const [one, other] = [randomUUIDv7(), randomUUIDv7()]
    await write(one, '1')
    await write(other, '1')
    expect(await seal()).toBe(2)
    expect(await seal()).toBe(0)
    // its transaction was long, so its time is earlier than a sealed entry's
    await write(one, '2', new Date(NOW.getTime() - 60_000))
    expect(await verdict(one)).toMatchObject({ sealed: 1, waiting: 1, broken: null })
    expect(await seal()).toBe(1)
    expect(await verdict(one)).toMatchObject({ sealed: 2, waiting: 0, broken: null })
    expect(await verdict(other)).toMatchObject({ sealed: 1, waiting: 0, broken: null })
  })

  it('happens once when two nodes do it at the same time, in several batches', async () => {
    const orgId = randomUUIDv7()
    await database.owner.query(
      "insert into audit (org_id, id, at, action, entity, entity_id) select $1, gen_random_uuid(), timestamptz '2026-11-01' + n * interval '1 microsecond', 'made', 'thing', n from generate_series(1, 2300) n",
      [orgId],
    )
    const sealed = await Promise.all([seal(), seal()])
    expect(sealed[0] + sealed[1]).toBe(2300)
    expect(await verdict(orgId)).toMatchObject({ sealed: 2300, waiting: 0, broken: null })
  })

  it('leaves chains that verify if nobody touched them', async () => {
    await chain()
    expect((await verify({})).filter(({ broken }) => broken)).toEqual([])
  })
})

describe('finds tampering at the first broken link', () => {
  const columns: [string, string][] = [
    ['action', "action = 'nothing'"],
    ['entity', "entity = 'other'"],
    ['entity_id', "entity_id = 'other'"],
    ['entity_id to null', 'entity_id = null'],
    ['person_id', 'person_id = gen_random_uuid()'],
    ['project_id', 'project_id = gen_random_uuid()'],
    ['detail', `detail = '{"b": 1.50, "a": "x", "n": null}'`],
    ['at', "at = at + interval '1 microsecond'"],
    ['id', 'id = gen_random_uuid()'],
    ['seal', "seal = sha256('x')"],
  ]
  it.each(columns)('a changed %s', async (_, change) => {
    const { orgId, ids } = await chain()
    await database.owner.query(`update audit set ${change} where org_id = $1 and id = $2`, [orgId, ids[2]])
    const found = await verdict(orgId)
    expect(found?.broken).toMatchObject({ seq: 3, why: 'changed' })
    expect(found && describeVerdict(found)).toContain(`BROKEN: entry 3 (${String(found?.broken?.auditId)}) was changed`)
  })

  it.each([0, 1, 2, 3, 4, 5])('a change of entry %i of six', async (n) => {
    const { orgId, ids } = await chain()
    await database.owner.query("update audit set action = 'nothing' where org_id = $1 and id = $2", [orgId, ids[n]])
    expect((await verdict(orgId))?.broken).toEqual({ seq: n + 1, auditId: ids[n], why: 'changed' })
  })

  it('two swapped entries', async () => {
    const { orgId, ids } = await chain()
    await database.owner.query(
      'update audit set sealed_seq = 7 - sealed_seq, seal = (select o.seal from audit o where o.org_id = audit.org_id and o.sealed_seq = 7 - audit.sealed_seq) where org_id = $1 and id in ($2, $3)',
      [orgId, ids[2], ids[3]],
    )
    expect((await verdict(orgId))?.broken).toMatchObject({ seq: 3, why: 'changed' })
  })

  it('a deleted entry, anywhere', async () => {
    for (const [n, broken] of [
      [0, { seq: 1, auditId: null, why: 'missing' }],
      [3, { seq: 4, auditId: null, why: 'missing' }],
      [5, { seq: 6, auditId: null, why: 'end missing' }],
    ] as const) {
      const { orgId, ids } = await chain()
      await database.owner.query('delete from audit where org_id = $1 and id = $2', [orgId, ids[n]])
      expect((await verdict(orgId))?.broken).toEqual(broken)
    }
  })

  it('all entries deleted', async () => {
    const { orgId } = await chain()
    await database.owner.query('delete from audit where org_id = $1', [orgId])
    expect((await verdict(orgId))?.broken).toMatchObject({ seq: 1, why: 'end missing' })
  })

  it('an inserted entry, and a moved end', async () => {
    const put = await chain()
    await database.owner.query(
      "insert into audit (org_id, id, at, action, entity, sealed_seq, seal) select org_id, gen_random_uuid(), at, 'forged', entity, 3, seal from audit where org_id = $1 and sealed_seq = 3",
      [put.orgId],
    )
    expect((await verdict(put.orgId))?.broken?.seq).toBe(3)
    const moved = await chain()
    await database.owner.query('delete from audit where org_id = $1 and sealed_seq = 6', [moved.orgId])
    await database.owner.query('update audit_seal set seq = 5 where org_id = $1', [moved.orgId])
    expect((await verdict(moved.orgId))?.broken).toMatchObject({ why: 'end unknown' })
  })
})

describe('finds an emptied chain', () => {
  const seals = 'update audit set seal = null, sealed_seq = null where org_id = $1'
  it.each([
    [
      'its entries and its end',
      ['delete from audit where org_id = $1', 'delete from audit_seal where org_id = $1'],
      'emptied',
    ],
    [
      'its entries, its end set to none',
      [
        'delete from audit where org_id = $1',
        `update audit_seal set seq = 0, seal = decode(repeat('00', 32), 'hex') where org_id = $1`,
      ],
      'emptied',
    ],
    ['its entries', ['delete from audit where org_id = $1'], 'end missing'],
    ['its end', ['delete from audit_seal where org_id = $1'], 'end unknown'],
    ['its seals', [seals], 'end missing'],
  ])('by %s', async (_, statements, why) => {
    const { orgId } = await chain()
    for (const statement of statements) await database.owner.query(statement, [orgId])
    expect((await verdict(orgId))?.broken).toMatchObject({ why })
  })

  it('by its seals and its end, once the app would have sealed it again', async () => {
    const { orgId } = await chain()
    for (const statement of [seals, 'delete from audit_seal where org_id = $1'])
      await database.owner.query(statement, [orgId])
    expect((await verdict(orgId))?.broken).toBeNull()
    const later = new Date(NOW.getTime() + 2 * 3_600_000)
    expect((await verify({ orgId }, later))[0]?.broken).toMatchObject({ why: 'never sealed' })
  })

  it('also when verifying all organizations, unless the organization is being purged', async () => {
    const [emptied, removed] = [await organization(), await organization()]
    await database.owner.query('update organization set deletes_at = $2 where org_id = $1', [removed, NOW])
    const found = new Map((await verify({})).map((one) => [one.orgId, one.broken?.why]))
    expect([found.get(emptied), found.has(removed)]).toEqual(['emptied', false])
    await database.owner.query('delete from organization where org_id = any($1)', [[emptied, removed]])
  })

  it('but refuses an id that belongs to no organization', async () => {
    const orgId = randomUUIDv7()
    await expect(verify({ orgId })).rejects.toThrow(UnknownOrganization)
    await expect(verify({ heads: new Map([[orgId, 'ab'.repeat(32)]]) })).rejects.toThrow(UnknownOrganization)
  })
})

describe('a head stored elsewhere', () => {
  it('is found in a chain that only grew', async () => {
    const { orgId } = await chain()
    const kept = (await verdict(orgId))?.head
    expect(kept).toMatch(/^[0-9a-f]{64}$/)
    expect((await verdict(orgId, kept))?.broken).toBeNull()
    await write(orgId, '7')
    await seal()
    expect(await verdict(orgId, kept)).toMatchObject({ sealed: 7, broken: null })
  })

  it('is missing from a chain that was truncated along with its recorded end', async () => {
    const { orgId } = await chain()
    const kept = (await verdict(orgId))?.head
    await database.owner.query('delete from audit where org_id = $1 and sealed_seq > 4', [orgId])
    await database.owner.query(
      'update audit_seal s set seq = 4, seal = a.seal from audit a where s.org_id = $1 and a.org_id = $1 and a.sealed_seq = 4',
      [orgId],
    )
    // valid on its own
    expect((await verdict(orgId))?.broken).toBeNull()
    const found = await verdict(orgId, kept)
    expect(found?.broken).toMatchObject({ seq: 4, why: 'head unknown' })
    expect(found && describeVerdict(found)).toContain("the head that you kept isn't in the chain")
  })

  it('is missing from a rewritten chain', async () => {
    const { orgId, ids } = await chain()
    const kept = (await verdict(orgId))?.head
    await database.owner.query(
      "update audit set action = 'nothing', seal = null, sealed_seq = null where org_id = $1",
      [orgId],
    )
    await database.owner.query('delete from audit_seal where org_id = $1', [orgId])
    expect(await seal()).toBe(ids.length)
    expect((await verdict(orgId))?.broken).toBeNull()
    expect((await verdict(orgId, kept))?.broken).toMatchObject({ why: 'head unknown' })
  })
})

describe('an entry with an impossible time', () => {
  const insert = (orgId: string, at: Date) =>
    database.owner.query(
      "insert into audit (org_id, id, at, action, entity) values ($1, gen_random_uuid(), $2, 'forged', 'thing')",
      [orgId, at],
    )
  const HOUR = 3_600_000

  it.each([
    ['before the organization', -3 * 365 * 24 * HOUR],
    ['before an earlier entry', -2 * HOUR],
    ['in the future', 2 * HOUR],
  ])('is flagged: dated %s', async (why, offset) => {
    const { orgId } = await chain()
    await database.owner.query('update organization set created_at = $2 where org_id = $1', [
      orgId,
      new Date(NOW.getTime() - 24 * HOUR),
    ])
    await insert(orgId, new Date(NOW.getTime() + offset))
    await seal()
    const found = await verdict(orgId)
    expect(found).toMatchObject({ sealed: 7, broken: null, misdated: [{ seq: 7, why }] })
    expect(found && describeVerdict(found)).toContain(
      `MISDATED entry 7 (${String(found?.misdated[0]?.auditId)}), dated ${why}`,
    )
    // after looking into it, the operator stores the new head
    expect((await verdict(orgId, found?.head))?.misdated).toEqual([])
  })

  it("is reported if it's the first sealed entry", async () => {
    const orgId = await organization()
    await insert(orgId, new Date(NOW.getTime() - 1000))
    await write(orgId, '1')
    await seal()
    expect((await verdict(orgId))?.misdated).toMatchObject([{ seq: 1, why: 'before the organization' }])
  })

  it("isn't reported within an hour of the previous entry: transactions are dated at their start", async () => {
    const { orgId } = await chain()
    await database.owner.query('update organization set created_at = $2 where org_id = $1', [
      orgId,
      new Date(NOW.getTime() - HOUR),
    ])
    await insert(orgId, new Date(NOW.getTime() - HOUR / 2))
    await seal()
    expect((await verdict(orgId))?.misdated).toEqual([])
  })
})

describe('the roles', () => {
  it('keep the app from sealing and changing, and the system role from changing and deleting', async () => {
    const { orgId } = await chain()
    const app = (statement: string) => asTenant(database.databases.web, orgId, (tx) => sql.raw(statement).execute(tx))
    const system = (statement: string) => database.databases.system.query(statement)
    await expect(
      app(
        `insert into audit (org_id, id, at, action, entity, seal) values ('${orgId}', gen_random_uuid(), now(), 'forged', 'thing', 'x')`,
      ),
    ).rejects.toThrow('permission denied')
    await expect(app('update audit_seal set seq = 0')).rejects.toThrow('permission denied')
    await expect(system("update audit set action = 'nothing'")).rejects.toThrow('permission denied')
    await expect(system('delete from audit')).rejects.toThrow('permission denied')
    await expect(system('delete from audit_seal')).rejects.toThrow('permission denied')
  })

  it('let the purge role delete, and do nothing else', async () => {
    const { orgId } = await chain()
    const purge = (statement: string) =>
      asSystem(database.databases.system, async (tx) => {
        for (const one of ['set local role rookery_purge', statement]) await sql.raw(one).execute(tx)
      })
    await expect(purge("update audit set action = 'nothing'")).rejects.toThrow('permission denied')
    await expect(purge('select action from audit')).rejects.toThrow('permission denied')
    await expect(purge('select * from organization')).rejects.toThrow('permission denied')
    await purge(`delete from audit where org_id = '${orgId}'`)
    expect((await database.owner.query('select from audit where org_id = $1', [orgId])).rowCount).toBe(0)
  })
})
