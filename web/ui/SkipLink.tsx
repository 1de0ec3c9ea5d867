/**
 * The first stop of a page whose content is behind many others, such as filters and links to its sections: moves the focus past them.
 * Seen while it has the focus. The target has `tabIndex={-1}`.
 */
export function SkipLink({ to, children }: { /** The id of the target. */ to: string; children: string }) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        // the address stays that of the page
        event.preventDefault()
        const target = document.getElementById(to)
        target?.focus({ preventScroll: true })
        target?.scrollIntoView({ block: 'start' })
      }}
      className="sr-only rounded-md bg-ink font-semibold text-canvas focus:not-sr-only focus:px-3 focus:py-1.5"
    >
      {children}
    </a>
  )
}
