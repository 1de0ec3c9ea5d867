import { typeInto } from '#web/lib/typeInto.ts'
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
    // the panel it came from first returns the focus to its button
    requestAnimationFrame(() => {
      const field = fieldOf(itemKey)
      if (!field) {
        store.dispatch({ type: 'itemChanged', at, key: itemKey, change: { text: textOf() + words } })
        return
      }
      const { value, selectionStart: start, selectionEnd: end } = field
      typeInto(field, value.slice(0, start) + words + value.slice(end), start + words.length)
    })
  }
}

/** The text field of an item, if it's on screen. */
export const fieldOf = (itemKey: string): HTMLTextAreaElement | null =>
  document.querySelector(`textarea[data-item="${itemKey}"]`)
