/*
 * Makes a platform's own words safe to show on screens and in emails: whatever responds in its place can write
 * anything, and some platforms repeat the token that they refuse.
 */

/** How many characters of a text are examined: some platforms send a whole page. */
const LOOKED_AT = 4000
const LONGEST = 300
const LONGEST_CODE = 60

/** Recognizes tokens: JSON web tokens, values after the usual names, and long runs of letters and digits. */
const tokens = {
  json: /\beyJ[\w-]+(?:\.[\w-]+)*/g,
  named: /\b(bearer|oauth|token|secret)(["']?[=: ]+["']?)(?=[\w.~+/|!%-]*[0-9])[\w.~+/|!%-]{8,}/gi,
  mixed: /(?=[\w~+|!-]*[0-9])(?=[\w~+|!-]*[A-Za-z])[\w~+|!-]{20,}/g,
  long: /[\w|-]{40,}/g,
} as const
const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", '#39': "'", nbsp: ' ' }

/**
 * One line in a platform's own words: short, without markup, control and bidirectional characters, and tokens. It ends
 * like a sentence.
 */
export function sentence(message: string): string {
  const words = line(message)
  const points = Array.from(words)
  const short = points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join('')}…` : words
  return /[.!?…]$/.test(short) ? short : `${short}.`
}

function line(message: string): string {
  return (
    message
      .slice(0, LOOKED_AT)
      .toWellFormed()
      // text inside these tags isn't meant for people
      .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
      .replace(/<\/?[a-z!?][^<>]*>/gi, ' ')
      .replace(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole)
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .replace(/[\p{Cf}\p{Co}]+/gu, '')
      // a URL's query can contain what was sent
      .replace(/(https?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, '$1')
      .replace(tokens.json, '…')
      .replace(tokens.named, '$1$2…')
      .replace(tokens.mixed, '…')
      .replace(tokens.long, '…')
      .replace(/\s+/g, ' ')
      .replace(/ ([.,;:!?])/g, '$1')
      .trim()
  )
}

/**
 * A platform's code in the form we store and show: a short word of letters, digits and joiners. Empty if nothing of it
 * qualifies.
 */
export const codeWord = (code: string | number): string =>
  (/^[\w.:/#-]+/.exec(String(code))?.[0] ?? '').slice(0, LONGEST_CODE)
