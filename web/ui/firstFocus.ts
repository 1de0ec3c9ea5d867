/** Links come last: a dialog with nothing else still has a better start than its Close button. */
const FIELD =
  'input:enabled:not([type=hidden]), select:enabled, textarea:enabled, button:enabled:not([data-close]), [tabindex="0"]'
const firstOf = (dialog: HTMLElement): HTMLElement | null =>
  dialog.querySelector<HTMLElement>(FIELD) ?? dialog.querySelector<HTMLElement>('a[href]')

/**
 * When a dialog opens: if it has no field or button yet except Close, such as while it's loading, the dialog has the
 * focus and passes it on once there is one, unless the person moved on in the meantime.
 */
export function focusFirst(event: Event): void {
  const dialog = event.currentTarget
  // Radix finds the first field itself
  if (!(dialog instanceof HTMLElement) || dialog.querySelector(FIELD)) return
  event.preventDefault()
  const link = firstOf(dialog)
  if (link) return link.focus()
  dialog.focus()
  const arrived = new MutationObserver(() => {
    const first = firstOf(dialog)
    const isWaiting = dialog.isConnected && document.activeElement === dialog
    if (first && isWaiting) first.focus()
    if (first || !isWaiting) arrived.disconnect()
  })
  arrived.observe(dialog, { childList: true, subtree: true })
}
