import { useBlocker } from '@tanstack/react-router'
import { useCommands, useComposer, useComposerState, useVersion } from '#web/features/compose/ComposerContext.ts'
import { ConflictDialog } from '#web/features/compose/ConflictDialog.tsx'
import { publishedNow } from '#web/features/compose/submission.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { useComposerFiles } from './FilesContext.tsx'

/** The questions that a person has to answer before continuing. */
export function ComposerDialogs() {
  return (
    <>
      <ConflictDialog />
      <ConfirmPublish />
      <ConfirmLeaving />
    </>
  )
}

/** Keys are pressed by mistake more easily than a button that says "Publish now". */
function ConfirmPublish() {
  const { store } = useComposer()
  const { submit } = useCommands()
  const { chosen } = useVersion()
  const doc = useComposerState((state) => (state.sending.confirms ? state.doc : undefined))
  const close = () => store.dispatch({ type: 'confirmationAnswered' })
  return (
    <ConfirmDialog
      open={doc !== undefined}
      onOpenChange={close}
      title="Publish now?"
      action="Publish now"
      danger={false}
      isReady
      onConfirm={() => {
        close()
        submit()
      }}
    >
      This publishes to{' '}
      {doc
        ? publishedNow(doc, chosen)
            .map(({ channelName, platformName: key }) => `${channelName} (${platformName(key)})`)
            .join(', ')
        : ''}{' '}
      right away.
    </ConfirmDialog>
  )
}

/** Files that are still being uploaded would have to be attached again. */
function ConfirmLeaving() {
  const { busy } = useComposerFiles()
  const leaving = useBlocker({
    shouldBlockFn: ({ current: from, next }) => busy && from.pathname !== next.pathname,
    enableBeforeUnload: () => busy,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={leaving.status === 'blocked'}
      onOpenChange={(open) => (open ? undefined : leaving.reset?.())}
      title="Leave while files are uploading?"
      action="Leave"
      danger={false}
      onConfirm={() => leaving.proceed?.()}
    >
      Your draft keeps its text. You'll need to attach files again that haven't finished uploading.
    </ConfirmDialog>
  )
}
