import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import * as contract from '#contract/inbox/cannedResponses.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let home: TestHome
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

const create = async (name: string, text = 'Hello {{name|there}}', as: TestPerson = home.person) =>
  (await app.call(contract.createCannedResponse, { params: home.params, body: { name, text } }, { as })).responseId
const edit = (responseId: string, name: string, text = 'Hi', as: TestPerson = home.person) =>
  app.call(contract.editCannedResponse, { params: { ...home.params, responseId }, body: { name, text } }, { as })
const remove = (responseId: string, as: TestPerson = home.person) =>
  app.call(contract.deleteCannedResponse, { params: { ...home.params, responseId } }, { as })
const list = async (as: TestPerson = home.person) =>
  (await app.call(contract.listCannedResponses, { params: home.params }, { as })).responses

it('are listed by use, then by name', async () => {
  const thanks = await create('Thanks')
  await create('hours', 'We open at 8')
  const used = await create('Sorry')
  await app.database.owner.query('update canned_response set used = 3 where id = $1', [used])
  expect((await list()).map(({ name }) => name)).toEqual(['Sorry', 'hours', 'Thanks'])
  expect((await list()).at(-1)).toEqual({
    responseId: thanks,
    name: 'Thanks',
    text: 'Hello {{name|there}}',
    author: { userId: home.person.personId, name: 'Olive Owner' },
    updatedAt: app.clock.now().toISOString(),
    used: 0,
  })
})

it('have names that are unique in the project without regard to case', async () => {
  const id = await create('Thanks')
  const other = await create('Hours')
  await expect(create('THANKS')).rejects.toMatchObject({
    code: 'NAME_TAKEN',
    problem: { errors: { name: [expect.any(String)] } },
  })
  await expect(edit(other, 'thanks')).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  await edit(id, 'thanks', 'Thank you')
  expect((await list()).map(({ name, text }) => [name, text])).toContainEqual(['thanks', 'Thank you'])
})

it('take only variables that can be filled in, and keep nothing otherwise', async () => {
  for (const [name, text] of [
    ['A', 'Hello {{nickname}}'],
    ['', 'Hello'],
    ['A', ''],
    ['A', 'x'.repeat(2001)],
    ['x'.repeat(51), 'Hello'],
  ] as const)
    await expect(create(name, text)).rejects.toMatchObject({ code: 'BAD_INPUT' })
  expect(await list()).toEqual([])
})

it('are worked with by the rights of the role', async () => {
  const team = teamOn(app)
  const id = await create('Thanks')
  const reader = await team.holder(home, { canned_response: ['view'] })
  expect(await list(reader)).toHaveLength(1)
  for (const attempt of [() => create('A', 'a', reader), () => edit(id, 'A', 'a', reader), () => remove(id, reader)])
    await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(list(await team.holder(home, { inbox: ['view'] }))).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const theirs = await app.signedInOwner()
  await expect(
    app.call(
      contract.editCannedResponse,
      { params: { ...theirs.params, responseId: id }, body: { name: 'A', text: 'a' } },
      { as: theirs.person },
    ),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await remove(id)
  expect(await list()).toEqual([])
})

it('are a feature that the Free plan lacks: what is there can only be deleted', async () => {
  const id = await create('Thanks')
  await teamOn(app).plan(home, 'free')
  for (const attempt of [() => list(), () => create('A'), () => edit(id, 'A')])
    await expect(attempt()).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'canned_responses' } },
    })
  await remove(id)
  await teamOn(app).plan(home, 'individual')
  expect(await list()).toEqual([])
})

it(`are at most ${contract.CANNED_RESPONSES_MOST}, and one too many is not half kept`, async () => {
  await app.database.owner.query(
    "insert into canned_response (org_id, id, project_id, name, text, updated_at) select $1, gen_random_uuid(), $2, 'Response ' || n, 'x', $3 from generate_series(1, $4) n",
    [home.orgId, home.projectId, app.clock.now(), contract.CANNED_RESPONSES_MOST],
  )
  await expect(create('One more')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  expect(await list()).toHaveLength(contract.CANNED_RESPONSES_MOST)
})
