import { useEffect } from 'react'
import { useComposer, useComposerState } from '#web/features/compose/ComposerContext.ts'

/** Everything that says that something is wrong, in the order of the page. */
const PROBLEMS = '#channels-error, [aria-invalid=true], [data-trouble], [role=alert]'

/** Brings the first problem into view, whenever that was asked for. */
export function useProblemsInView(): void {
  const { rootRef } = useComposer()
  const times = useComposerState(({ view }) => view.problemsShown)
  // an effect, since a refusal of the server is drawn whenever the browser comes to it
  useEffect(() => {
    if (times > 0) showFirstProblem(rootRef.current)
  }, [times, rootRef])
}

/** Brings the first thing that has to be fixed into view, and the focus to it. */
function showFirstProblem(root: HTMLElement | null): void {
  const first = [...(root?.querySelectorAll<HTMLElement>(PROBLEMS) ?? [])].find((one) => one.checkVisibility())
  if (!first) return
  const field = first.id === 'channels-error' ? root?.querySelector<HTMLElement>('fieldset input:enabled') : first
  first.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
  // text can't be focused, so the first control next to it is
  if (field && document.activeElement !== field)
    (
      field.parentElement?.querySelector<HTMLElement>(
        'button:enabled, input:enabled, select:enabled, textarea:enabled',
      ) ?? undefined
    )?.focus({ preventScroll: true })
}
