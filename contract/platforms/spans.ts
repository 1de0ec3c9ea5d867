import { trimEndWhere } from '../trimEnd.ts'
import type { Span } from './rules.ts'

const patterns = {
  link: /https?:\/\/[^\s<>"]+/giu,
  mention: /(?<=^|[^\w@/])@[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?(?:@[a-z0-9.-]+\.[a-z]{2,})?/giu,
  tag: /(?<=^|[^\w&/])#[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*/gu,
} as const

const ENDS = '.,;:!?\'"’”…)]}'

/** Links, mentions and hashtags as most platforms show them, in order and without overlaps. */
export function findCommonSpans(text: string): Span[] {
  const found = (['link', 'mention', 'tag'] as const).flatMap((kind) =>
    [...text.matchAll(patterns[kind])].map((match): Span => {
      // punctuation that ends a sentence isn't part of a link
      const written = kind === 'link' ? trimEndWhere(match[0], (char) => ENDS.includes(char)) : match[0]
      return {
        kind,
        start: match.index,
        end: match.index + written.length,
        value: kind === 'link' ? written : written.slice(1),
      }
    }),
  )
  const kept: Span[] = []
  for (const span of found.toSorted((a, b) => a.start - b.start))
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span)
  return kept
}

const cashtag = /(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s!-/:-@[-^_{-~])/giu

/** How many stock symbols, such as $ABC, X finds in a text (twitter/twitter-text, src/regexp/validCashtag). */
export const cashtagsIn = (text: string): number => [...text.matchAll(cashtag)].length
