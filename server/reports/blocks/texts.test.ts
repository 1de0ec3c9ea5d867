import { describe, expect, it } from 'vitest'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { listed, missingNotes } from './missingNotes.ts'
import { absentFigure, changeText, comparedNote, figureOf } from './figureWords.ts'
import { paragraphsOf } from './paragraphs.ts'
import { aiTextOf, coverOf, textOf } from './texts.ts'

const common = { blockId: 'b1', width: 6, heading: '' } as const
const range = { from: '2026-11-01', to: '2026-11-30', compare: { from: '2026-10-01', to: '2026-10-31' } }

describe('texts of a report', () => {
  it('are paragraphs and lists', () => {
    expect(paragraphsOf('One\nline\n\n\n- a\n- b\nafter\r\n\r\n  - c \n \nlast')).toEqual([
      { text: 'One\nline' },
      { list: ['a', 'b'] },
      { text: 'after' },
      { list: ['c'] },
      { text: 'last' },
    ])
    expect(paragraphsOf(' \n\n ')).toEqual([])
    expect(textOf({ text: '  ' }).parts).toEqual([])
  })

  it('stay what was written, whatever it looks like', () => {
    const hostile =
      '#set page(width: 1pt) #read("/etc/passwd") $x$ <script>alert(1)</script> =1+1 *bold* `code` \\u{0} "} @cite'
    expect(paragraphsOf(hostile)).toEqual([{ text: hostile }])
    for (const text of ['مرحبا بالعالم', '11月のレポート 👩‍👩‍👧‍👦', 'Ελλάδα ещё שלום'])
      expect(paragraphsOf(text)).toEqual([{ text }])
    expect(paragraphsOf('-not a list\n-- neither')).toEqual([{ text: '-not a list\n-- neither' }])
  })

  it('name the report on its cover, with its days and what it covers', () => {
    const cover = { kind: 'cover', ...common, subtitle: 'For 株式会社' } as const
    const given = { name: 'November', range, filtered: 'Campaign: Autumn', logo: true }
    expect(coverOf(cover, given).parts).toEqual([
      {
        kind: 'cover',
        title: 'November',
        subtitle: 'For 株式会社',
        lines: ['01 Nov to 30 Nov 2026', 'Compared with 01 Oct to 31 Oct 2026', 'Campaign: Autumn'],
        logo: true,
      },
    ])
    const alone = coverOf(
      { ...cover, heading: 'Our month' },
      { ...given, range: { ...range, compare: null }, filtered: null },
    )
    expect(alone.parts[0]).toMatchObject({ title: 'Our month', lines: ['01 Nov to 30 Nov 2026'] })
  })

  it('show what AI wrote only to those who see all channels that it was written about', () => {
    const about = { from: '2026-11-01', to: '2026-11-30', channelIds: ['a', 'b'] }
    const block = { kind: 'ai', ...common, text: 'Views rose.', about, renew: false } as const
    const shown = (channelIds: string[] | null, more: object = {}) =>
      aiTextOf({ ...block, ...more }, { range, channelIds })
    expect(shown(null)).toMatchObject({ about: null, parts: [{ kind: 'text', paragraphs: [{ text: 'Views rose.' }] }] })
    expect(shown(['b', 'a', 'c'])).toEqual(shown(null))
    for (const hidden of [shown(['a']), shown([])]) {
      expect(hidden.parts).toEqual([{ kind: 'nothing', text: "This text is about channels that aren't shown here." }])
      expect(JSON.stringify(hidden)).not.toContain('Views rose')
    }
    expect(shown(null, { about: { ...about, from: '2026-10-01', to: '2026-10-31' } }).about).toBe(
      'Written about 01 Oct to 31 Oct 2026',
    )
    expect(shown(null, { about: null }).parts[0]).toMatchObject({ kind: 'nothing' })
  })
})

const figure = (more: Partial<ComparedFigure> = {}): ComparedFigure => ({
  base: 'inTheseDays',
  subject: 'channel',
  name: 'views',
  value: 620,
  before: 500,
  changePercent: 24,
  changePoints: null,
  compared: { value: 620, before: 500 },
  whyNotComparable: null,
  coverage: {
    days: 30,
    daysBefore: 31,
    reportedDays: 30,
    leastReportedDays: 30,
    reportedDaysBefore: 31,
    comparedDays: 30,
    leastComparedDays: 30,
    channels: { both: 1, onlyNow: 0, onlyBefore: 0, notComparable: 0 },
    finalUntil: '2026-11-30',
    asOfDay: null,
  },
  ...more,
})

describe('figures of a report in words', () => {
  const told = { reasons: [] }
  it('say their change with its sign, and once what it compares', () => {
    expect(figureOf(figure(), range, told)).toEqual({
      title: 'Views',
      base: 'in these days',
      value: { text: '620', value: 620, unit: 'count' },
      change: '+24.00%',
      direction: 'up',
      changeValue: 24,
      note: null,
    })
    expect(comparedNote([figureOf(figure(), range, told)], range)).toEqual([
      'Changes are compared with 01 Oct to 31 Oct 2026.',
    ])
    expect(comparedNote([{ change: null }], range)).toEqual([])
    expect(changeText({ changePercent: -0.5, changePoints: null })).toBe('\u22120.50%')
    expect(changeText({ changePercent: null, changePoints: 0.25 })).toBe('+0.25 pts')
    expect(changeText({ changePercent: 0, changePoints: null })).toBe('0.00%')
    expect(figureOf(figure({ changePercent: 0 }), range, told).direction).toBe('same')
  })

  it('are a dash with a reason where nothing is known, and never 0', () => {
    const none = { value: null, changePercent: null, compared: null, whyNotComparable: null } as const
    const dash = figureOf(figure(none), range, { reasons: ['off', 'off'] })
    expect(dash).toMatchObject({
      value: { text: '–', value: null },
      change: null,
      direction: null,
      note: "It isn't read at the moment",
    })
    expect(figureOf(figure(none), range, { reasons: ['off', 'notReadYet'] }).note).toBe('No figures in these days')
    expect(absentFigure('inTheseDays', 'reach', {}).note).toBe('Never added up, so it has no total')
    // we count clicks, so none is 0
    expect(absentFigure('inTheseDays', 'shortLinkClicks', {})).toMatchObject({ value: { text: '0' }, note: null })
  })

  it('say why they have no change, and how many days they cover', () => {
    const why = { changePercent: null, compared: null, whyNotComparable: 'forgotten' } as const
    expect(figureOf(figure(why), range, told).note).toBe('Earlier days deleted')
    const { coverage } = figure()
    const partly = { ...why, coverage: { ...coverage, reportedDays: 5, leastReportedDays: 5 } }
    expect(figureOf(figure(partly), range, told).note).toBe('Earlier days deleted. 5 of 30 days known')
    expect(figureOf(figure(partly), { ...range, compare: null }, told).note).toBe('5 of 30 days known')
  })

  it('name who is missing, and why, once for each reason', () => {
    const nameOf = (id: string) => `${id.toUpperCase()} (X)`
    const missing = [
      { platform: 'x', reason: 'off', channelIds: ['a', 'b'], figures: { inTheseDays: ['views', 'followers'] } },
      { platform: 'bluesky', reason: 'notReported', channelIds: ['c'], figures: { inTheseDays: ['views'] } },
      { platform: 'mastodon', reason: 'notReported', channelIds: ['d'], figures: { inTheseDays: ['views'] } },
    ] as const
    const asked = (names: readonly ('views' | 'followers' | 'saves')[]) =>
      names.map((name) => ({ base: 'inTheseDays', name }) as const)
    const notes = missingNotes(
      missing.map((one) => ({
        ...one,
        channelIds: [...one.channelIds],
        figures: { inTheseDays: [...one.figures.inTheseDays] },
      })),
      asked(['views', 'followers']),
      nameOf,
    )
    expect(notes).toEqual([
      "Not included: A (X) and B (X). It isn't read at the moment.",
      "Not in Views: Bluesky and Mastodon. The platform doesn't report it.",
    ])
    const { channelIds: _, ...rest } = { ...missing[0], reason: 'disconnected' as const }
    const signedOut = [{ ...rest, channelIds: ['a'], figures: { inTheseDays: [...rest.figures.inTheseDays] } }]
    expect(missingNotes(signedOut, asked(['views', 'followers']), nameOf)).toEqual([
      "Missing or incomplete: A (X). It's disconnected, so nothing new is read.",
    ])
    expect(missingNotes(signedOut, asked(['views', 'saves']), nameOf)).toEqual([
      "Missing or incomplete in Views: A (X). It's disconnected, so nothing new is read.",
    ])
    expect(listed(['a'])).toBe('a')
    expect(listed(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('a, b, c, d, e and f')
    expect(listed(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 others')
  })
})
