/**
 * The addresses in a pasted text: separated by commas, semicolons, spaces or line breaks, also as `Name
 * <name@example.org>`. Each once, in lower case, in the order of the text. The form checks whether they are valid.
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
