const EXCERPT = 160
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The start of a text in one line, as lists show it. Cut between characters, never within one. */
export function excerptOf(text: string, most = EXCERPT): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  if (line.length <= most) return line
  let excerpt = ''
  for (const { segment } of segmenter.segment(line.slice(0, most * 4))) {
    if (excerpt.length + segment.length > most) break
    excerpt += segment
  }
  return excerpt
}
