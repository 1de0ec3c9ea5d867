const named: Partial<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/**
 * Converts a status's HTML to text. Its tags hide none of the text: links are complete, paragraphs and breaks become
 * lines.
 */
export function textOfHtml(html: string): string {
  return (
    html
      .replace(/<\/p>\s*<p>/gi, '\n\n')
      .replace(/<br\s*\/?>/gi, '\n')
      // tags aren't nested: searching past the next opening bracket would start over at each one
      .replace(/<[^<>]*>/g, '')
      .replace(
        /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
        (whole, hex?: string, decimal?: string, name?: string) => {
          if (name !== undefined) return named[name.toLowerCase()] ?? whole
          const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
          return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
        },
      )
      .trim()
  )
}
