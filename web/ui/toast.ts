import { useSyncExternalStore } from 'react'
import type { toast as Sonner } from 'sonner'
import { TOAST } from '#contract/constants.ts'

type Action = { label: string; onClick: () => void }
type Options = {
  action?: Action
  id?: string
  /** The right one keeps what is at the left of the page visible. */ side?: 'left' | 'right'
}

// the place for toasts loads on first use; earlier toasts wait for it
let arrived: (sonner: typeof Sonner) => void
const place = new Promise<typeof Sonner>((resolve) => {
  arrived = resolve
})

let wanted = false
const hearers = new Set<() => void>()

/** Loads the place for toasts: the first toast does so, and pages that will show some do so ahead. */
export function wantToaster(): void {
  wanted = true
  for (const hear of hearers) hear()
}

/** Whether the page should have its place for toasts by now. */
export const useToasterWanted = (): boolean =>
  useSyncExternalStore(
    (hear) => {
      hearers.add(hear)
      return () => hearers.delete(hear)
    },
    () => wanted,
  )

/** Called by the Toaster once it's on the page. */
export function toasterArrived(sonner: typeof Sonner): void {
  arrived(sonner)
}

const say =
  (kind: 'success' | 'error' | 'warning') =>
  (message: string, options: Options = {}) => {
    wantToaster()
    void place.then((sonner) =>
      sonner[kind](message, {
        id: options.id ?? message,
        duration: options.action ? TOAST.withAction : TOAST[kind],
        ...(options.side === 'right' && { position: 'bottom-right' as const }),
        ...actionOf(options.action),
      }),
    )
  }

/** Short messages at the bottom left, or where asked for at the right, about what happened. The same text is never shown twice at once. */
export const toast = {
  success: say('success'),
  error: say('error'),
  warning: say('warning'),
  /** Done immediately, and can be undone for 10 seconds. Closing it early counts as agreeing. */
  undo: (message: string, onUndo: () => void, options: { id?: string; label?: string } = {}) => {
    say('success')(message, {
      ...(options.id ? { id: options.id } : {}),
      action: { label: options.label ?? 'Undo', onClick: onUndo },
    })
  },
  dismiss: (id?: string) => {
    void place.then((sonner) => sonner.dismiss(id))
  },
}

function actionOf(action: Action | undefined) {
  return action ? { action: { label: action.label, onClick: () => action.onClick() } } : {}
}
