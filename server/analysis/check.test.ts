import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { figureText } from '#contract/analytics/labels.ts'
import { checkSentence, type NamedFact } from './check.ts'

const fact = (id: string, more: Partial<NamedFact> = {}): NamedFact => ({
  id,
  group: 'total',
  base: 'inTheseDays',
  name: 'engagements',
  platform: null,
  channel: null,
  post: null,
  value: 1240,
  before: 1000,
  changePercent: 24,
  changePoints: null,
  finalUntil: null,
  alias: null,
  shownAs: null,
  ...more,
})
const up = fact('f1')
const views = fact('f2', { name: 'viewsAndImpressions', value: 340, before: 500, changePercent: -32 })
const rate = fact('f3', { name: 'engagementRate', value: 4.57, before: 4, changePercent: null, changePoints: 0.57 })
const instagram = fact('f4', { group: 'platform', platform: 'instagram', value: 77, before: null, changePercent: null })
const channel = fact('f5', {
  group: 'channel',
  platform: 'bluesky',
  value: 12,
  alias: 'C1',
  shownAs: 'Beans (Bluesky)',
})
const ofPosts = fact('f6', { base: 'postsPublished', value: 90, before: null, changePercent: null })
const published = fact('f7', { name: 'published', value: 9, before: 3, changePercent: 200 })

const text = (sentence: string, ...cited: NamedFact[]) =>
  checkSentence(sentence, cited)
    ?.map((run) => (run.kind === 'words' ? run.text : `[${run.text} ${run.factId}]`))
    .join('')

describe('a sentence is kept', () => {
  it.each([
    ['Engagements rose 24% to 1,240.', [up], 'Engagements rose [24% f1] to [1,240 f1].'],
    [
      'Engagements rose by +24 % from 1,000 to 1.2K.',
      [up],
      'Engagements rose by [+24 % f1] from [1,000 f1] to [1.2K f1].',
    ],
    ['There were 24% more engagements than before.', [up], 'There were [24% f1] more engagements than before.'],
    ['Views fell 32 percent, from 500 to 340.', [views], 'Views fell [32 percent f2], from [500 f2] to [340 f2].'],
    ['Views changed by -32%.', [views], 'Views changed by [-32% f2].'],
    ['The engagement rate was 4.57%, or 4.6%.', [rate], 'The engagement rate was [4.57% f3], or [4.6% f3].'],
    [
      'The engagement rate rose by 0.57 percentage points.',
      [rate],
      'The engagement rate rose by [0.57 percentage points f3].',
    ],
    ['Instagram had 77 engagements.', [instagram], 'Instagram had [77 f4] engagements.'],
    ['C1 had twelve engagements.', [channel], '[Beans (Bluesky) f5] had [twelve f5] engagements.'],
    [
      'There were 1,240 engagements and 340 views.',
      [up, views],
      'There were [1,240 f1] engagements and [340 f2] views.',
    ],
    [
      'Engagements of posts published in these days: 90.',
      [ofPosts],
      'Engagements of posts published in these days: [90 f6].',
    ],
    ['You published 9 posts.', [published], 'You published [9 f7] posts.'],
    [
      'The number of published posts tripled to 9.',
      [published],
      'The number of published posts [tripled f7] to [9 f7].',
    ],
  ])('%s', (sentence, cited, shown) => {
    expect(text(sentence, ...cited)).toBe(shown)
  })
})

describe('a sentence is left out', () => {
  it.each([
    ['no fact', 'Engagements: 1,240.', []],
    ['an invented number', 'Engagements rose 25% to 1,240.', [up]],
    ['a rounded count', 'There were 1,200 engagements.', [up]],
    ['a count rounded to a digit', 'There were 1K engagements.', [up]],
    ['a count shortened to less than one', 'C1 had 0.01K engagements.', [channel]],
    ['a number of another fact', 'There were 340 engagements.', [up]],
    ['numbers that were exchanged', 'There were 340 engagements and 1,240 views.', [up, views]],
    ['the earlier value as the current one', 'There were 1,000 engagements.', [up]],
    ['the current value as the earlier one', 'Engagements rose from 1,240.', [up]],
    ['the wrong direction', 'Engagements fell 24%.', [up]],
    ['the wrong sign', 'Engagements changed by -24%.', [up]],
    ['a fall without a sign', 'Views: a change of 32%.', [views]],
    ['a direction of what has no change', 'Instagram rose to 77 engagements.', [instagram]],
    ['two directions', 'Engagements rose 24% while views fell 32%.', [up, views]],
    ['a negated direction', "Views didn't rise 24%, engagements: 1,240.", [up]],
    ['a difference', 'Engagements rose by 1,240.', [up]],
    ['a difference before its noun', 'There were 1,240 more engagements.', [up]],
    ['a percent that is a count', 'Engagements rose 1,240%.', [up]],
    ['a count that is a percent', 'There were 24 engagements.', [up]],
    ['points that are percent', 'Engagements rose 24 points.', [up]],
    ['a spelled-out number', 'C1 had eleven engagements.', [channel]],
    ['a spelled-out number that is never looked up', 'There were 1,240 engagements on twenty days.', [up]],
    ['half', 'Half of the 1,240 engagements.', [up]],
    ['doubled', 'Engagements doubled to 1,240.', [up]],
    ['a third', 'A third of 1,240 engagements.', [up]],
    ['an ordinal', 'The 3rd time with 1,240 engagements.', [up]],
    ['a fraction sign', 'There were 1,240½ engagements.', [up]],
    ['a superlative', 'The most engagements, 1,240.', [up]],
    ['an approximation', 'About 1,240 engagements.', [up]],
    ['a date', 'On 17 November there were 1,240 engagements.', [up]],
    ['digits of another script', 'There were ١٢ engagements, of 1,240.', [up]],
    ['full-width digits', 'There were １２ engagements, of 1,240.', [up]],
    ['digits with something between them', 'There were 12\u200b40 engagements.', [up]],
    ['grouped wrongly', 'There were 12,40 engagements.', [up]],
    ['a number within a word', 'There were x1240 engagements and 1,240.', [up]],
    ['a range', 'There were 1,240-1,300 engagements.', [up]],
    ['no number', 'Engagements went well.', [up]],
    ['another platform', 'Facebook had 77 engagements.', [instagram]],
    ["a platform's figure as that of all", 'There were 77 engagements.', [instagram]],
    ['a total as that of a platform', 'Instagram had 1,240 engagements.', [up, instagram]],
    ['another channel', 'C2 had 12 engagements.', [channel]],
    ['a channel without its name', 'Bluesky had 12 engagements.', [channel]],
    ['another base', 'There were 90 engagements.', [ofPosts]],
    ['another base, the other way', 'Engagements of posts published in these days: 1,240.', [up]],
    ['a share', 'Engagements were 24% of views.', [up, views]],
    ['a share after a direction', 'Engagements rose to 24%.', [up]],
    ['a change without a direction', 'Engagements: 24%.', [up]],
    ['a cause', 'Engagements rose 24% because of the weather.', [up]],
    ['advice', 'Engagements rose 24%, please visit us.', [up]],
    ['other days', 'Engagements rose 24% last week.', [up]],
    ['posts that are engagements', 'You published 1,240 posts.', [up, published]],
    ['a link', 'There were 1,240 engagements, see https://evil.example/x.', [up]],
    ['an address without https', 'There were 1,240 engagements on evil.example.', [up]],
    ['a handle', 'There were 1,240 engagements by @eve.', [up]],
    ['an email address', 'There were 1,240 engagements, ask eve@evil.example.', [up]],
    ['markup', 'There were **1,240** engagements.', [up]],
    ['HTML', 'There were <b>1,240</b> engagements.', [up]],
    ['Markdown links', 'There were [1,240](https://evil.example) engagements.', [up]],
    ['a refusal', "I can't help with this request of 1,240 engagements.", [up]],
    ['301 characters', `There were 1,240 engagements${' in all'.repeat(39)}`, [up]],
    ['a megabyte', `There were 1,240 engagements${' x'.repeat(500_000)}`, [up]],
    ['other letters', 'There were 1,240 еngagements.', [up]],
  ])('with %s', (_, sentence, cited) => {
    expect(text(sentence, ...cited)).toBeUndefined()
  })
})

describe('whatever a model writes', () => {
  const count = fc.integer({ min: 0, max: 5_000_000 })
  const written = (value: number) =>
    fc.constantFrom(String(value), figureText('engagements', value), `${value / 1000}K`, `${value / 1e6}M`, `${value}%`)

  it('a number in it is exactly that of its fact, or its rounding to the shown digits', () => {
    fc.assert(
      fc.property(
        count,
        count.chain((said) => written(said).map((shown) => ({ said, shown }))),
        (value, { said, shown }) => {
          const runs = checkSentence(`There were ${shown} engagements.`, [
            fact('f1', { value, before: null, changePercent: null }),
          ])
          const isShort = /[KM]$/.test(shown)
          if (runs !== undefined) {
            expect(shown.endsWith('%')).toBe(false)
            expect(Math.abs(said - value)).toBeLessThanOrEqual(isShort ? Math.max(1, value) * 0.05 : 0)
          }
        },
      ),
    )
  })

  it('the true value, and the true change in its direction, are kept', () => {
    fc.assert(
      fc.property(count, fc.integer({ min: -10_000, max: 100_000 }), (value, hundredths) => {
        const changePercent = hundredths / 100
        const one = fact('f1', { value, changePercent })
        const change = `${Math.abs(changePercent).toLocaleString('en', { maximumFractionDigits: 2 })}%`
        const verb = changePercent > 0 ? 'rose' : changePercent < 0 ? 'fell' : 'changed by'
        expect(text(`Engagements ${verb} ${change} to ${figureText('engagements', value)}.`, one)).toBeDefined()
        const wrong = changePercent > 0 ? 'fell' : 'rose'
        expect(text(`Engagements ${wrong} ${change} to ${figureText('engagements', value)}.`, one)).toBeUndefined()
      }),
    )
  })

  it('the value before is only told if it agrees with the change', () => {
    const more = fact('f1', { value: 1240, before: 1000, changePercent: -5 })
    expect(text('Engagements fell 5%.', more)).toBeDefined()
    expect(text('Engagements fell 5% from 1,000.', more)).toBeUndefined()
  })

  it('the runs are the sentence, and nothing else has a digit', () => {
    const piece = fc.constantFrom(
      ...'Engagements views rose fell 24% 1,240 340 32% 1.2K to from by , C1 and Instagram'.split(' '),
      ...'had 77 twelve half @eve <b> evil.com ٣ -24% 1000 before 0 ½ K .'.split(' '),
    )
    const all = [up, views, rate, instagram, channel, ofPosts, published]
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.subarray(all), (pieces, cited) => {
        const runs = checkSentence(pieces.join(' '), cited)
        for (const run of runs ?? []) {
          if (run.kind === 'words') expect(run.text).not.toMatch(/\p{N}|[<>@%]/u)
          else expect(cited.map(({ id }) => id)).toContain(run.factId)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
