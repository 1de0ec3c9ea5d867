import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'
import { count } from '#web/lib/format.ts'
import { differences, editedOf, itemsOf, wordsOf } from './edited.ts'
import { useEditor } from './EditorContext.ts'

type Props = {
  saving: boolean
  /** Fields that keep it from being saved, once someone tried. */ blocked: number
  onShowProblem: () => void
  onSave: () => void
}

/** What isn't saved yet, and the choice if someone else saved meanwhile. Visitors see changes once they're saved. */
export function SaveBar({ saving, blocked, onShowProblem, onSave }: Props) {
  const { state, dispatch } = useEditor()
  const { base, edited, newer, zone } = state
  const unsaved = differences(base, edited)
  if (unsaved.length === 0) return null
  const discard = () => {
    dispatch({ type: 'discarded' })
    toast.undo('Changes discarded', () => dispatch({ type: 'restored', edited }))
  }
  return (
    <div className="sticky bottom-3 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-raised px-3.5 py-2.5 shadow-2 max-md:bottom-[calc(64px+env(safe-area-inset-bottom))]">
      {newer ? (
        <>
          <div role="alert" className="min-w-0 grow basis-60">
            <p className="font-semibold">This page was changed elsewhere</p>
            <p className="text-sm text-pretty text-ink-muted">
              Someone else, or another tab of yours, saved{' '}
              {wordsOf(differences(base, editedOf(newer, zone, itemsOf(base)))) || 'it'}. You changed {wordsOf(unsaved)}
              .
            </p>
          </div>
          <div className="ml-auto flex flex-wrap gap-2">
            <Button
              onClick={() => {
                dispatch({ type: 'theirsTaken' })
                toast.undo('Your changes were discarded', () => dispatch({ type: 'restored', edited }))
              }}
            >
              Use the other version
            </Button>
            <Button tone="primary" onClick={() => dispatch({ type: 'mineKept' })}>
              Keep my changes
            </Button>
          </div>
        </>
      ) : (
        <>
          <p role="status" className="min-w-0 grow basis-40">
            <span className="font-semibold">Unsaved:</span> {wordsOf(unsaved)}
          </p>
          {blocked > 0 ? (
            <button
              type="button"
              onClick={onShowProblem}
              className="flex min-h-6 items-center gap-1.5 rounded-sm text-sm font-semibold text-bad underline-offset-2 hover:underline"
            >
              <TriangleAlert size={14} aria-hidden />
              {count(blocked, 'field')} to correct
            </button>
          ) : null}
          <div className="ml-auto flex gap-2">
            <Button disabled={saving} onClick={discard}>
              Discard
            </Button>
            <Button tone="primary" loading={saving} onClick={onSave} aria-keyshortcuts="Control+Enter Meta+Enter">
              Save
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
