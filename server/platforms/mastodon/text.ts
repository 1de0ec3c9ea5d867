const named: Partial<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** A status comes as HTML, whose tags hide nothing of the text: links stand whole in it, paragraphs and breaks are lines. */
export function textOfHtml(html: string): string {
  return (
    html
      .replace(/<\/p>\s*<p>/gi, '\n\n')
      .replace(/<br\s*\/?>/gi, '\n')
      // a tag holds no other: looking for its end past the next one would start over at each
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
