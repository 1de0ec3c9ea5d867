import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { quickAddJob } from 'graphile-worker'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { copyOut } from './copy.ts'
import { unpackInto } from './archive.ts'
import { dump, MANIFEST } from './dump.ts'
import { load } from './load.ts'
import { migrate } from './migrate.ts'
import { clientConfig } from './pools.ts'
import { asTenant } from './tenant.ts'

const ORG = '01920000-0000-7000-8000-000000000001'
const PERSON = '01920000-0000-7000-8000-0000000000aa'
const NOW = new Date('2026-03-01T10:00:00Z')

let source: TestDatabase
let target: TestDatabase
let folder: string

beforeAll(async () => {
  source = await createTestDatabase()
  target = await createTestDatabase({ empty: true })
  folder = mkdtempSync(join(tmpdir(), 'rookery-dump-test-'))
  await source.owner.query(`
    insert into person (id, email, password_hash, first_name, last_name, confirmed_at, created_at)
      values ('${PERSON}', 'a@example.org', '', E'tab\\tand\\nline', '\\N', now(), now());
    insert into organization (org_id, name, org_type, org_size, created_at, created_by) values ('${ORG}', 'Here', 'organization', '1', now(), '${PERSON}');
    insert into plan (org_id, plan_id, status, changed_at) values ('${ORG}', 'team', 'TRIAL_ACTIVE', now());
    select ensure_partitions('audit', 'month', '2026-03-01', 1);
    insert into audit (org_id, id, at, action, entity) values ('${ORG}', '${ORG}', '2026-03-15', 'create', 'organization');
  `)
  await quickAddJob({ pgPool: source.databases.jobs }, 'tidy', { orgId: ORG }, { jobKey: 'tidy' })
})

afterAll(async () => {
  await Promise.all([source.drop(), target.drop()])
  rmSync(folder, { recursive: true, force: true })
})

describe('dump and load', () => {
  it('move rows, partitions, waiting jobs and files to a new database, under the same policies', async () => {
    const from = join(folder, 'from')
    const to = join(folder, 'to')
    await mkdir(from)
    writeFileSync(join(from, 'key'), 'secret')
    writeFileSync(join(from, 'database-passwords.json'), 'of the other cluster')
    const archive = join(folder, 'all.tar.gz')

    const made = await dump(source.settings, from, archive, NOW)
    expect(made.tables.find((table) => table.name === 'person')?.rows).toBe(1)
    await load(target.settings, to, archive)

    const { rows: people } = await target.owner.query('select first_name, last_name from person')
    expect(people).toEqual([{ first_name: 'tab\tand\nline', last_name: '\\N' }])
    const { rows: audits } = await target.owner.query('select tableoid::regclass::text as part, action from audit')
    expect(audits).toEqual([{ part: 'audit_202603', action: 'create' }])
    const { rows: jobs } = await target.databases.jobs.query('select key, locked_at from graphile_worker.jobs')
    expect(jobs).toEqual([{ key: 'tidy', locked_at: null }])
    expect(readFileSync(join(to, 'key'), 'utf8')).toBe('secret')
    expect(() => readFileSync(join(to, 'database-passwords.json'))).toThrow('ENOENT')

    const names = await asTenant(target.databases.web, ORG, (tx) =>
      tx.selectFrom('organization').select('name').execute(),
    )
    expect(names).toEqual([{ name: 'Here' }])
    const { rows: unforced } = await target.owner.query(`
      select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relrowsecurity and not c.relforcerowsecurity`)
    expect(unforced).toEqual([])
  })

  it('continue the counters of the other database', async () => {
    const job = await quickAddJob({ pgPool: target.databases.jobs }, 'tidy', {})
    expect(Number(job.id)).toBeGreaterThan(1)
  })

  it("refuse a dump whose file isn't what the database sent, before anything is changed", async () => {
    const fresh = await createTestDatabase({ empty: true })
    try {
      for (const [name, damage, reason] of [
        ['cut', (text: string) => text.slice(0, text.lastIndexOf('\t')), /row 1 has \d+ columns instead of \d+/],
        ['mixed', (text: string) => text.replace('a@example.org\t', 'a@exa'), /row 1 has \d+ columns instead of \d+/],
        ['changed', (text: string) => text.replace('a@example', 'b@example'), "aren't those that the database sent"],
        ['doubled', (text: string) => text + text, 'it has 2 rows instead of 1'],
      ] as const) {
        const damaged = await damagedDump(name, damage)
        const to = join(folder, `${name}-to`)
        const refused = load(fresh.settings, to, damaged)
        await expect(refused).rejects.toThrow('tables/person.copy of the dump is damaged: ')
        await expect(refused).rejects.toThrow(reason)
        expect(readdirSync(to)).toEqual([])
      }
      const { rows } = await fresh.owner.query("select to_regnamespace('migration') as schema")
      expect(rows).toEqual([{ schema: null }])
    } finally {
      await fresh.drop()
    }
  })

  it('name the table and the line when a load fails, and leave a database that can be loaded', async () => {
    const fresh = await createTestDatabase({ empty: true })
    const to = join(folder, 'second-try')
    try {
      // a dump from before files were compared
      const wrong = await damagedDump('wrong', (text) => text.replace(PERSON, 'oast is back'), { compared: false })
      await expect(load(fresh.settings, to, wrong)).rejects.toThrow(
        'The table person couldn\'t be loaded: invalid input syntax for type uuid: "oast is back" (line 1, column id). Nothing was loaded',
      )
      await expect(migrate(fresh.settings)).rejects.toThrow('Load it again')
      await load(fresh.settings, to, join(folder, 'all.tar.gz'))
      const { rows } = await fresh.owner.query('select id, email from person')
      expect(rows).toEqual([{ id: PERSON, email: 'a@example.org' }])
      expect(await migrate(fresh.settings)).toEqual([])
      await expect(load(fresh.settings, to, join(folder, 'all.tar.gz'))).rejects.toThrow('has been used')
    } finally {
      await fresh.drop()
    }
  })

  it("refuse a used database, and a folder that isn't a dump", async () => {
    await expect(load(source.settings, join(folder, 'other'), join(folder, 'all.tar.gz'))).rejects.toThrow(
      'has been used',
    )
    await expect(load(target.settings, join(folder, 'other'), folder)).rejects.toThrow(
      "doesn't contain a complete dump",
    )
  })
})

/** The dump with another text in place of its people. Without `compared`, as earlier versions wrote it. */
async function damagedDump(name: string, change: (text: string) => string, { compared = true } = {}): Promise<string> {
  const damaged = join(folder, name)
  await mkdir(damaged)
  await unpackInto(damaged, join(folder, 'all.tar.gz'))
  const people = join(damaged, 'tables', 'person.copy')
  writeFileSync(people, change(readFileSync(people, 'utf8')))
  const manifest = join(damaged, MANIFEST)
  if (!compared) writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(/,\s*"sha256": "[0-9a-f]{64}"/g, ''))
  return damaged
}

describe('copying a table out', () => {
  /** More than the stream's buffer, so that every packet is followed by a pause. */
  const WIDE = "copy (select repeat('x', 2000) from generate_series(1, 200)) to stdout"
  let client: Client

  beforeEach(async () => {
    client = new Client({ ...clientConfig(source.settings.owner, 'copy test'), pipeline: false })
    await client.connect()
  })
  afterEach(() => client.end())

  it('leaves the connection ready for the next query, however slow the file is, 40 times in a row', async () => {
    for (let round = 0; round < 40; round++) {
      const slow = new Writable({ highWaterMark: 1024, write: (_chunk, _encoding, done) => setImmediate(done) })
      expect(await copyOut(client, WIDE, slow)).toMatchObject({ rows: 200 })
      slow.end()
      await finished(slow)
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      expect(slow.listenerCount('drain')).toBe(0)
    }
  })

  it('writes the bytes that the database sent, even through a stream that is far behind', async () => {
    const rows = Array.from({ length: 3_000 }, (_, n) => `${n}\t${String(n).padStart(6, '0').repeat(100)}\n`)
    const written: Buffer[] = []
    const slow = new Writable({
      highWaterMark: 1_000_000,
      write: (chunk: Buffer, _encoding, done) =>
        setImmediate(() => {
          written.push(Buffer.from(chunk))
          done()
        }),
    })
    const sent = await copyOut(
      client,
      "copy (select n, repeat(lpad(n::text, 6, '0'), 100) from generate_series(0, 2999) n) to stdout",
      slow,
    )
    slow.end()
    await finished(slow)
    expect(sent).toEqual({ rows: 3_000, sha256: createHash('sha256').update(rows.join('')).digest('hex') })
    expect(Buffer.concat(written).toString() === rows.join('')).toBe(true)
  })

  it("rejects if the file can't be written, and leaves the connection ready", async () => {
    const full = new Writable({ highWaterMark: 1024, write: (_chunk, _encoding, done) => done(new Error('disk full')) })
    await expect(copyOut(client, WIDE, full)).rejects.toThrow('disk full')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})
