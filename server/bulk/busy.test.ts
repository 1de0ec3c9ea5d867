import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkBulk } from '#contract/bulk.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { textOfHtml } from '../platforms/mastodon/text.ts'

/* Words of strangers that are made to keep us busy: work is measured, not waiting. */

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function workOf(job: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await job()
  return process.cpuUsage(before).user / 1000
}

it('cells full of separators are read soon', async () => {
  const home = await app.signedInOwner()
  const rows = Array.from({ length: 20 }, (_, i) => `Row ${i},nobody,2026-12-01,"${','.repeat(9_990)}${' '.repeat(9_990)}a"`)
  const source = ['Text,Channel,Date,Media URLs', ...rows].join('\n')
  const work = await workOf(() => app.call(checkBulk, { params: home.params, body: { source } }, { as: home.person }))
  expect(work).toBeLessThan(3_000)
})

it('a status full of opened tags is read soon', async () => {
  let text = ''
  expect(await workOf(() => (text = textOfHtml(`${'<'.repeat(100_000)}b>words</b>`)))).toBeLessThan(1_000)
  expect(text).toMatch(/words$/)
  expect(textOfHtml('<p>One <a href="https://a.example">two</a></p><p>three<br />four &lt;five&gt;</p>')).toBe('One two\n\nthree\nfour <five>')
})
