import type { AnalysisFact } from '#contract/analytics/analysis.ts'
import { directionsIn } from './directions.ts'
import { isWrittenFor, numbersIn, type WrittenNumber } from './numbers.ts'

/*
 * Sentences about a finding of "What worked": two groups of posts whose middle halves don't overlap. They may say how many posts each
 * group has, what its middle half and its median are, and that the higher one has more.
 */

type Finding = NonNullable<AnalysisFact['worked']>
type Side = Finding['high']
/** A finding, and what the model calls its two groups: "G1", "G2". */
export type NamedFinding = { finding: Finding; high: string; low: string }

const aliases = /\bG\d{1,3}\b/g
/** What each quartile range is of: it isn't what all of the posts have. */
const half = /\b(?:the )?(?:middle )?half of (?:the |its |their )?/giu
const more = /\b(?:more|higher|above)\b/iu
const fewer = /\b(?:fewer|less|lower|below)\b/iu
const comparing = /\b(?:more|higher|above|fewer|less|lower|below)\b/giu
/** "More than G2", "more engagements than G2", "above G2". */
const comparison = /^(?:(?:more|higher|fewer|less|lower)(?: \p{L}+){0,2} than|above|below) (?<alias>G\d{1,3})\b/iu
/** "120 more engagements" is a difference, and nothing here is one. */
const difference = /^(?: \p{L}+){0,3} (?:more|higher|above|fewer|less|lower|below)\b/iu
/** "34 posts with G1": the name comes after its number. */
const ownedAfter = /^(?: \p{L}+){0,4} (?:with|of|on|in|at|for|by|from|among) (?<alias>G\d{1,3})\b/iu

/** The numbers of a sentence that has nothing but what the finding says; undefined otherwise. */
export function numbersOfFinding(sentence: string, { finding, high, low }: NamedFinding): WrittenNumber[] | undefined {
  const blank = (text: string) => text.replaceAll(/\S/gu, 'N')
  const names = [...sentence.matchAll(aliases)].map(({ 0: alias, index }) => ({ alias, index }))
  if (names.length === 0 || names.some(({ alias }) => alias !== high && alias !== low)) return undefined
  if (!/\bposts?\b/iu.test(sentence)) return undefined
  // names and "half of" are no numbers: as many letters in their place
  const numbers = numbersIn(sentence.replaceAll(aliases, blank).replaceAll(half, blank))
  if (!numbers || !isTrueComparison(sentence, { high, low })) return undefined
  const sideOf = (written: WrittenNumber): Side | undefined => {
    const after = ownedAfter.exec(sentence.slice(written.end))?.groups?.['alias']
    const last = names.findLast(({ index }) => index < written.start) ?? names[0]
    const alias = after ?? last?.alias
    return alias === high ? finding.high : alias === low ? finding.low : undefined
  }
  return hasOnlyIts(sentence, numbers, sideOf) ? numbers : undefined
}

/** Whether each number is what the words around it say of its side: a number of posts, one end of the middle half, or the median. */
function hasOnlyIts(
  sentence: string,
  numbers: readonly WrittenNumber[],
  sideOf: (written: WrittenNumber) => Side | undefined,
): boolean {
  const firstHalf = sentence.search(new RegExp(half.source, 'iu'))
  let at = 0
  while (at < numbers.length) {
    const [written, next] = [numbers[at], numbers[at + 1]]
    if (!written || written.unit !== 'count' || written.sign !== 0 || written.isChange) return false
    const [before, after] = [sentence.slice(0, written.start), sentence.slice(written.end)]
    if (difference.test(after)) return false
    const joint = next && sentence.slice(written.end, next.start)
    if (next && (joint === ' to ' || (joint === ' and ' && /\bbetween $/iu.test(before)))) {
      // both ends are those of the side that the second one names
      const side = sideOf(next)
      if (difference.test(sentence.slice(next.end)) || firstHalf < 0 || firstHalf > written.start) return false
      if (!side || !isWrittenFor(written, side.q1) || !isWrittenFor(next, side.q3)) return false
      at += 2
      continue
    }
    const side = sideOf(written)
    const isPosts = /^ posts?\b/iu.test(after)
    const isMedian = /\bmedian(?: of| is| was| at)? $/iu.test(before)
    if (!side || isPosts === isMedian || !isWrittenFor(written, isPosts ? side.posts : side.median)) return false
    at += 1
  }
  return true
}

/** Whether the sentence compares nothing, or says once that the higher side has more than the other, or the lower one fewer. */
function isTrueComparison(sentence: string, { high, low }: Pick<NamedFinding, 'high' | 'low'>): boolean {
  // no other direction, no negation, and no comparison with anything else
  if (directionsIn(sentence.replaceAll(comparing, 'N')) !== 0) return false
  const words = [...sentence.matchAll(comparing)]
  const [word] = words
  if (!word) return !/\bthan\b/iu.test(sentence)
  if (words.length > 1 || [...sentence.matchAll(/\bthan\b/giu)].length > 1) return false
  const subject = [...sentence.slice(0, word.index).matchAll(aliases)].at(-1)?.[0]
  const other = comparison.exec(sentence.slice(word.index))?.groups?.['alias']
  if (more.test(word[0])) return subject === high && other === low
  return fewer.test(word[0]) && subject === low && other === high
}
