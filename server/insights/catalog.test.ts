import { afterAll, beforeAll, expect, it } from 'vitest'
import { clickNames } from '#contract/analytics/catalog/clicks.ts'
import { namesOf, summedPostFigures } from '#contract/analytics/catalog/catalog.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('counts the gains of exactly those figures of posts that add up, without clicks that are counted here', async () => {
  const reading = Object.fromEntries(namesOf('post').map((name) => [name, 1]))
  const { rows } = await app.database.owner.query<{ name: string }>('select name from reported_figures($1)', [
    JSON.stringify(reading),
  ])
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...summedPostFigures].filter((name) => !clickNames.some((one) => one === name)).toSorted(),
  )
})
