import { useRouter } from '@tanstack/react-router'
import { useLayoutEffect, useRef, useState } from 'react'
import type { DraftBody } from '#contract/drafts.ts'
import { useComposer, useOptions, type Commands } from '#web/features/compose/ComposerContext.ts'
import type { DraftSaver } from '#web/features/compose/draftSaver.ts'
import { keepCopy, type CopyPlace } from '#web/features/compose/localCopies.ts'
import { publishedNow } from '#web/features/compose/submission.ts'
import { newId } from '#web/lib/newId.ts'
import { toast } from '#web/ui/toast.ts'

type Options = {
  submit: (overVersion?: number) => Promise<void>
  /**
   * Whether submitting would only show problems, of what is written at this moment: the shown ones follow what is typed after a
   * pause, so a post whose last problem was just solved would be published without the question.
   */
  isBroken: () => boolean
  saver: DraftSaver
  /** What would be saved now. */
  current: DraftBody
  place: CopyPlace
  copyName: string
  /** Opens the composer again with what the server has. */
  onReload: () => void
}

/** What a person can do with the post as a whole. The object stays the same; each of its functions works with what is written by then. */
export function useComposerCommands({
  submit,
  isBroken,
  saver,
  current,
  place,
  copyName,
  onReload,
}: Options): Commands {
  const { store, ids: params, channels, edited } = useComposer()
  const { mode, readiness } = useOptions()
  const router = useRouter()

  const dropUnsaved = () => {
    keepCopy(place, copyName, undefined)
    onReload()
  }
  /** By the button and by the keys alike: only in a way that is known. */
  const submitNow = () => {
    if (readiness === 'known' && mode !== 'draft' && store.state().saving.kind !== 'submitted') void submit()
  }
  const keepDraft = async () => {
    await saver.flush()
    const { kind } = saver.state()
    if (kind === 'offline') return toast.error("We couldn't save the draft. Your text is kept in this browser.")
    // the banner or the dialog says why
    if (kind !== 'saved') return store.dispatch({ type: 'problemsShown' })
    toast.success('Draft saved')
    void router.navigate({ to: '/$orgId/project/$projectId/posts/$tab', params: { ...params, tab: 'draft' } })
  }

  const commands: Commands = {
    submit: submitNow,
    submitByKeys: () => {
      const { doc, sending } = store.state()
      const { chosen } = store.version(channels)
      const asks = !edited && mode === 'publish' && publishedNow(doc, chosen).length > 0
      if (asks && !isBroken() && sending.phase === 'writing') store.dispatch({ type: 'confirmationAsked' })
      else submitNow()
    },
    keepMine: (theirVersion) => (edited ? void submit(theirVersion) : void saver.overwrite(theirVersion, current)),
    takeTheirs: (theirVersion, savedAt) => {
      saver.accept(theirVersion, savedAt)
      dropUnsaved()
    },
    dropUnsaved,
    keepAsNew: () => {
      const id = newId()
      keepCopy(place, id, { version: 0, draft: current })
      keepCopy(place, copyName, undefined)
      void router.navigate({ to: '/$orgId/project/$projectId/compose', params, search: { draft: id } })
    },
    keepDraft: () => void keepDraft(),
  }
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  const [stable] = useState((): Commands => ({
    submit: () => latest.current.submit(),
    submitByKeys: () => latest.current.submitByKeys(),
    keepMine: (theirVersion) => latest.current.keepMine(theirVersion),
    takeTheirs: (theirVersion, savedAt) => latest.current.takeTheirs(theirVersion, savedAt),
    dropUnsaved: () => latest.current.dropUnsaved(),
    keepAsNew: () => latest.current.keepAsNew(),
    keepDraft: () => latest.current.keepDraft(),
  }))
  return stable
}
