import { toast as sonner } from 'sonner'
import { TOAST } from '#contract/constants.ts'

type Action = { label: string; onClick: () => void }

/** Short words at the bottom left about what happened. The same text is never shown twice at once. */
export const toast = {
  success: (message: string, options: { action?: Action; id?: string } = {}) => {
    sonner.success(message, { id: options.id ?? message, duration: options.action ? TOAST.withAction : TOAST.success, ...actionOf(options.action) })
  },
  error: (message: string, options: { action?: Action; id?: string } = {}) => {
    sonner.error(message, { id: options.id ?? message, duration: options.action ? TOAST.withAction : TOAST.error, ...actionOf(options.action) })
  },
  warning: (message: string, options: { action?: Action; id?: string } = {}) => {
    sonner.warning(message, { id: options.id ?? message, duration: options.action ? TOAST.withAction : TOAST.warning, ...actionOf(options.action) })
  },
  /** Done at once, and undone for 10 seconds. Closing it early counts as agreeing. */
  undo: (message: string, onUndo: () => void, options: { id?: string; label?: string } = {}) => {
    sonner.success(message, { id: options.id ?? message, duration: TOAST.withAction, ...actionOf({ label: options.label ?? 'Undo', onClick: onUndo }) })
  },
  dismiss: (id?: string) => {
    sonner.dismiss(id)
  },
}

function actionOf(action: Action | undefined) {
  return action ? { action: { label: action.label, onClick: () => action.onClick() } } : {}
}
