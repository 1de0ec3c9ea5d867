import { toast } from '#web/ui/toast.ts'

/** Undoes a change of text where it is still as it was changed; false when there was nothing left to undo. */
export type Undo = () => boolean

/** Says that words were changed and offers the way back; what was written since stays, and that is said too. */
export function undoable(said: string, undo: Undo, id?: string): void {
  toast.undo(
    said,
    () => (undo() ? undefined : toast.warning("The text has changed since, so we didn't touch it.")),
    id === undefined ? {} : { id },
  )
}
