/** The text with the words where the caret of the field stands, and the place right after them. */
export function insertAt(
  text: string,
  field: HTMLTextAreaElement | null,
  words: string,
): { text: string; caret: number } {
  const start = field ? field.selectionStart : text.length
  const end = field ? field.selectionEnd : text.length
  return { text: text.slice(0, start) + words + text.slice(end), caret: start + words.length }
}
