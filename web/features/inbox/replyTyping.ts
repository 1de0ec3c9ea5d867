/** What is being typed after a `/` or an `@`: from where on, and the words so far. */
export type Typed = { sign: '/' | '@'; from: number; words: string }

// the sign begins a word, so that addresses and "and/or" open nothing
const PATTERN = /(?:^|\s)(?:(\/)((?:[^\s/][^\n/]{0,40})?)|(@)([^\s@]{0,40}))$/

/** The `/` or `@` that the caret is behind, if any. */
export function typedAt(text: string, caret: number): Typed | undefined {
  const found = PATTERN.exec(text.slice(0, caret))
  if (!found) return undefined
  const [, slash, response = '', , person = ''] = found
  const words = slash ? response : person
  return { sign: slash ? '/' : '@', from: caret - words.length - 1, words }
}

/** The text with something in the place of what was typed, and where the caret is then. */
export function replaced(
  text: string,
  caret: number,
  { from }: Pick<Typed, 'from'>,
  by: string,
): { text: string; caret: number } {
  return { text: text.slice(0, from) + by + text.slice(caret), caret: from + by.length }
}

/** Those whose words begin with each of the words, by name before text. */
export function fittingResponses<R extends { name: string; text: string }>(all: readonly R[], words: string): R[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => {
    const there = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
    return wanted.every((word) => there.some((one) => one.startsWith(word)))
  }
  const byName = all.filter(({ name }) => fits(name))
  return [...byName, ...all.filter((one) => !byName.includes(one) && fits(`${one.name} ${one.text}`))]
}
