const named: Partial<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The text without the character references of HTML that platforms write. */
const unescaped = (text: string): string =>
  text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )

/** Unescaped as often as it may have been escaped: what was written may have looked escaped already. */
export const decoded = (text: string): string => unescaped(unescaped(unescaped(text)))
