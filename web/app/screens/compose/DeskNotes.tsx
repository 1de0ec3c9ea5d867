import { useState } from 'react'
import type { Doc } from '#web/features/compose/doc.ts'
import type { SaveState } from '#web/features/compose/draftSaver.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { UnfinishedUpload } from '#contract/drafts.ts'
import { bytes } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { SubmittedNote } from './SubmittedNote.tsx'
import type { Session } from './useSession.ts'

type Props = {
  ids: ProjectIds
  session: Session
  /** Files whose upload had not ended when the draft was saved. */ missing: readonly UnfinishedUpload[]
  onForgetMissing: () => void
  state: SaveState
  doc: Doc
  /** Where a published post is changed. */ liveOn: string | undefined
  /** Lets the words of this browser go. */ onTakeSaved: () => void
  /** Goes on with the words of this browser in a new draft. */ onKeepAsNew: () => void
}

/** What should be known before one goes on writing. */
export function DeskNotes({
  ids,
  session,
  missing,
  onForgetMissing,
  state,
  doc,
  liveOn,
  onTakeSaved,
  onKeepAsNew,
}: Props) {
  const [restored, setRestored] = useState(session.restored)
  const [gone, setGone] = useState(session.gone)
  return (
    <>
      {restored ? (
        <Banner
          tone="info"
          title="We restored your unsaved changes."
          actions={
            session.editing ? (
              <Button size="s" onClick={onTakeSaved}>
                Use the saved version
              </Button>
            ) : undefined
          }
          onDismiss={() => setRestored(false)}
        >
          They hadn't been saved to the server yet.
        </Banner>
      ) : null}
      {gone > 0 ? (
        <Banner
          tone="wait"
          title={gone === 1 ? 'A file in this post was deleted.' : `${gone} files in this post were deleted.`}
          onDismiss={() => setGone(0)}
        >
          The post no longer includes {gone === 1 ? 'it' : 'them'}.
        </Banner>
      ) : null}
      {missing.length > 0 ? (
        <Banner
          tone="wait"
          title={missing.length === 1 ? 'A file wasn’t uploaded.' : `${missing.length} files weren’t uploaded.`}
          onDismiss={onForgetMissing}
        >
          You closed the composer while uploading{' '}
          {missing.map(({ fileName, bytes: size }) => `${fileName} (${bytes(size)})`).join(', ')}. Attach{' '}
          {missing.length === 1 ? 'it' : 'them'} again.
        </Banner>
      ) : null}
      {state.kind === 'submitted' ? (
        <SubmittedNote ids={ids} draftId={session.id} status={state.status} live onKeepAsNew={onKeepAsNew}>
          What you typed here after that isn’t part of it. It’s kept in this browser.
        </SubmittedNote>
      ) : null}
      {state.kind === 'refused' ? (
        <Banner tone="bad" live title="We can't save this draft anymore.">
          {state.reason} Your text is still here. Copy it or publish it.
        </Banner>
      ) : null}
      {liveOn === undefined ? null : (
        <Banner tone="info" title={`This post is live on ${liveOn}. Saving changes it there.`}>
          {doc.items.length > 1 || doc.firstComment
            ? "Its time, the rest of its thread and its first comment don't change."
            : "Its time doesn't change."}
        </Banner>
      )}
    </>
  )
}
