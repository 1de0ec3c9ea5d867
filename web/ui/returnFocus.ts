import { useRef } from 'react'

/**
 * Returns the focus to where it was before an overlay opened; Radix alone only does that for its own triggers. Spread
 * the two handlers onto the overlay's content.
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      before.current = holder(document.activeElement)
    },
    onCloseAutoFocus: (event: Event) => {
      const element = before.current
      if (!(element instanceof HTMLElement) || !element.isConnected || element === document.body) return
      event.preventDefault()
      element.focus({ preventScroll: true })
    },
  }
}

/** A menu item disappears with its menu: the focus then belongs to the menu's trigger. */
function holder(element: Element | null): Element | null {
  const triggerId = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return triggerId ? document.getElementById(triggerId) : element
}
