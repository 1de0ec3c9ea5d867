export type Mentionable = { userId: string; name: string }

/** What is being typed after an @ right before the caret, if anything; `from` is the position of the @. */
export function mentionAt(text: string, caret: number): { from: number; words: string } | undefined {
  const before = text.slice(0, caret)
  const from = before.lastIndexOf('@')
  if (from < 0 || (from > 0 && /\S/.test(before.charAt(from - 1)))) return undefined
  const words = before.slice(from + 1)
  // a name has few words; a sentence after an @ isn't one
  return /\n/.test(words) || words.split(' ').length > 3 ? undefined : { from, words }
}

/** The people whose names match what was typed, at most eight. */
export function fittingPeople(people: readonly Mentionable[], words: string): Mentionable[] {
  const wanted = words.trim().toLowerCase()
  return people
    .filter(({ name }) =>
      name
        .toLowerCase()
        .split(' ')
        .some((_, i, parts) => parts.slice(i).join(' ').startsWith(wanted)),
    )
    .slice(0, 8)
}

/** The text with the name in place of what was typed, and the new caret position. */
export function withMention(
  text: string,
  caret: number,
  from: number,
  { name }: Mentionable,
): { text: string; caret: number } {
  const start = `${text.slice(0, from)}@${name} `
  return { text: start + text.slice(caret).replace(/^ /, ''), caret: start.length }
}

/** The people whose @name is in the text: the longest name wins if one begins another. */
export function mentionedIn(text: string, people: readonly Mentionable[]): string[] {
  return [...new Set(partsOf(text, people).flatMap((part) => (part.userId ? [part.userId] : [])))]
}

export type TextPart = { text: string; userId?: string }

/** The text split at its mentions. */
export function partsOf(text: string, people: readonly Mentionable[]): TextPart[] {
  const named = people.toSorted((a, b) => b.name.length - a.name.length)
  const parts: TextPart[] = []
  let plain = ''
  for (let at = 0; at < text.length;) {
    const person =
      text[at] === '@'
        ? named.find(
            ({ name }) => text.startsWith(name, at + 1) && !/[\p{L}\p{N}]/u.test(text.charAt(at + 1 + name.length)),
          )
        : undefined
    if (!person) {
      plain += text[at] ?? ''
      at += 1
      continue
    }
    if (plain) parts.push({ text: plain })
    plain = ''
    parts.push({ text: `@${person.name}`, userId: person.userId })
    at += person.name.length + 1
  }
  return plain ? [...parts, { text: plain }] : parts
}
