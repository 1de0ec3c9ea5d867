/** Everything that says that something is wrong, in the order of the page. */
const TROUBLE = '#channels-error, [aria-invalid=true], [data-trouble], [role=alert]'

/** Brings the first thing that has to be mended into sight, and the focus to it. Call it once what is wrong is drawn. */
export function showTrouble(context: HTMLElement | null): void {
  const first = [...(context?.querySelectorAll<HTMLElement>(TROUBLE) ?? [])].find((one) => one.checkVisibility())
  if (!first) return
  const field = first.id === 'channels-error' ? context?.querySelector<HTMLElement>('fieldset input:enabled') : first
  first.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
  // a sentence takes no focus, the first thing beside it does
  if (field && document.activeElement !== field)
    (
      field.parentElement?.querySelector<HTMLElement>(
        'button:enabled, input:enabled, select:enabled, textarea:enabled',
      ) ?? undefined
    )?.focus({ preventScroll: true })
}
