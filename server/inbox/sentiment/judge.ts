import type { Sentiment } from '#contract/inbox/terms.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { folded, openLexicon, weightOf, type OpenLexicon } from './lexicon.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

/*
 * How a text sounds, by word lists of our own in five languages and by emoji. Nothing leaves the server, so texts may be
 * judged that no model may read. Where the lists say nothing, neither do we.
 */

const lexicons: readonly OpenLexicon[] = [english, german, french, spanish, portuguese].map(openLexicon)

const glad = /[😀😃😄😁😆😊🙂😍🥰😘😻🤩🥳😎🤗🙌👏👍💯🔥✨🎉🎊❤🧡💛💚💙💜🤎🖤🤍💕💖💗💓💞💝🫶💪🏆🙏😋]/gu
const cross = /[😡😠🤬👎😞😔😢😭💔💩🤮🤢😤😩😫😒😖☹🙁😾🖕]/gu
/** Rolling eyes turn praise into irony. */
const ironic = /[🙄🤡]/u

/** Longer texts are judged by their beginning. Characters. */
export const JUDGED_LENGTH = 1_000
/** From here on a feeling counts; what is weaker, or cancels out, is neutral. */
const THRESHOLD = 0.75
/** A negation turns a word this many words away. */
const REACH = 3

/** Positive, neutral, negative, or null where nothing in the text tells. Bounded work, whatever the text is. */
export function judge(text: string): Sentiment | null {
  const read = text.slice(0, JUDGED_LENGTH).toWellFormed()
  const words = folded(withoutAddresses(read))
  const sentences = words.match(/[^.!?…\n]+[.!?…]*/gu) ?? []
  const emoji = (read.match(glad)?.length ?? 0) - (read.match(cross)?.length ?? 0)
  const languages = likeliest(words.match(/\p{L}+/gu) ?? [])
  const isIronic = ironic.test(read)
  const opinions = languages.map((lexicon) => weigh(lexicon, sentences)).filter(({ hits }) => hits > 0)
  if (opinions.length === 0 && emoji === 0 && !isIronic)
    // a question without a feeling is just a question
    return languages.length > 0 && read.includes('?') ? 'neutral' : null
  const [verdict = null, other] = new Set(
    (opinions.length > 0 ? opinions : [{ sum: 0 }]).map(({ sum }) =>
      sentimentOf(isIronic ? -Math.abs(sum) - 1 : sum + Math.sign(emoji)),
    ),
  )
  // languages that are equally likely must agree
  return other === undefined ? verdict : null
}

const sentimentOf = (felt: number): Sentiment =>
  felt >= THRESHOLD ? 'positive' : felt <= -THRESHOLD ? 'negative' : 'neutral'

/** Names of people and sites aren't words of a language. `n't` is "not". */
const withoutAddresses = (text: string): string =>
  text.replaceAll(/https?:\/\/\S+|[@#][\p{L}\p{N}_.-]+/gu, ' ').replaceAll(/n['’]t\b/giu, ' not')

/** The lexicons that know most of these words; none where no lexicon knows any. */
function likeliest(tokens: readonly string[]): OpenLexicon[] {
  const known = lexicons.map((lexicon) => ({
    lexicon,
    count: tokens.filter(
      (token) => lexicon.common.has(token) || lexicon.not.has(token) || weightOf(lexicon, token) !== undefined,
    ).length,
  }))
  const most = Math.max(...known.map(({ count }) => count))
  return most === 0 ? [] : known.flatMap(({ lexicon, count }) => (count === most ? [lexicon] : []))
}

type Opinion = { hits: number; sum: number }

function weigh(lexicon: OpenLexicon, sentences: readonly string[]): Opinion {
  const opinions = sentences.map((sentence) => {
    const { hits, sum } = weighSentence(lexicon, sentence)
    // "Which one would you recommend?" asks, "Why is it so terrible?" tells
    return { hits, sum: sentence.endsWith('?') ? sum / 2 : sum }
  })
  return {
    hits: opinions.reduce((all, { hits }) => all + hits, 0),
    sum: opinions.reduce((all, { sum }) => all + sum, 0),
  }
}

function weighSentence(lexicon: OpenLexicon, sentence: string): Opinion {
  let hits = 0
  let sum = 0
  for (const clause of sentence.split(/[,;:()]|\s[-–—]\s/u)) {
    const words = withPhrases(lexicon, clause.match(/\p{L}+/gu) ?? [])
    words.forEach((word, place) => {
      if (typeof word === 'string' && lexicon.but.has(word)) sum /= 2
      const weight = typeof word === 'string' ? weightOf(lexicon, word) : word
      if (weight === undefined || weight === null) return
      hits += 1
      sum += typeof word === 'string' && isTurned(lexicon, words, place) ? -Math.sign(weight) : weight
    })
  }
  return { hits, sum }
}

/** Words, with each phrase as its weight and nulls. */
type Words = readonly (string | number | null)[]

function withPhrases({ phrases }: OpenLexicon, words: readonly string[]): Words {
  const read: (string | number | null)[] = [...words]
  for (const { words: phrase, weight } of phrases)
    for (let start = 0; start + phrase.length <= read.length; start += 1)
      if (phrase.every((word, place) => read[start + place] === word)) {
        read.fill(null, start, start + phrase.length)
        read[start] = weight
      }
  return read
}

const isTurned = ({ not, notAfter }: OpenLexicon, words: Words, place: number): boolean =>
  [
    ...words.slice(Math.max(0, place - REACH), place),
    ...(notAfter ? words.slice(place + 1, place + 1 + REACH) : []),
  ].some((word) => typeof word === 'string' && not.has(word))
