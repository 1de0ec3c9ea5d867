import { flushSync } from 'react-dom'
import { useComposer, useVersion } from './ComposerContext.ts'
import { itemsFor } from './doc.ts'

/** Returns the current text of an item in the version on screen. */
export function useTextOf(itemKey: string): () => string {
  const { store } = useComposer()
  const { channelId } = useVersion()
  return () => itemsFor(store.state().doc, channelId).find(({ key }) => key === itemKey)?.text ?? ''
}

/** Inserts text at the caret of an item, which is right after it then. */
export function useInsert(itemKey: string): (words: string) => void {
  const { store } = useComposer()
  const { scope: at } = useVersion()
  const textOf = useTextOf(itemKey)
  return (words) => {
    const field = document.querySelector<HTMLTextAreaElement>(`textarea[data-item="${itemKey}"]`)
    const { text, caret } = insertAt(textOf(), field, words)
    flushSync(() => store.dispatch({ type: 'itemChanged', at, key: itemKey, change: { text } }))
    // the panel it came from first returns the focus to its button
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(caret, caret)
    })
  }
}

/** The text with the words inserted at the field's caret, and the position right after them. */
function insertAt(text: string, field: HTMLTextAreaElement | null, words: string): { text: string; caret: number } {
  const start = field ? field.selectionStart : text.length
  const end = field ? field.selectionEnd : text.length
  return { text: text.slice(0, start) + words + text.slice(end), caret: start + words.length }
}
