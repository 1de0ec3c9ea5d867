import type { AiHelpKind } from '#contract/aiHelp.ts'
import { toast } from '#web/ui/toast.ts'
import type { ComposerAction } from './composerReducer.ts'
import type { ComposerStore } from './composerStore.ts'
import type { Scope } from './doc.ts'
import { ownTextOf, type OwnText } from './textUndo.ts'

/** Undoes a change of text where it's unchanged since; false if there was nothing left to undo. */
type Undo = () => boolean

/** Says that text was changed and offers to undo it; what was written since stays, and a toast says so. */
export function undoable(said: string, undo: Undo, id?: string): void {
  toast.undo(
    said,
    () => (undo() ? undefined : toast.warning("The text has changed since, so we didn't touch it.")),
    id === undefined ? {} : { id },
  )
}

/**
 * Accepts text that AI suggested for the item at that position, for all channels or some. `type` puts it into its field
 * first, where it's on screen.
 */
export function takeSuggestion(
  store: ComposerStore,
  kind: AiHelpKind,
  place: number,
  texts: readonly { at: Scope; text: string }[],
  type?: () => void,
): Undo {
  const before = store.state().doc
  type?.()
  store.dispatch({ type: 'suggestionTaken', kind, place, texts })
  const suggestion = { kind, place, scopes: texts.map(({ at }) => at), before, after: store.state().doc }
  return () => changesText(store, { type: 'suggestionUndone', suggestion })
}

/** Gives channels the same text of their own, or with undefined parts the shared one again. */
export function giveText(store: ComposerStore, channelIds: readonly string[], given: OwnText): Undo {
  const before = new Map(channelIds.map((of) => [of, ownTextOf(store.state().doc, of)]))
  store.dispatch({ type: 'textGiven', channelIds, text: given })
  return () => changesText(store, { type: 'textGivenUndone', before, given })
}

function changesText(store: ComposerStore, action: ComposerAction): boolean {
  const before = store.state().doc
  store.dispatch(action)
  return store.state().doc !== before
}
