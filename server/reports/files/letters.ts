/*
 * How wide texts are in Noto Sans, roughly: enough to decide how many lines they have before Typst sets them.
 */

/** Of the characters from space to tilde, in thousandths of the font's size (the font's hmtx table). */
const ADVANCES = [
  260, 269, 408, 646, 572, 831, 732, 225, 300, 300, 551, 572, 268, 322, 268, 372, 572, 572, 572, 572, 572, 572, 572,
  572, 572, 572, 268, 268, 572, 572, 572, 434, 899, 639, 650, 632, 730, 556, 519, 728, 741, 339, 273, 619, 524, 907,
  760, 781, 605, 781, 622, 549, 556, 731, 600, 930, 586, 566, 572, 329, 372, 329, 572, 444, 281, 561, 615, 480, 615,
  564, 344, 615, 618, 258, 258, 534, 258, 935, 618, 605, 615, 615, 413, 479, 361, 618, 508, 786, 529, 510, 470, 380,
  551, 380, 572,
]
const FIRST = 0x20
/** Other letters, and other characters: pictures are the widest. */
const LETTER = 700
const OTHER = 1_000
const PICTURE = 1_400

const letter = /\p{Alphabetic}/u
const picture = /\p{Extended_Pictographic}/u
const wide = /[\u1100-\u11ff\u2e80-\uffef]/u

/** The width of a text in the font's size, without what kerning takes away. */
export function textPoints(text: string, size: number): number {
  let sum = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    sum +=
      ADVANCES[code - FIRST] ??
      (picture.test(character) ? PICTURE : wide.test(character) ? OTHER : letter.test(character) ? LETTER : OTHER)
  }
  return (sum / 1000) * size
}

/** Texts whose letters are as high as Noto Sans': others may come from any font of the machine. */
const MEASURED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u
const PLAIN = /^[\u0020-\u024f\u2010-\u2044\u2212]*$/

/** A capital's height, and the space between lines: what the template sets. */
const CAPITAL = 0.714
const LEADING = 0.45

/**
 * How high a text is in a column, in points: at least as high as it's set. Null where that's unknown.
 *
 * @param width of the column, in points
 */
export function heightOf(text: string, width: number, size: number): number | null {
  if (!MEASURED.test(text) || /[\n\u200b]/.test(text)) return null
  let lines = 1
  let used = 0
  const space = textPoints(' ', size)
  for (const word of text.split(' ')) {
    const room = textPoints(word, size)
    if (room > width) return null
    if (used > 0 && used + space + room > width) {
      lines += 1
      used = room
    } else used += (used > 0 ? space : 0) + room
  }
  // pictures are higher than capitals
  const line = PLAIN.test(text) ? CAPITAL : 1
  return (lines * line + (lines - 1) * LEADING) * size
}
