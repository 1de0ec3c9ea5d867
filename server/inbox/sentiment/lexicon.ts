/** One language's words. All are compared without case and accents. */
export type Lexicon = {
  /** Words that occur in nearly every text: they tell the language. */
  common: string
  /** Each weighs 1, with a `!` at its end 2. A `*` at the end stands for any ending, as in `happ*`. */
  positive: string
  negative: string
  /** Turns what follows within three words, as in "not good". */
  not: string
  /** Whether a negation also turns what comes before it, as in "gefällt mir nicht". */
  notAfter?: true
  /** What follows weighs more than what came before. */
  but: string
  /** Several words that mean something else together, with their weight; 0 for those that only look like a feeling. */
  phrases: Readonly<Record<string, number>>
}

/** A lexicon to look words up in. */
export type OpenLexicon = {
  common: ReadonlySet<string>
  weights: ReadonlyMap<string, number>
  /** By the beginning of a word. */
  stems: ReadonlyMap<string, number>
  not: ReadonlySet<string>
  notAfter: boolean
  but: ReadonlySet<string>
  /** Longest first. */
  phrases: readonly { words: readonly string[]; weight: number }[]
}

/** Lower case without accents: people leave them out. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')

const list = (words: string): string[] => folded(words).split(/\s+/).filter(Boolean)

/** Prepares a lexicon for looking words up. */
export function openLexicon({ common, positive, negative, not, notAfter, but, phrases }: Lexicon): OpenLexicon {
  const weighed = [
    ...list(positive).map((word) => [word, 1] as const),
    ...list(negative).map((word) => [word, -1] as const),
  ].map(([word, sign]) => {
    const strong = word.endsWith('!')
    return { word: strong ? word.slice(0, -1) : word, weight: strong ? 2 * sign : sign }
  })
  const stems = weighed.filter(({ word }) => word.endsWith('*'))
  return {
    common: new Set(list(common)),
    weights: new Map(weighed.flatMap(({ word, weight }) => (word.endsWith('*') ? [] : [[word, weight]]))),
    stems: new Map(stems.map(({ word, weight }) => [word.slice(0, -1), weight])),
    not: new Set(list(not)),
    notAfter: notAfter ?? false,
    but: new Set(list(but)),
    phrases: Object.entries(phrases)
      .map(([phrase, weight]) => ({ words: list(phrase.replaceAll('’', ' ').replaceAll("'", ' ')), weight }))
      .toSorted((a, b) => b.words.length - a.words.length),
  }
}

/** The longest stem that counts; longer words are looked up by this much of them. */
const STEM_MOST = 14

/** What a word weighs: by itself, else by the longest stem that it begins with; undefined for a word that says nothing. */
export function weightOf({ weights, stems }: OpenLexicon, word: string): number | undefined {
  const exact = weights.get(word)
  if (exact !== undefined) return exact
  for (let length = Math.min(word.length, STEM_MOST); length >= 3; length -= 1) {
    const found = stems.get(word.slice(0, length))
    if (found !== undefined) return found
  }
  return undefined
}
