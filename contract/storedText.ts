/*
 * What becomes of every text that people send before it's parsed, counted and stored. Equal words are stored in one form
 * (NFC: macOS, and files from it, write é as e and an accent), and characters that platforms refuse or nobody sees are
 * taken out. What belongs to a script or an emoji stays: joiners and non-joiners, variation selectors, tags of flags,
 * direction marks, soft hyphens, and spaces without width.
 */

/** Nothing else needs a closer look. */
const plain = /^[\t\n\r\x20-\x7e]*$/
/** Line breaks of Word, PowerPoint, old Macs' software and PDFs. */
const breaks = /[\v\f\x85\u2028\u2029]/g
/**
 * Control characters; U+FEFF, with which Excel and Word begin what is copied; and code points that are no characters: X
 * refuses a post with U+FEFF, U+FFFE or U+FFFF (twitter/twitter-text, src/regexp/invalidCharsGroup). A zero byte stays,
 * because it's refused with a sentence.
 */
const unseen = /(?!\0)[^\P{Cc}\t\n\r]|[\ufeff\p{Noncharacter_Code_Point}]/gu

/** The text as it's stored. Doing it again changes nothing. */
export function storedText(text: string): string {
  if (plain.test(text)) return text
  return withoutStrays(text.replace(breaks, '\n').replace(unseen, '')).normalize('NFC')
}

const directions = /[\u202a-\u202e\u2066-\u2069]/
const OPENS_EMBEDDING = '\u202a\u202b\u202d\u202e'
const [POP_EMBEDDING, POP_ISOLATE] = ['\u202c', '\u2069']

/**
 * Without direction controls that open something and don't close it on the same line, or close nothing: they'd turn
 * around what is shown next to the text. Pairs stay.
 */
const withoutStrays = (text: string): string =>
  directions.test(text) ? text.split('\n').map(withoutStraysIn).join('\n') : text

function withoutStraysIn(line: string): string {
  const signs = line.split(/([\u202a-\u202e\u2066-\u2069])/)
  const open: number[] = []
  const strays = new Set<number>()
  for (let at = 1; at < signs.length; at += 2) {
    const sign = signs[at] ?? ''
    if (sign === POP_EMBEDDING) {
      if (OPENS_EMBEDDING.includes(signs[open.at(-1) ?? -1] ?? '-')) open.pop()
      else strays.add(at)
    } else if (sign === POP_ISOLATE) {
      const isolate = open.findLastIndex((place) => !OPENS_EMBEDDING.includes(signs[place] ?? '-'))
      if (isolate === -1) strays.add(at)
      // what was opened inside the isolate ends with it
      else for (const place of open.splice(isolate).slice(1)) strays.add(place)
    } else open.push(at)
  }
  for (const place of open) strays.add(place)
  return signs.filter((_, at) => !strays.has(at)).join('')
}
