import { useCommands, useComposer, useComposerState } from '#web/features/compose/ComposerContext.ts'
import { bytes } from '#web/lib/format.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useComposerFiles } from './FilesContext.tsx'
import { missingOf } from './missingFiles.ts'
import { SubmittedNote } from './SubmittedNote.tsx'

/** What should be known before someone continues writing. */
export function ComposerNotices() {
  const { store, ids, postId, edited, liveOn } = useComposer()
  const { dropUnsaved, keepAsNew } = useCommands()
  const { restored, filesGone, filesUnfinished } = useComposerState(({ notices }) => notices)
  const saving = useComposerState((state) => state.saving)
  const isMore = useComposerState(({ doc }) => doc.items.length > 1 || doc.firstComment !== '')
  const missing = missingOf(filesUnfinished, useComposerFiles().list)
  const dismiss = (notice: 'restored' | 'filesGone' | 'filesUnfinished') => () =>
    store.dispatch({ type: 'noticeDismissed', notice })
  return (
    <>
      {restored ? (
        <Banner
          tone="info"
          title="We restored your unsaved changes."
          actions={
            edited ? (
              <Button size="s" onClick={dropUnsaved}>
                Use the saved version
              </Button>
            ) : undefined
          }
          onDismiss={dismiss('restored')}
        >
          They hadn't been saved to the server yet.
        </Banner>
      ) : null}
      {filesGone > 0 ? (
        <Banner
          tone="wait"
          title={filesGone === 1 ? 'A file in this post was deleted.' : `${filesGone} files in this post were deleted.`}
          onDismiss={dismiss('filesGone')}
        >
          The post no longer includes {filesGone === 1 ? 'it' : 'them'}.
        </Banner>
      ) : null}
      {missing.length > 0 ? (
        <Banner
          tone="wait"
          title={missing.length === 1 ? 'A file wasn’t uploaded.' : `${missing.length} files weren’t uploaded.`}
          onDismiss={dismiss('filesUnfinished')}
        >
          You closed the composer while uploading{' '}
          {missing.map(({ fileName, bytes: size }) => `${fileName} (${bytes(size)})`).join(', ')}. Attach{' '}
          {missing.length === 1 ? 'it' : 'them'} again.
        </Banner>
      ) : null}
      {saving.kind === 'submitted' ? (
        <SubmittedNote ids={ids} draftId={postId} status={saving.status} live onKeepAsNew={keepAsNew}>
          What you typed here after that isn’t part of it. It’s kept in this browser.
        </SubmittedNote>
      ) : null}
      {saving.kind === 'refused' ? (
        <Banner tone="bad" live title="We can't save this draft anymore.">
          {saving.reason} Your text is still here. Copy it or publish it.
        </Banner>
      ) : null}
      {liveOn === undefined ? null : (
        <Banner tone="info" title={`This post is live on ${liveOn}. Saving changes it there.`}>
          {isMore ? "Its time, the rest of its thread and its first comment don't change." : "Its time doesn't change."}
        </Banner>
      )}
    </>
  )
}
