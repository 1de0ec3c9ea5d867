import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { generatedFiles } from '../testing/schema/generated.ts'
import { globalTables } from './global.ts'
import { asClient } from './roles.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

type Table = {
  name: string
  secured: boolean
  forced: boolean
  policies: string[]
  columns: string[]
  key: string[] | null
  partition: boolean
}

async function tables(): Promise<Table[]> {
  const { rows } = await database.owner.query<Table>(`
    select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced, c.relispartition as partition,
      array(select p.polname || ':' || pg_get_expr(p.polqual, p.polrelid) from pg_policy p where p.polrelid = c.oid order by 1) as policies,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
      (select array(select a.attname::text from unnest(i.indkey) with ordinality k(n, place) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n order by place) from pg_index i where i.indrelid = c.oid and i.indisprimary) as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') order by c.relname`)
  return rows
}

describe('the catalog', () => {
  it('has tenant tables and the listed global ones with their reason, and no others', async () => {
    const all = await tables()
    const isGlobal = (name: string) => name in globalTables
    for (const table of all.filter(({ name, partition }) => !isGlobal(name) && !partition)) {
      expect(table.columns, `${table.name} carries the organization`).toContain('org_id')
      expect(table.key?.[0], `${table.name} has the organization first in its key`).toBe('org_id')
      expect(
        { secured: table.secured, forced: table.forced },
        `${table.name} is secured also against its owner`,
      ).toEqual({ secured: true, forced: true })
      expect(table.policies, `${table.name} has the tenant's policy, bare`).toContain(
        "tenant:(org_id = (current_setting('app.org_id'::text))::uuid)",
      )
      expect(
        table.policies.filter((policy) => !policy.startsWith('tenant:')),
        table.name,
      ).toEqual(['everything:true'])
    }
    const names = new Set(all.map((table) => table.name))
    for (const name of Object.keys(globalTables))
      expect(names, `${name} is listed as global and exists`).toContain(name)
  })

  it('lets the app access no partition except through its parent', async () => {
    const { rows } = await database.owner.query(
      "select c.relname from pg_class c where c.relispartition and c.relkind = 'r' and has_table_privilege('rookery_app', c.oid, 'select, insert, update, delete')",
    )
    expect(rows).toEqual([])
  })

  it("gives the app none of people's secrets", async () => {
    const { rows } = await database.owner.query<{ name: string }>(
      "select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') and has_table_privilege('rookery_app', c.oid, 'select')",
    )
    const readable = new Set(rows.map((row) => row.name))
    for (const name of [
      'person',
      'session',
      'verification_code',
      'reset_link',
      'human_solution',
      'budget',
      'trial_channel',
      'node',
    ])
      expect(readable, name).not.toContain(name)
    const person = await database.owner.query(
      "select has_column_privilege('rookery_app', 'person', 'email', 'select') as email, has_column_privilege('rookery_app', 'person', 'password_hash', 'select') as hash",
    )
    expect(person.rows).toEqual([{ email: true, hash: false }])
  })

  it('lets definer functions be called only by their intended roles', async () => {
    const { rows } = await database.owner.query<{ name: string; path: string[] | null }>(
      "select p.proname as name, p.proconfig as path from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public' and p.prosecdef and (has_function_privilege('public', p.oid, 'execute') or not coalesce(p.proconfig::text like '%search_path=%', false))",
    )
    expect(rows, 'definer functions that anyone may call, or with the search path of their caller').toEqual([])
  })

  it.each(['schema.sql', 'schema.ts'])('matches %s; otherwise run `node bin/schema.js`', async (name) => {
    const written = readFileSync(new URL(name, import.meta.url), 'utf8')
    const files = await asClient(database.settings.owner, generatedFiles)
    expect(written).toBe(files[name])
  })
})
