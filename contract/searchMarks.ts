/*
 * Where a search was found in a text, for showing it. It folds as the search does (server/db/functions/search.sql), and a
 * test compares the two (server/inbox/search.test.ts).
 */

/** From and to, in UTF-16 units of the text. */
type Mark = [from: number, to: number]

/** What people leave out: accents, vowel points, elongation, and signs that only change how something looks. */
const LEFT_OUT = new RegExp(
  `[${[
    '\\u0300-\\u036f', // Latin, Greek, Cyrillic
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7', // Hebrew
    '\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed', // Arabic
    '\\u00ad\\u200d\\ufe00-\\ufe0f',
  ].join('')}]`,
  'gu',
)
const written = 'øđłħŧıςðىیک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹'
const folded = 'odlhtiσdييك01234567890123456789'
const LETTERS = new Map<string, string>([
  ...Array.from(written, (letter, i): [string, string] => [letter, folded.charAt(i)]),
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
])
/** Scripts that are written without spaces, and Korean, whose words grow together. */
const PAIRED =
  '\\u0e01-\\u0e3a\\u0e40-\\u0e4e\\u0e81-\\u0ece\\u1000-\\u103f\\u1050-\\u109f\\u1780-\\u17d3\\u3005-\\u3007\\u3041-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const WORDS = new RegExp(`[${PAIRED}]+|(?:(?![${PAIRED}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
const isPaired = new RegExp(`^[${PAIRED}]`, 'u')
/** A character with the marks that belong to it, which is folded as one. */
const CHARACTERS = /[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?|\P{M}[\p{M}\uff9e\uff9f]{0,32}|\p{M}{1,32}/gsu
/** How many marks one text gets at most. */
const MOST = 200

/** A piece of text as the search compares it: without accents, in lower case, in one of several compatible forms. */
function foldOf(piece: string): string {
  const first = piece.charCodeAt(0)
  if (piece.length === 1 && first < 128) return piece.toLowerCase()
  const bare = piece.normalize('NFKD').toLowerCase().replaceAll(LEFT_OUT, '')
  return Array.from(bare, (letter) => LETTERS.get(letter) ?? letter)
    .join('')
    .normalize('NFC')
}

/** The words of a search, folded. A run of Chinese, Japanese, Korean, Thai and the like is one. */
const searchedWords = (search: string): string[] => [
  ...new Set(
    [...search.matchAll(CHARACTERS)]
      .map(([one]) => foldOf(one))
      .join('')
      .match(WORDS) ?? [],
  ),
]

/**
 * The places of a text in which words of the search are found, in their order, none of them overlapping: where a word begins
 * with one of them, and anywhere in scripts without spaces. A run of these that isn't there as a whole is found by pairs of
 * its characters.
 */
export function findMarks(text: string, search: string): Mark[] {
  const words = searchedWords(search)
  if (words.length === 0) return []
  let line = ''
  // of each unit of the line, the character of the text that it came from
  const from: number[] = []
  const to: number[] = []
  for (const match of text.matchAll(CHARACTERS)) {
    const fold = foldOf(match[0])
    line += fold
    for (let i = 0; i < fold.length; i++) {
      from.push(match.index)
      to.push(match.index + match[0].length)
    }
  }
  const found: Mark[] = []
  for (const { 0: run, index } of line.matchAll(WORDS))
    for (const [at, length] of placesIn(run, words)) {
      const [begin, end] = [from[index + at], to[index + at + length - 1]]
      if (begin !== undefined && end !== undefined) found.push([begin, end])
    }
  return merged(found).slice(0, MOST)
}

/** Where words of the search are in one of the text, and how long they are there. */
function placesIn(run: string, words: readonly string[]): [at: number, length: number][] {
  if (!isPaired.test(run))
    return words.flatMap((word): [number, number][] => (run.startsWith(word) ? [[0, word.length]] : []))
  return words
    .filter((word) => isPaired.test(word))
    .flatMap((word) => {
      const whole = occurrences(run, word)
      const characters = Array.from(word)
      if (whole.length > 0 || characters.length < 2) return whole
      return characters.slice(1).flatMap((next, i) => occurrences(run, `${characters[i]}${next}`))
    })
}

function occurrences(run: string, word: string): [at: number, length: number][] {
  const found: [number, number][] = []
  for (let at = run.indexOf(word); at >= 0 && found.length < MOST; at = run.indexOf(word, at + word.length))
    found.push([at, word.length])
  return found
}

/** In their order, with those that touch or overlap as one. */
function merged(marks: readonly Mark[]): Mark[] {
  const all: Mark[] = []
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}

const SNIPPET = 160
/** What comes before the first mark of a snippet. */
const BEFORE = 40

export type Found = { text: string; marks: Mark[] }

/** The part of a text, in one line, that shows where it was found; null where it isn't. Marks are places of that part. */
export function snippetOf(text: string, search: string): Found | null {
  const line = text.replace(/\s+/gu, ' ').trim()
  const marks = findMarks(line, search)
  const first = marks[0]
  if (!first) return null
  if (line.length <= SNIPPET) return { text: line, marks }
  const start = beginsAt(line, mostIn(marks)[0] - BEFORE)
  const end = endsAt(line, start + SNIPPET)
  const before = start > 0 ? '…' : ''
  const shift = before.length - start
  return {
    text: `${before}${line.slice(start, end)}${end < line.length ? '…' : ''}`,
    marks: marks.flatMap(([from, to]): Mark[] =>
      from < start || from >= end ? [] : [[from + shift, Math.min(to, end) + shift]],
    ),
  }
}

/** The first mark of the part that holds the most of them. */
function mostIn(marks: readonly Mark[]): Mark {
  let [best, most] = [marks[0] ?? ([0, 0] satisfies Mark), 0]
  for (const [i, mark] of marks.entries()) {
    const count = marks.slice(i).filter(([from]) => from < mark[0] + SNIPPET - BEFORE).length
    if (count > most) [best, most] = [mark, count]
  }
  return best
}

/** The next beginning of a word near the place, or at least of a character. */
function beginsAt(line: string, wanted: number): number {
  if (wanted <= 0) return 0
  const space = line.indexOf(' ', wanted - 1)
  if (space >= 0 && space < wanted + BEFORE / 2) return space + 1
  return characterAt(line, wanted)
}

function endsAt(line: string, wanted: number): number {
  if (wanted >= line.length) return line.length
  const space = line.lastIndexOf(' ', wanted)
  return space > wanted - BEFORE / 2 ? space : characterAt(line, wanted)
}

/** Not within a pair of surrogates or between a character and its marks. */
function characterAt(line: string, wanted: number): number {
  let at = wanted
  while (at > 0 && /^(?:\p{M}|\u200d|[\udc00-\udfff])/u.test(line.slice(at, at + 1))) at -= 1
  return at
}
