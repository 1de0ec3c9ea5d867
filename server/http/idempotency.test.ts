import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { OrgParams } from '#contract/common.ts'
import { anyMember, endpoint } from '#contract/endpoint.ts'
import { fail } from '../errors.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { handle } from './route.ts'

const note = endpoint({
  method: 'POST',
  path: '/api/:orgId/test/note',
  summary: 'For this test',
  access: anyMember,
  cost: 'light',
  changes: [],
  params: OrgParams,
  body: z.object({ text: z.string() }),
  reply: z.object({ id: z.string() }),
  audit: { action: 'noted', entity: 'note' },
  idempotent: true,
})

let app: TestApp
let isClosed = false
const after: string[] = []
let home: TestHome
beforeAll(async () => {
  app = await startApp({
    routes: (routes) => [
      ...routes,
      handle(note, async (c) => {
        const id = randomUUIDv7()
        c.afterCommit(() => after.push(id))
        if (isClosed) throw fail('NAME_TAKEN')
        await c.emit({ kind: 'post', ref: `${c.body.text} ${id}` })
        await c.audit({ entityId: id })
        if (c.body.text === 'fails') throw fail('NAME_TAKEN')
        return { id }
      }),
    ],
  })
  home = await app.signedInOwner()
})
afterAll(() => app.close())

const send = (key: string | undefined, text: string, as: TestPerson = home.person) =>
  app.call(
    note,
    { params: home.params, body: { text } },
    { as, ...(key !== undefined && { headers: { 'idempotency-key': key } }) },
  )
const done = async (text: string) =>
  (
    await app.database.owner.query<{ n: number }>('select count(*)::int as n from event where ref like $1', [
      `${text} %`,
    ])
  ).rows[0]?.n

it('runs once for 100 simultaneous identical requests, which all get the same response', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => send('key-1', 'parallel')))
  expect(new Set(answers.map((answer) => answer.id)).size).toBe(1)
  expect(await done('parallel')).toBe(1)
  const audited = await app.database.owner.query("select from audit where entity = 'note' and entity_id = $1", [
    answers[0]?.id,
  ])
  expect(audited.rows).toHaveLength(1)
})

it('returns the first response again, later too', async () => {
  const first = await send('key-2', 'again')
  app.clock.advance({ hours: 23 })
  expect(await send('key-2', 'again')).toEqual(first)
  expect(await done('again')).toBe(1)
})

it('returns the first response also if the request would fail by now, and does nothing else', async () => {
  const first = await send('key-6', 'closed')
  isClosed = true
  try {
    expect(await send('key-6', 'closed')).toEqual(first)
    await expect(send('key-6', 'other')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
    await expect(send('key-7', 'closed')).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  } finally {
    isClosed = false
  }
  expect(await done('closed')).toBe(1)
  expect(after.filter((id) => id === first.id)).toHaveLength(1)
})

it('returns the response of a node of the previous version, which holds the key by its row', async () => {
  const first = await send('key-8', 'by row')
  const other = await app.database.owner.connect()
  await other.query("create temp table kept as select * from idempotency where key = 'key-8'")
  await other.query("delete from idempotency where key = 'key-8'")
  await other.query('begin; insert into idempotency select * from kept')
  const second = send('key-8', 'by row')
  await until(async () => {
    const { rows: waiting } = await app.database.owner.query(
      'select from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()',
    )
    return waiting.length > 0
  })
  await other.query('commit')
  other.release()
  expect(await second).toEqual(first)
  expect(await done('by row')).toBe(1)
})

it('refuses the key with another body', async () => {
  await send('key-3', 'one')
  await expect(send('key-3', 'two')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH', status: 422 })
  expect(await done('two')).toBe(0)
})

it('stores nothing of a failed request, which can be repeated', async () => {
  await expect(send('key-4', 'fails')).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  await expect(send('key-4', 'fails')).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  expect(await send('key-4', 'corrected')).toMatchObject({ id: expect.any(String) })
})

it('belongs to the person who used the key', async () => {
  const colleague = await app.colleague(home, 'editor')
  const [own, theirs] = [await send('key-5', 'mine'), await send('key-5', 'theirs', colleague)]
  expect(own.id).not.toBe(theirs.id)
})

it('runs every time without a key, and refuses a malformed one', async () => {
  const [one, two] = [await send(undefined, 'plain'), await send(undefined, 'plain')]
  expect(one.id).not.toBe(two.id)
  for (const key of ['', 'x'.repeat(201), 'with space'])
    await expect(send(key, 'bad key')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  expect(await done('bad key')).toBe(0)
})
