/** How a file's bytes may be read, in the order in which people choose from them. */
export const encodings = [
  { value: 'utf-8', label: 'Unicode (UTF-8)' },
  { value: 'utf-16le', label: 'Unicode (UTF-16)' },
  { value: 'utf-16be', label: 'Unicode (UTF-16, big-endian)' },
  { value: 'windows-1252', label: 'Western European' },
  { value: 'macintosh', label: 'Western European (Mac)' },
  { value: 'windows-1250', label: 'Central European' },
  { value: 'windows-1251', label: 'Cyrillic' },
  { value: 'koi8-r', label: 'Cyrillic (KOI8-R)' },
  { value: 'windows-1253', label: 'Greek' },
  { value: 'windows-1254', label: 'Turkish' },
  { value: 'windows-1255', label: 'Hebrew' },
  { value: 'windows-1256', label: 'Arabic' },
  { value: 'windows-1257', label: 'Baltic' },
  { value: 'windows-1258', label: 'Vietnamese' },
  { value: 'windows-874', label: 'Thai' },
  { value: 'shift_jis', label: 'Japanese (Shift_JIS)' },
  { value: 'euc-jp', label: 'Japanese (EUC-JP)' },
  { value: 'gb18030', label: 'Chinese, simplified (GB18030)' },
  { value: 'big5', label: 'Chinese, traditional (Big5)' },
  { value: 'euc-kr', label: 'Korean' },
] as const
export type Encoding = (typeof encodings)[number]['value']

/** How a file is read. `sure` if its bytes say so; otherwise a person looks at it. */
export type Guess = { encoding: Encoding; sure: boolean }

/** The text of a file's bytes, in whatever encoding: nothing of it is an error. */
export const textOf = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes)

function textIfValid(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Enough to tell scripts apart; a character may be cut at its end. */
const LOOKED_AT = 200_000

/**
 * How spreadsheets wrote a file: in UTF-8; in UTF-16, with a mark or with the zero bytes of its digits and separators; or in
 * an encoding of their country, which is guessed by what its letters would be.
 */
export function guessEncoding(bytes: Uint8Array): Guess {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', sure: true }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', sure: true }
  const wide = wideEncoding(bytes)
  if (wide) return { encoding: wide, sure: true }
  if (textIfValid(bytes, 'utf-8') !== undefined) return { encoding: 'utf-8', sure: true }
  const start = wholeStart(bytes.subarray(0, LOOKED_AT))
  let best: { encoding: Encoding; score: number } = { encoding: 'windows-1252', score: 0 }
  for (const script of scripts) {
    const text = textIfValid(start, script.encoding)
    const score = text === undefined ? 0 : scoreOf(text, script)
    if (score > best.score) best = { encoding: script.encoding, score }
  }
  return { encoding: best.encoding, sure: false }
}

/** UTF-16 without a mark: commas, digits and line breaks have a zero byte, always on the same side. */
function wideEncoding(bytes: Uint8Array): Encoding | undefined {
  if (bytes.length < 4 || bytes.length % 2 === 1) return undefined
  let [even, odd] = [0, 0]
  const end = Math.min(bytes.length, LOOKED_AT)
  for (let at = 0; at < end; at += 2) {
    if (bytes[at] === 0) even += 1
    if (bytes[at + 1] === 0) odd += 1
  }
  // in texts of other scripts it's few of them, in one that isn't UTF-16 none
  const few = end / 2 / 50
  if (odd > few && even < odd / 10) return 'utf-16le'
  return even > few && odd < even / 10 ? 'utf-16be' : undefined
}

/** Without the last line, whose end may be in the middle of a character. */
function wholeStart(bytes: Uint8Array): Uint8Array {
  const end = bytes.length < LOOKED_AT ? -1 : bytes.lastIndexOf(10)
  return end === -1 ? bytes : bytes.subarray(0, end)
}

/** What texts of an encoding consist of beyond ASCII. The first encoding wins where several fit as well. */
type Script = {
  encoding: Encoding
  /** Its small letters and its marks. */
  signs: RegExp
  /** Its most frequent letters. */
  common?: string
  /** A text has some of these. */
  needs?: RegExp
  /** Letters stand alone among those of ASCII, as é does. */
  latin?: true
}
const scripts: readonly Script[] = [
  { encoding: 'windows-1252', signs: /[à-ïñ-öø-üÿß“”‘’„–—…€•«»°©®™¿¡\u00a0]/u, latin: true },
  {
    encoding: 'shift_jis',
    signs: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー、。「」・]/u,
    common: 'のにはをたがでとしい',
    needs: /\p{Script=Hiragana}|\p{Script=Katakana}/u,
  },
  {
    encoding: 'euc-jp',
    signs: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー、。「」・]/u,
    common: 'のにはをたがでとしい',
    needs: /\p{Script=Hiragana}|\p{Script=Katakana}/u,
  },
  { encoding: 'euc-kr', signs: /\p{Script=Hangul}/u, common: '이다는에의가을하고지' },
  {
    encoding: 'gb18030',
    signs: /[\p{Script=Han}，。！？、：；（）《》“”]/u,
    common: '的一是不了人我在有这个们中来上大为和国，。',
  },
  {
    encoding: 'big5',
    signs: /[\p{Script=Han}，。！？、：；（）「」]/u,
    common: '的一是不了人我在有這個們中來上大為和國，。',
  },
  { encoding: 'windows-1251', signs: /[а-яёіїєў«»“”—–…№]/u, common: 'оеаинтсрвл' },
  { encoding: 'koi8-r', signs: /[а-яё]/u, common: 'оеаинтсрвл' },
  { encoding: 'windows-1253', signs: /[α-ώΐΰ«»“”–]/u, common: 'αοιετσνηυρ' },
  { encoding: 'windows-1255', signs: /[\u05b0-\u05f4“”–]/u, common: 'יוהלארתמבש' },
  { encoding: 'windows-1256', signs: /[\p{Script=Arabic}،؛؟]/u, common: 'اليمنورتبة' },
  { encoding: 'windows-874', signs: /\p{Script=Thai}/u, common: 'านรกอเง่ท้' },
  { encoding: 'windows-1250', signs: /[ąćęłńóśźżčďěňřšťůžáéíýäöüőű„”“–…]/u, latin: true },
  { encoding: 'windows-1254', signs: /[ğışçöüâî“”–…]/u, latin: true },
  { encoding: 'macintosh', signs: /[à-ïñ-öø-üÿß“”‘’„–—…€•«»°©®™¿¡]/u, latin: true },
]

/** How likely a text is of a script: which of its letters it consists of, and how they stand together. */
function scoreOf(text: string, { signs, common = '', needs, latin }: Script): number {
  const beyond = text.match(/[^ -~\s]/gu) ?? []
  if (beyond.length === 0 || (needs && !needs.test(text))) return 0
  const share = beyond.filter((sign) => signs.test(sign)).length / beyond.length
  const usual = beyond.filter((sign) => common.includes(sign)).length / beyond.length
  const runs = text.match(/[^ -~\s\p{P}\p{S}]+/gu) ?? []
  const isAlone = runs.join('').length < runs.length * 1.8
  return (share + usual) * (isAlone === (latin ?? false) ? 1 : 0.3)
}
