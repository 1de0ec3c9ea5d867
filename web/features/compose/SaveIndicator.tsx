import { clsx } from 'clsx'
import Check from 'lucide-react/icons/check'
import CloudOff from 'lucide-react/icons/cloud-off'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Spinner } from '#web/ui/Spinner.tsx'
import { useComposerState } from './ComposerContext.ts'
import type { SaveState } from './draftSaver.ts'

/** Where the draft is: on the server, on its way, or only in this browser. */
export function SaveIndicator() {
  const kind = useComposerState(({ saving }) => saving.kind)
  const look = looks[kind]
  if (!look) return null
  return (
    <span role="status" data-save-state={kind} className={clsx('flex items-center gap-1.5 text-sm', look.tone)}>
      {look.icon}
      {look.words}
    </span>
  )
}

const saving = { icon: <Spinner size={13} />, words: 'Saving', tone: 'text-ink-muted' }
const looks: Record<SaveState['kind'], typeof saving | undefined> = {
  new: undefined,
  waiting: saving,
  saving,
  saved: { icon: <Check size={14} aria-hidden className="text-ok" />, words: 'Saved', tone: 'text-ink-muted' },
  offline: {
    icon: <CloudOff size={14} aria-hidden />,
    words: "You're offline. Saved in this browser until you're back online",
    tone: 'text-wait',
  },
  changedElsewhere: { icon: <TriangleAlert size={14} aria-hidden />, words: 'Changed elsewhere', tone: 'text-wait' },
  submitted: { icon: <TriangleAlert size={14} aria-hidden />, words: 'Already submitted', tone: 'text-wait' },
  refused: { icon: <TriangleAlert size={14} aria-hidden />, words: 'Not saved', tone: 'text-bad' },
}
