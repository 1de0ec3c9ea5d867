import { unescaped } from '../entities.ts'

/**
 * Converts a status's HTML to text. Its tags hide none of the text: links are complete, paragraphs and breaks become
 * lines.
 */
export function textOfHtml(html: string): string {
  // tags aren't nested: searching past the next opening bracket would start over at each one
  const text = html
    .replace(/<\/p>\s*<p>/gi, '\n\n')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
  return unescaped(text).trim()
}
