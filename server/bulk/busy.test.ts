import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkBulk, getBulk } from '#contract/bulk.ts'
import { findSpans } from '#contract/platforms/blueskySpans.ts'
import { findCommonSpans } from '#contract/platforms/spans.ts'
import { contentOn } from '../testing/content.ts'
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

it('judges long rows in turn with other requests, whenever they are read', async () => {
  const home = await app.signedInOwner()
  await contentOn(app.parts).channel(home, { handle: '@harbour.example' })
  const rows = Array.from({ length: 300 }, (_, i) => `"${`#a${i} `.repeat(1500)}",@harbour.example,2026-12-01,09:30`)
  const source = ['Text,Channel,Date,Time', ...rows].join('\n')
  let longest = 0
  let before = performance.now()
  const others = setInterval(() => {
    const at = performance.now()
    longest = Math.max(longest, at - before)
    before = at
  }, 1)
  const began = before
  try {
    const found = await app.call(checkBulk, { params: home.params, body: { source } }, { as: home.person })
    expect(found.rows.map(({ errors }) => errors.length)).toEqual(rows.map(() => 2))
    const { importId } = found
    await app.call(getBulk, { params: { ...home.params, importId } }, { as: home.person })
    // as a part of all the time, whatever the machine does beside
    expect(longest).toBeLessThan((performance.now() - began) / 4)
  } finally {
    clearInterval(others)
  }
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
