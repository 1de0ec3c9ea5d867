import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkBulk } from '#contract/bulk.ts'
import { findSpans } from '#contract/platforms/bluesky.ts'
import { findCommonSpans } from '#contract/platforms/spans.ts'
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

const long = 60_000
it.each([
  ['a link full of points', `https://${'.'.repeat(long)}a`],
  ['a link full of brackets', `https://a${')'.repeat(long)}`],
  ['brackets and points by turns', `https://a${').'.repeat(long / 2)}`],
  ['a hashtag full of points', `#a${'.'.repeat(long)}a`],
  ['mentions within mentions', '@a.'.repeat(long / 3)],
  ['many links', 'https://a.example/. '.repeat(long / 20)],
])('links, mentions and hashtags are found soon: %s', async (_, text) => {
  // the patterns of before took six seconds
  expect(await workOf(() => [findCommonSpans(text), findSpans(text)])).toBeLessThan(1_000)
})
