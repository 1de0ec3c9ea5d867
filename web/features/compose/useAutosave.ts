import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { saveDraft, type DraftBody } from '#contract/drafts.ts'
import { draftQuery, postStatistics } from '#contract/postLists.ts'
import { useSend } from '#web/lib/queries.ts'
import { useComposer } from './ComposerContext.ts'
import { isWorthSaving } from './draftDoc.ts'
import { createDraftSaver, noteLastSave, type DraftSaver } from './draftSaver.ts'
import { keepCopy, type CopyPlace } from './localCopies.ts'

type Options = {
  place: CopyPlace
  /** The key of this browser's copy. */
  copyName: string
  version: number
  savedAt: string | undefined
  /** The server's version, as it was read; a difference from it is a change. */
  known: DraftBody | undefined
  current: DraftBody
  /** The draft gets its first words and its URL. */
  onBegun: () => void
}

/**
 * Keeps the draft on the server up to date, and in this browser until it's saved. An edited post only has this
 * browser's copy.
 */
export function useAutosave({ place, copyName, version, savedAt, known, current, onBegun }: Options): DraftSaver {
  const { store, ids, postId, edited } = useComposer()
  // the composer itself shows the state of saving
  const { mutateAsync } = useSend(saveDraft, { handles: true, refreshes: [draftQuery, postStatistics] })
  // a draft keeps its saver as long as it's open
  const [saver] = useState(() =>
    createDraftSaver(
      {
        save: (from, draft) => mutateAsync({ params: { ...ids, postId }, body: { version: from, draft } }),
        keep: (copy) => keepCopy(place, copyName, copy),
        after: (milliseconds, run) => {
          const timer = setTimeout(run, milliseconds)
          return () => clearTimeout(timer)
        },
        onChange: (saving) => store.dispatch({ type: 'saveChanged', saving }),
      },
      { version, savedAt },
    ),
  )

  const text = JSON.stringify(current)
  const last = useRef(known ? JSON.stringify(known) : undefined)
  const save = useEffectEvent((next: string) => {
    if (next === last.current) return
    if (last.current === undefined && !isWorthSaving(current)) return
    if (last.current === undefined && !edited) onBegun()
    last.current = next
    // the same as on the server needs no copy
    if (edited)
      keepCopy(place, copyName, known && next === JSON.stringify(known) ? undefined : { version, draft: current })
    else saver.change(current)
  })
  useEffect(() => save(text), [text])

  useEffect(() => {
    saver.enter()
    const flush = () => void saver.flush()
    const onHide = () => (document.visibilityState === 'hidden' ? flush() : undefined)
    window.addEventListener('online', flush)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      window.removeEventListener('online', flush)
      document.removeEventListener('visibilitychange', onHide)
      noteLastSave(postId, saver.leave())
    }
  }, [saver, postId])

  return saver
}
