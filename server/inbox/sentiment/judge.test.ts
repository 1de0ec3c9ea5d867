import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sentiments, type Sentiment } from '#contract/inbox/terms.ts'
import { judge } from './judge.ts'

const languages = ['en', 'de', 'fr', 'es', 'pt'] as const
const marks: Record<string, Sentiment> = { '+': 'positive', '=': 'neutral', '-': 'negative' }

/** 300 sentences of our own, each with what a person would say of it. */
const sentences = languages.flatMap((language) =>
  readFileSync(new URL(`../../testing/sentences/${language}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ language, truth: marks[line.slice(0, 1)], text: line.slice(2) })),
)

const judged = sentences.map((one) => ({ ...one, verdict: judge(one.text) }))
const count = (test: (one: (typeof judged)[number]) => boolean) => judged.filter(test).length

describe('the word lists', () => {
  it('judge most of 300 sentences in five languages as a person does', () => {
    const verdicts = [...sentiments, null]
    const rows = [...languages, undefined].flatMap((language) =>
      sentiments.map((truth) => [
        language ?? 'all',
        truth,
        ...verdicts.map((verdict) =>
          count(
            (one) =>
              (language === undefined || one.language === language) && one.truth === truth && one.verdict === verdict,
          ),
        ),
      ]),
    )
    const decided = count(({ verdict }) => verdict !== null)
    const right = count(({ verdict, truth }) => verdict === truth)
    const opposite = count(
      ({ verdict, truth }) =>
        (verdict === 'positive' && truth === 'negative') || (verdict === 'negative' && truth === 'positive'),
    )
    console.log(
      [
        'language  a person says  positive  neutral  negative  not judged',
        ...rows.map(([language, truth, ...counts]) =>
          [
            String(language).padEnd(9),
            String(truth).padEnd(14),
            ...counts.map((n, place) => String(n).padStart([8, 8, 9, 11][place] ?? 8)),
          ].join(' '),
        ),
        `judged ${decided} of ${judged.length}, ${right} of those right (${((100 * right) / decided).toFixed(1)}%), ${opposite} the opposite`,
      ].join('\n'),
    )
    expect(judged).toHaveLength(300)
    expect(decided / judged.length).toBeGreaterThan(0.85)
    expect(right / decided).toBeGreaterThan(0.95)
    expect(opposite / judged.length).toBeLessThan(0.01)
  })

  it("say nothing about what they don't know", () => {
    for (const text of ['', '   ', '1234', 'Размер 42?', '見ました', '@love https://great.example/best #top'])
      expect(judge(text), text).toBeNull()
  })

  it('judge a hostile text in bounded time by its beginning', () => {
    expect(judge(`I love it. ${'terrible '.repeat(100_000)}`)).toBe('negative')
    expect(judge(`${'a '.repeat(1_000)}terrible`)).toBeNull()
    expect(judge('\ud83d'.repeat(5_000))).toBeNull()
  })
})
