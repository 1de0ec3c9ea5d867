/**
 * Changes a field's text as if the person had typed what differs, and puts the caret there. So the browser's
 * Undo takes back this change, then what was typed before; a value that's set from outside empties its history. The field
 * gets the focus, and its handlers hear of the change.
 */
export function typeInto(field: HTMLTextAreaElement | HTMLInputElement, text: string, caret: number): void {
  const { from, to, words } = difference(field.value, text)
  field.focus()
  field.setSelectionRange(from, to)
  if (field.value !== text) type(words)
  // without the focus, or where a browser no longer has the command
  if (field.value !== text) {
    field.setRangeText(text, 0, field.value.length, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field.setSelectionRange(caret, caret)
}

function type(words: string): void {
  // deprecated, and still the only way into a field's history
  // oxlint-disable-next-line typescript/no-deprecated
  document.execCommand(words === '' ? 'delete' : 'insertText', false, words)
}

/** The one part of a text that becomes another: its place in the text before, and the words there. Characters stay whole. */
export function difference(before: string, after: string): { from: number; to: number; words: string } {
  const most = Math.min(before.length, after.length)
  let same = 0
  while (same < most && before[same] === after[same]) same += 1
  if (isFirstHalf(before.charCodeAt(same - 1))) same -= 1
  let end = 0
  while (end < most - same && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  if (end > 0 && isSecondHalf(before.charCodeAt(before.length - end))) end -= 1
  return { from: same, to: before.length - end, words: after.slice(same, after.length - end) }
}

const isFirstHalf = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff
const isSecondHalf = (unit: number): boolean => unit >= 0xdc_00 && unit <= 0xdf_ff
