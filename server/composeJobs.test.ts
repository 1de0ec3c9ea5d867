import { parseCronItems } from 'graphile-worker'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { composeJobs } from './composeJobs.ts'
import { startApp, type TestApp } from './testing/startApp.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('has jobs with names of their own and times that the worker reads', () => {
  const jobs = composeJobs(app.parts)
  const names = jobs.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const timed = jobs.flatMap(({ name, every }) => (every === undefined ? [] : [{ task: name, match: every }]))
  expect(parseCronItems(timed)).toHaveLength(timed.length)
})
