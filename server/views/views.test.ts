import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  deleteView,
  listViews,
  SAVED_VIEWS_MOST,
  savedViewPages,
  saveView,
  viewNeeds,
  type SavedView,
} from '#contract/views.ts'
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

const save = async (
  name: string,
  search = 'status=FAILED',
  page: SavedView['page'] = 'posts',
  as: TestPerson = home.person,
) => (await app.call(saveView, { params: home.params, body: { name, page, search } }, { as })).viewId
const views = async (as: TestPerson = home.person) => (await app.call(listViews, { params: home.params }, { as })).views

it('are saved by name, replacing one with the same name on the same page', async () => {
  const failed = await save('Failed')
  const calendar = await save('failed', 'view=week', 'calendar')
  expect(await save('FAILED', 'status=FAILED&limit=50')).toBe(failed)
  expect(await views()).toEqual([
    { viewId: calendar, name: 'failed', page: 'calendar', search: 'view=week' },
    { viewId: failed, name: 'FAILED', page: 'posts', search: 'status=FAILED&limit=50' },
  ])
})

it("belong to one person: nobody lists or deletes another's", async () => {
  const viewId = await save('Mine')
  const colleague = await app.colleague(home, 'admin')
  expect(await views(colleague)).toEqual([])
  await expect(app.call(deleteView, { params: { ...home.params, viewId } }, { as: colleague })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await app.call(deleteView, { params: { ...home.params, viewId } }, { as: home.person })
  expect(await views()).toEqual([])
})

it('of a page can be saved, listed and deleted with a role that allows only this page', async () => {
  const team = teamOn(app)
  for (const page of savedViewPages) {
    const [resource, action] = viewNeeds[page]
    const person = await team.holder(home, { [resource]: [action] })
    const viewId = await save('Mine', 'a=b', page, person)
    expect(await views(person)).toEqual([{ viewId, name: 'Mine', page, search: 'a=b' }])
    await app.call(deleteView, { params: { ...home.params, viewId } }, { as: person })
    expect(await views(person)).toEqual([])
  }
})

it('of pages that the role no longer allows are kept, but neither shown nor changed', async () => {
  const team = teamOn(app)
  const carl = await team.holder(home, { inbox: ['view'] })
  for (const page of ['posts', 'calendar', 'insights'] as const)
    await expect(save('Mine', 'a=b', page, carl)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const mine = await save('Mine', 'status=OPEN', 'inbox', carl)
  await team.give(home, carl, { roleId: await team.role(home, { post: ['view'] }) })
  expect(await views(carl)).toEqual([])
  await expect(save('Mine', 'status=CLOSED', 'inbox', carl)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const remove = (as: TestPerson) => app.call(deleteView, { params: { ...home.params, viewId: mine } }, { as })
  await expect(remove(carl)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  // a role without any of the pages
  await team.give(home, carl, { roleId: await team.role(home, { label: ['view'] }) })
  expect(await views(carl)).toEqual([])
  await expect(remove(carl)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await team.give(home, carl, { roleId: await team.role(home, { inbox: ['view'] }) })
  expect(await views(carl)).toEqual([{ viewId: mine, name: 'Mine', page: 'inbox', search: 'status=OPEN' }])
})

it('are closed to other organizations', async () => {
  const viewId = await save('Mine', 'status=OPEN', 'inbox')
  const other = await app.signedInOwner()
  await expect(save('Theirs', 'a=b', 'inbox', other.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  await expect(views(other.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  for (const [params, code] of [
    [home.params, 'IDENTIFIERS_ERROR'],
    [other.params, 'NOT_FOUND'],
  ] as const)
    await expect(app.call(deleteView, { params: { ...params, viewId } }, { as: other.person })).rejects.toMatchObject({
      code,
    })
  expect(await views()).toEqual([{ viewId, name: 'Mine', page: 'inbox', search: 'status=OPEN' }])
})

it(`are limited to ${SAVED_VIEWS_MOST} of a page, and one too many stores nothing`, async () => {
  for (let i = 0; i < SAVED_VIEWS_MOST; i++) await save(`View ${i}`)
  await expect(save('One more')).rejects.toMatchObject({
    code: 'BAD_INPUT',
    problem: { errors: { name: [expect.any(String)] } },
  })
  await save('View 0', 'status=DRAFTS')
  expect(await views()).toHaveLength(SAVED_VIEWS_MOST)
})

it('never get more than the maximum, however many are saved at once', async () => {
  const saved = await Promise.allSettled(Array.from({ length: SAVED_VIEWS_MOST + 10 }, (_, i) => save(`View ${i}`)))
  expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(SAVED_VIEWS_MOST)
  expect(await views()).toHaveLength(SAVED_VIEWS_MOST)
})

it('that a role hides take none of the places that it can fill', async () => {
  const team = teamOn(app)
  const carl = await team.holder(home, { post: ['view'] })
  for (let i = 0; i < SAVED_VIEWS_MOST; i++) await save(`View ${i}`, 'a=b', 'posts', carl)
  await team.give(home, carl, { roleId: await team.role(home, { inbox: ['view'] }) })
  const viewId = await save('Mine', 'status=OPEN', 'inbox', carl)
  expect(await views(carl)).toEqual([{ viewId, name: 'Mine', page: 'inbox', search: 'status=OPEN' }])
})
