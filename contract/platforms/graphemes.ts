const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Each of these is a character of its own, whatever is beside it; only CR and LF are one together. */
const eachOfItsOwn = /^[\n\x20-\x7e]*$/

/** How many characters people see. */
export function countGraphemes(text: string): number {
  if (eachOfItsOwn.test(text)) return text.length
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}
