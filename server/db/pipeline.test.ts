import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { sendPipelined } from './pipeline.ts'

const THERE = '01920000-0000-7000-8000-000000000002'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.owner.query(`
    with maker as (insert into person (id, email, password_hash, first_name, last_name, confirmed_at, created_at) values (uuidv7(), 'a@example.org', '', 'A', 'B', now(), now()) returning id)
    insert into organization (org_id, name, org_type, org_size, created_at, created_by) select '${THERE}', 'There', 'organization', '1', now(), id from maker`)
})
afterAll(() => database.drop())

const one = { name: 'one', text: 'select 1 as n' }
const wrong = { name: 'wrong', text: 'select 1 / $1::int as n', values: [0] }
const right = { ...wrong, values: [1] }
const rowsOf = async (client: pg.ClientBase, first: pg.QueryConfig, second: pg.QueryConfig) =>
  (await Promise.allSettled(sendPipelined(client, first, second))).map((answer) =>
    answer.status === 'fulfilled' ? answer.value.rows : /division|circular/.exec(String(answer.reason))?.[0],
  )

it('answers the rows of each of two statements, in one transaction', async () => {
  const client = await database.databases.web.connect()
  try {
    const tenant = { text: "select set_config('app.org_id', $1, true) as here", values: [THERE] }
    for (const names of [
      { name: 'names', text: 'select name from organization' },
      { text: 'select name from organization' },
    ])
      for (let time = 0; time < 3; time++)
        expect(await rowsOf(client, tenant, names)).toEqual([[{ here: THERE }], [{ name: 'There' }]])
    expect(
      await Promise.all([rowsOf(client, one, one), rowsOf(client, right, one), client.query('select 2 as n')]),
    ).toMatchObject([[[{ n: 1 }], [{ n: 1 }]], [[{ n: 1 }], [{ n: 1 }]], { rows: [{ n: 2 }] }])
    await expect(client.query('select from organization')).rejects.toThrow('uuid')
  } finally {
    client.release()
  }
})

it('fails with the first, or the second alone, and does nothing then; the connection works on', async () => {
  const client = await database.databases.system.connect()
  try {
    const note = {
      name: 'note',
      text: "update organization set name = 'Noted' where org_id = $1 returning name",
      values: [THERE],
    }
    // prepared for the first time before what fails, as what fails, and behind it
    expect(await rowsOf(client, note, wrong)).toEqual([[{ name: 'Noted' }], 'division'])
    expect(await rowsOf(client, wrong, one)).toEqual(['division', 'division'])
    expect((await client.query('select name from organization where org_id = $1', [THERE])).rows).toEqual([
      { name: 'There' },
    ])
    for (let time = 0; time < 2; time++) expect(await rowsOf(client, one, right)).toEqual([[{ n: 1 }], [{ n: 1 }]])
    // values that can't be sent at all
    const circle: Record<string, unknown> = {}
    circle['circle'] = circle
    expect(await rowsOf(client, { ...wrong, values: [circle] }, one)).toEqual(['circular', 'circular'])
    expect(await rowsOf(client, one, { ...wrong, values: [circle] })).toEqual(['circular', 'circular'])
    expect(await rowsOf(client, one, one)).toEqual([[{ n: 1 }], [{ n: 1 }]])
  } finally {
    client.release()
  }
})

it('fails both when the connection ends', async () => {
  const client = await database.databases.system.connect()
  client.on('error', () => {})
  const answers = await Promise.allSettled(
    sendPipelined(client, { text: 'select pg_terminate_backend(pg_backend_pid())' }, one),
  )
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  client.release(true)
})
