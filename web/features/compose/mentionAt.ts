/** What is being typed after an @ right before the caret, if anything; `from` is the position of the @. */
export function mentionAt(text: string, caret: number): { from: number; words: string } | undefined {
  const before = text.slice(0, caret)
  const from = before.lastIndexOf('@')
  // an email address mentions nobody
  if (from < 0 || /[\p{L}\p{N}_]/u.test(before.charAt(from - 1))) return undefined
  const words = before.slice(from + 1)
  return words === '' || words.length > 40 || /\s/.test(words) ? undefined : { from, words }
}

/** The text with the person's name in place of what was typed, and the caret after it. */
export function withMention(
  text: string,
  caret: number,
  from: number,
  insert: string,
): { text: string; caret: number } {
  const start = `${text.slice(0, from)}${insert} `
  return { text: start + text.slice(caret).replace(/^ /, ''), caret: start.length }
}
