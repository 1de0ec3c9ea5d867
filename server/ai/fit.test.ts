import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { platformKeys } from '#contract/platforms/rules.ts'
import { draftRules, findersOf, fitText, onlyWords, strangersIn, textFaults } from './fit.ts'

const bluesky = draftRules('bluesky')
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3_000 }),
  fc
    .array(
      fc.constantFrom(
        'rook',
        'Krähe',
        '烏',
        '👩‍👩‍👧‍👦',
        'https://a.example/b',
        '@bird.example',
        '#tag',
        '\n',
        '\u0000',
        '\ud83d',
        '\u202e',
      ),
      { maxLength: 700 },
    )
    .map((words) => words.join(' ')),
)

describe('a draft', () => {
  it("is within every platform's limits, whatever the model wrote", () => {
    fc.assert(
      fc.property(fc.constantFrom(...platformKeys), text, (platform, written) => {
        const rules = draftRules(platform)
        const fitted = fitText(rules, onlyWords(platform, written))
        // the caller leaves out an empty one
        if (fitted) expect(textFaults(rules, fitted)).toEqual([])
        expect(fitted.isWellFormed()).toBe(true)
        expect(fitted).not.toContain('\u0000')
      }),
      { numRuns: 300 },
    )
  })

  it('stays as it is if it fits', () => expect(fitText(bluesky, 'The rooks are back.')).toBe('The rooks are back.'))

  it('is cut after a word, even without spaces between them', () => {
    expect(fitText(bluesky, `${'Caw, '.repeat(70)}end`)).toBe(`${'Caw, '.repeat(59)}Caw…`)
    const fitted = fitText(bluesky, `朝。\n${'烏が巣を作る'.repeat(80)}`)
    expect(Array.from(fitted).length).toBeGreaterThan(290)
  })

  it('is cut within a word that is too long by itself, never within a character', () => {
    expect(fitText(bluesky, 'x'.repeat(400))).toBe(`${'x'.repeat(299)}…`)
    expect(fitText(bluesky, '👩‍👩‍👧‍👦'.repeat(200)).replaceAll('👩‍👩‍👧‍👦', '')).toBe('…')
  })

  it('has no links or mentions, not even ones that removing others would create', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(strangersIn(onlyWords('bluesky', written), findersOf(['bluesky']), '')).toEqual([])
      }),
    )
  })
})
