import type { toast as Sonner } from 'sonner'
import { TOAST } from '#contract/constants.ts'

type Action = { label: string; onClick: () => void }
type Options = { action?: Action; id?: string }

// the place of toasts arrives after the first screen; what is said before waits for it
let arrived: (sonner: typeof Sonner) => void
const place = new Promise<typeof Sonner>((resolve) => {
  arrived = resolve
})

/** Called by the Toaster once it is on the page. */
export function toasterArrived(sonner: typeof Sonner): void {
  arrived(sonner)
}

const say = (kind: 'success' | 'error' | 'warning') => (message: string, options: Options = {}) => {
  void place.then((sonner) =>
    sonner[kind](message, { id: options.id ?? message, duration: options.action ? TOAST.withAction : TOAST[kind], ...actionOf(options.action) }),
  )
}

/** Short words at the bottom left about what happened. The same text is never shown twice at once. */
export const toast = {
  success: say('success'),
  error: say('error'),
  warning: say('warning'),
  /** Done at once, and undone for 10 seconds. Closing it early counts as agreeing. */
  undo: (message: string, onUndo: () => void, options: { id?: string; label?: string } = {}) => {
    say('success')(message, { ...(options.id ? { id: options.id } : {}), action: { label: options.label ?? 'Undo', onClick: onUndo } })
  },
  dismiss: (id?: string) => {
    void place.then((sonner) => sonner.dismiss(id))
  },
}

function actionOf(action: Action | undefined) {
  return action ? { action: { label: action.label, onClick: () => action.onClick() } } : {}
}
