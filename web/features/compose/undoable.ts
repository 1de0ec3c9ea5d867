import { toast } from '#web/ui/toast.ts'
import type { WayBack } from './useComposer.ts'

/** Says that words were changed and offers the way back; what was written since stays, and that is said too. */
export function undoable(said: string, back: WayBack, id?: string): void {
  toast.undo(
    said,
    () => (back() ? undefined : toast.warning("The text has changed since, so we didn't touch it.")),
    id === undefined ? {} : { id },
  )
}
