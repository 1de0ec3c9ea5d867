import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseTerm, figureName, figureText } from '#contract/analytics/labels.ts'
import { platformWord } from '#contract/analytics/platformWords.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { checkSentence, type NamedFact } from './check.ts'

type Change = Partial<NamedFact> & { before?: number | null }
const fact = (id: string, { before = 1000, ...more }: Change = {}): NamedFact => ({
  id,
  group: 'total',
  base: 'inTheseDays',
  name: 'engagements',
  platform: null,
  channel: null,
  post: null,
  worked: null,
  value: 1240,
  compared: before === null ? null : { value: more.value ?? 1240, before },
  whyNotComparable: null,
  coverage: null,
  changePercent: 24,
  changePoints: null,
  finalUntil: null,
  alias: null,
  shownAs: null,
  term: figureName(more.name ?? 'engagements'),
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
const other = { ...channel, platform: 'mastodon', value: 30, shownAs: 'Peas (Mastodon)' } as const
const peas = fact('f9', { ...other, id: 'f9', alias: 'C2' })
const mastodon = fact('f10', { group: 'platform', platform: 'mastodon', value: 30, before: null, changePercent: null })
const ofPosts = fact('f6', { base: 'postsPublished', value: 90, before: null, changePercent: null })
const published = fact('f7', { name: 'published', value: 9, before: 3, changePercent: 200 })

const side = (name: string, posts: number, q1: number, median: number, q3: number) => ({ name, posts, q1, median, q3 })
const finding = fact('f8', {
  group: 'worked',
  base: 'postsPublished',
  worked: { by: 'label', high: side('Pay £5 <now>', 34, 120, 180, 300), low: side('Rooks', 51, 10, 25, 40) },
  value: 180,
  before: null,
  changePercent: null,
  groups: [
    { alias: 'G1', shownAs: 'Pay £5 <now>' },
    { alias: 'G2', shownAs: 'Rooks' },
  ],
})

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
    [
      'C1 had 12 engagements, and C2 had 30 engagements.',
      [channel, peas],
      '[Beans (Bluesky) f5] had [12 f5] engagements, and [Peas (Mastodon) f9] had [30 f9] engagements.',
    ],
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

describe('a figure in the words of its platform', () => {
  const names = [
    'viewsAndImpressions',
    'followers',
    'followersGained',
    'reactions',
    'comments',
    'shares',
    'saves',
    'clicks',
  ] as const
  const cases = platformKeys.flatMap((platform) =>
    names.flatMap((name) => (platformWord(platform, name, 'channel') === undefined ? [] : [[platform, name] as const])),
  )
  it.each(cases)('%s, %s, is that figure and no other', (platform, name) => {
    const term = baseTerm('inTheseDays', name, platform)
    const own = fact('f1', { name, term, value: 42, before: 40 })
    for (const words of [term, term.toLowerCase()]) {
      expect(text(`There were 42 ${words}.`, own)).toBe(`There were [42 f1] ${words}.`)
      expect(text(`${words}: 42, against 40 before.`, own)).toBe(`${words}: [42 f1], against [40 f1] before.`)
      for (const other of names.filter((one) => one !== name && !(one === 'followersGained' && name === 'followers'))) {
        const others = fact('f2', {
          name: other,
          term: baseTerm('inTheseDays', other, platform),
          value: 42,
          before: 40,
        })
        expect([other, text(`There were 42 ${words}.`, others)]).toEqual([other, undefined])
      }
    }
  })

  it('is not one of the parts that it has', () => {
    const shares = fact('f1', { name: 'shares', term: 'Reposts and quotes', value: 42 })
    expect(text('Reposts and quotes rose 24% to 42.', shares)).toBe('Reposts and quotes rose [24% f1] to [42 f1].')
    for (const part of ['reposts', 'quotes', 'boosts', 'sends'])
      expect(text(`There were 42 ${part}.`, shares)).toBeUndefined()
    expect(text('There were 42 shares.', shares)).toBe('There were [42 f1] shares.')
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
    ['a scale after a word', 'C1 had twelve million engagements.', [channel]],
    ['a scale without a number', 'A million views came with 1,240 engagements.', [up, views]],
    ['a scale after a scale', 'There were 1.2K thousand engagements.', [up]],
    ['a scale of another language', 'C1 had 12 lakh engagements.', [channel]],
    ['an abbreviated scale', 'C1 had 12 mn engagements.', [channel]],
    ['a multiple', 'C1 had 12 times as many engagements.', [channel]],
    ['an average', 'The average of posts published in these days was 90 engagements.', [ofPosts]],
    ['what each has', 'Every post had 90 engagements.', [ofPosts]],
    ['a pace', 'C1 had 12 engagements a day.', [channel]],
    ['a sign in words', 'Engagements changed by minus 24%.', [up]],
    ['a dash as a sign', 'Engagements changed by –24%.', [up]],
    ['a sign before a space', 'Engagements changed by - 24%.', [up]],
    ['Roman digits', 'There were 1,240 engagements of MMXX.', [up]],
    ['numbers that are added', 'There were 1,240 + 1,240 engagements.', [up]],
    ['numbers that are divided', 'There were 1,240 / 340 engagements.', [up, views]],
    ['a number for two channels', 'C2 and C1 had 12 engagements.', [channel, peas]],
    ['a number for two platforms', 'Mastodon and Instagram had 77 engagements.', [instagram, mastodon]],
    ['a number for two figures', 'Views and engagements reached 1,240.', [up, views]],
    ['the name of someone', 'There were 1,240 engagements with Jane.', [up]],
    ['the name of a company', 'The 1,240 engagements are bad for ACME.', [up]],
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

describe('a sentence about what worked', () => {
  const names = (shown: string) => shown.replaceAll('G1', '[Pay £5 <now> f8]').replaceAll('G2', '[Rooks f8]')
  it.each([
    [
      'G1: half of 34 posts had 120 to 300 engagements, more than G2 with 10 to 40 of 51 posts.',
      'G1: half of [34 f8] posts had [120 f8] to [300 f8] engagements, more than G2 with [10 f8] to [40 f8] of [51 f8] posts.',
    ],
    [
      'Half of the 34 posts with G1 had between 120 and 300 engagements.',
      'Half of the [34 f8] posts with G1 had between [120 f8] and [300 f8] engagements.',
    ],
    ['G1 had a median of 180 engagements on 34 posts.', 'G1 had a median of [180 f8] engagements on [34 f8] posts.'],
    [
      'G2 had a median of 25 engagements, fewer than G1 with 34 posts.',
      'G2 had a median of [25 f8] engagements, fewer than G1 with [34 f8] posts.',
    ],
    [
      'Engagements of 34 posts with G1 are above G2, whose 51 posts had a median of 25.',
      'Engagements of [34 f8] posts with G1 are above G2, whose [51 f8] posts had a median of [25 f8].',
    ],
  ])('is kept: %s', (sentence, shown) => {
    expect(text(sentence, finding)).toBe(names(shown))
  })

  it.each([
    ['the wrong direction', 'G2 had a median of 25 engagements on 51 posts, more than G1.'],
    ['the wrong direction, the other way', 'G1 had a median of 180 engagements on 34 posts, fewer than G2.'],
    ['the wrong direction of a place', 'Engagements of 51 posts with G2 are above G1.'],
    ['an invented number', 'G1: half of 35 posts had 120 to 300 engagements.'],
    ["the other group's number", 'G1 had a median of 25 engagements on 34 posts.'],
    ["the other group's posts", 'G1 had a median of 180 engagements on 51 posts.'],
    ["a number before the other group's name", 'G1 had a median of 180 engagements of 34 posts with G2.'],
    ["a range before the other group's name", 'G1: half of the posts had 120 to 300 engagements with G2.'],
    ['a range that is turned around', 'G1: half of 34 posts had 300 to 120 engagements.'],
    ['a range of two groups', 'G1: half of 34 posts had 120 to 40 engagements.'],
    ['a range of all posts', 'G1: 34 posts had 120 to 300 engagements.'],
    ['a quartile as a value', 'G1 had 120 engagements on 34 posts.'],
    ['a median that is a quartile', 'G1 had a median of 300 engagements on 34 posts.'],
    ['a median without its name', 'G1: 180 engagements on 34 posts.'],
    ['posts that are engagements', 'G1 had a median of 34 engagements on its posts.'],
    ['engagements that are posts', 'G1 had 180 posts with engagements.'],
    ['a difference', 'G1 had a median of 180 more engagements on 34 posts than G2.'],
    ['a percent', 'G1 had a median of 180% engagements on 34 posts.'],
    ['a cause', 'G1 had a median of 180 engagements on 34 posts because of luck.'],
    ['advice', 'Try G1: a median of 180 engagements on 34 posts.'],
    ['a superlative', 'G1 had the best median of 180 engagements on 34 posts.'],
    ['a negation', "G1 didn't have more engagements than G2 on 34 posts."],
    ['a trend', 'G1 rose to a median of 180 engagements on 34 posts.'],
    ['a comparison with anything else', 'G1 had a median of 180 engagements on 34 posts, more than before.'],
    ['a comparison without a group before it', 'More engagements than G2: 34 posts with G1.'],
    ['two comparisons', 'G1 had more engagements than G2 and higher ones than G2 on 34 posts.'],
    ['another group', 'G3 had a median of 180 engagements on 34 posts.'],
    ['no group', 'Half of 34 posts had 120 to 300 engagements.'],
    ['another figure', 'G1 had a median of 180 comments on 34 posts.'],
    ['no figure', 'G1 had a median of 180 on 34 posts.'],
    ['a platform', 'G1 had a median of 180 engagements on 34 posts on Instagram.'],
    ['no posts', 'G1 had a median of 180 engagements.'],
    ['no number', 'G1 had more engagements than G2 on its posts.'],
    ['half of anything else', 'G1 had half as many engagements: 34 posts.'],
    ['a rounded number', 'G1 had a median of 200 engagements on 34 posts.'],
  ])('is left out with %s', (_, sentence) => {
    expect(text(sentence, finding)).toBeUndefined()
  })

  it('names no other fact, and no other sentence names a group', () => {
    const sentence = 'G1 had a median of 180 engagements on 34 posts.'
    expect(text(sentence, finding)).toBeDefined()
    expect(text(sentence, finding, up)).toBeUndefined()
    expect(text(sentence, up)).toBeUndefined()
    expect(text('G1 had 1,240 engagements.', up)).toBeUndefined()
  })

  it('has only the numbers of its finding, beside the group that has them', () => {
    const piece = fc.constantFrom(
      ...'G1 G2 G3 34 51 120 300 10 40 180 25 to and between half of posts engagements with had a median more than fewer than above'.split(
        ' ',
      ),
      'half of',
      'more than',
      'fewer than',
      'a median of',
      'posts with',
      ':',
      ',',
    )
    const { worked } = finding
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const runs = checkSentence(pieces.join(' '), [finding])
        const shown = (runs ?? []).flatMap((run) => (run.kind === 'number' ? [Number(run.text)] : []))
        const told = [worked?.high, worked?.low].flatMap((one) => (one ? [one.posts, one.q1, one.median, one.q3] : []))
        for (const value of shown) expect(told).toContain(value)
        for (const run of runs ?? []) if (run.kind === 'words') expect(run.text).not.toMatch(/\p{N}/u)
        const said = pieces.join(' ')
        // of two groups, only the higher one has more
        if (runs !== undefined) expect(said).not.toMatch(/G2 (?:had )?(?:more than|above) G1|G1 (?:had )?fewer than G2/)
      }),
      { numRuns: 3000 },
    )
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
    // both sides are of fewer days: 1,240 is no rise of 24%, and no fall of 5%, from what those days had
    for (const [compared, change, verb] of [
      [{ value: 950, before: 1000 }, -5, 'fell 5%'],
      [{ value: 1116, before: 900 }, 24, 'rose 24%'],
    ] as const) {
      const more = fact('f1', { value: 1240, compared, changePercent: change })
      expect(text(`Engagements ${verb} to 1,240.`, more)).toBeDefined()
      for (const before of [compared.before, compared.value])
        expect(text(`Engagements ${verb} from ${before}.`, more)).toBeUndefined()
    }
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
