/**
 * The addresses in a pasted text: separated by commas, semicolons, spaces or lines, also as `Name <name@example.org>`.
 * Each once, lower-cased, in the order of the text. Whether they are valid is for the form to say.
 */
export function addressesIn(text: string): string[] {
  const found = text.match(/[^\s,;<>"'()]+@[^\s,;<>"'()]+/g) ?? []
  return [
    ...new Set(
      found.map((address) =>
        address
          .toLowerCase()
          .replace(/^mailto:/, '')
          .replace(/\.$/, ''),
      ),
    ),
  ]
}
