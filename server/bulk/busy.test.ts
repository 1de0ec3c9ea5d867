import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkBulk } from '#contract/bulk.ts'
import { findSpans } from '#contract/platforms/blueskySpans.ts'
import { findCommonSpans } from '#contract/platforms/spans.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { textOfHtml } from '../platforms/mastodon/text.ts'

/*
 * Text from strangers that is crafted to keep us busy: code with quadratic run time doesn't finish before the test's
 * time limit.
 */

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('reads cells full of separators quickly', async () => {
  const home = await app.signedInOwner()
  const rows = Array.from(
    { length: 60 },
    (_, i) => `Row ${i},nobody,2026-12-01,"${','.repeat(9_990)}${' '.repeat(9_990)}a"`,
  )
  const source = ['Text,Channel,Date,Media URLs', ...rows].join('\n')
  expect((await app.call(checkBulk, { params: home.params, body: { source } }, { as: home.person })).rows).toHaveLength(
    60,
  )
})

it('reads a status full of opened tags quickly', async () => {
  expect(textOfHtml(`${'<'.repeat(200_000)}b>words</b>`)).toMatch(/words$/)
  expect(textOfHtml('<p>One <a href="https://a.example">two</a></p><p>three<br />four &lt;five&gt;</p>')).toBe(
    'One two\n\nthree\nfour <five>',
  )
})

const long = 600_000
it.each([
  ['a link full of points', `https://${'.'.repeat(long)}a`],
  ['a link full of brackets', `https://a${')'.repeat(long)}`],
  ['brackets and points by turns', `https://a${').'.repeat(long / 2)}`],
  ['a hashtag full of points', `#a${'.'.repeat(long)}a`],
  ['mentions within mentions', '@a.'.repeat(long / 3)],
  ['many links', 'https://a.example/. '.repeat(long / 20)],
])('links, mentions and hashtags are found soon: %s', (_, text) => {
  // a tenth of it kept earlier patterns busy for six seconds
  expect([findCommonSpans(text), findSpans(text)].every(Array.isArray)).toBe(true)
})
