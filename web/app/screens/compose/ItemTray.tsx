import { lazy, memo, Suspense } from 'react'
import { useComposer, useComposerState, useItems, useVersion } from '#web/features/compose/ComposerContext.ts'
import { itemsFor } from '#web/features/compose/doc.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { AiHelp, AltHelp } from './AiHelp.tsx'
import { useComposerFiles } from './FilesContext.tsx'

const FilesTray = lazy(() => import('./FilesTray.tsx').then((file) => ({ default: file.FilesTray })))
const none: readonly string[] = []

/** What is below the text of an item: its AI help, and its files. */
export const ItemTray = memo(function ItemTray({ itemKey }: { itemKey: string }) {
  const { scope, channelId } = useVersion()
  const media = useComposerState(
    ({ doc }) => itemsFor(doc, channelId).find(({ key }) => key === itemKey)?.media ?? none,
  )
  const files = useComposerFiles()
  const attachments = files.of({ key: itemKey, media }, scope)
  return (
    <>
      <AiHelp itemKey={itemKey} />
      <RefusedFiles itemKey={itemKey} />
      {attachments.list.length + attachments.opening.length > 0 ? (
        <Contained>
          <Suspense fallback={<Progress label="Reading the file" />}>
            <FilesTray
              attachments={attachments}
              check={files.check}
              fitFor={files.fitFor}
              altTaken={files.altTaken}
              altMost={files.altMost}
              thumbnails={files.thumbnails}
              help={(file, name) => <AltHelp itemKey={itemKey} file={file} name={name} />}
            />
          </Suspense>
        </Contained>
      ) : null}
    </>
  )
})

/** Why files weren't attached, at the item that they were meant for: the one that was written in last. */
function RefusedFiles({ itemKey }: { itemKey: string }) {
  const { store } = useComposer()
  const refused = useComposerState(({ notices }) => notices.filesRefused)
  const active = useComposerState(({ view }) => view.item)
  const items = useItems()
  const target = items.find(({ key }) => key === active) ?? items[0]
  if (target?.key !== itemKey || refused.length === 0) return null
  return (
    <Banner
      tone="wait"
      live
      title={refused.length === 1 ? "A file wasn't attached." : `${refused.length} files weren't attached.`}
      onDismiss={() => store.dispatch({ type: 'noticeDismissed', notice: 'filesRefused' })}
    >
      <ul>
        {refused.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Banner>
  )
}
