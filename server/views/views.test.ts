import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deleteView, listViews, SAVED_VIEWS_MOST, saveView } from '#contract/views.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

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
  page: 'posts' | 'calendar' = 'posts',
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

it(`are limited to ${SAVED_VIEWS_MOST}, and one too many stores nothing`, async () => {
  for (let i = 0; i < SAVED_VIEWS_MOST; i++) await save(`View ${i}`)
  await expect(save('One more')).rejects.toMatchObject({
    code: 'BAD_INPUT',
    problem: { errors: { name: [expect.any(String)] } },
  })
  await save('View 0', 'status=DRAFTS')
  expect(await views()).toHaveLength(SAVED_VIEWS_MOST)
})
