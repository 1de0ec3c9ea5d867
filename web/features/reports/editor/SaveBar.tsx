import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { count } from '#web/lib/format.ts'
import { Button } from '#web/ui/Button.tsx'
import { differences, editedOf, wordsOf } from './edited.ts'
import type { ReportEditing } from './useReportEditor.ts'

/** What isn't saved yet, and the choice if someone else saved meanwhile. */
export function SaveBar({ editing }: { editing: ReportEditing }) {
  const { state, dispatch, unsaved, problems, saving, save, showProblem } = editing
  if (unsaved.length === 0) return null
  const { newer, saved } = state
  return (
    <div className="sticky bottom-3 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-raised px-3.5 py-2.5 shadow-2 max-md:bottom-[calc(64px+env(safe-area-inset-bottom))]">
      {newer ? (
        <>
          <div role="alert" className="min-w-0 grow basis-60">
            <p className="font-semibold">This report was changed by someone else</p>
            <p className="text-sm text-pretty text-ink-muted">
              They, or another tab of yours, saved {wordsOf(differences(editedOf(saved), editedOf(newer))) || 'it'}. You
              changed {wordsOf(unsaved)}.
            </p>
          </div>
          <div className="ml-auto flex flex-wrap gap-2">
            <Button onClick={() => dispatch({ type: 'theirsTaken' })}>Use the other version</Button>
            <Button tone="primary" onClick={() => dispatch({ type: 'mineKept' })}>
              Keep my changes
            </Button>
          </div>
        </>
      ) : (
        <>
          <p role="status" className="min-w-0 grow basis-32">
            <span className="font-semibold">Unsaved:</span> {wordsOf(unsaved)}
          </p>
          {problems.size > 0 ? (
            <button
              type="button"
              onClick={showProblem}
              className="flex min-h-6 items-center gap-1.5 rounded-sm text-sm font-semibold text-bad underline-offset-2 hover:underline"
            >
              <TriangleAlert size={14} aria-hidden />
              {count(problems.size, 'field')} to correct
            </button>
          ) : null}
          <div className="ml-auto flex gap-2">
            <Button disabled={saving} onClick={() => dispatch({ type: 'discarded' })}>
              Discard
            </Button>
            <Button tone="primary" loading={saving} onClick={save} aria-keyshortcuts="Control+S Meta+S">
              Save
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
