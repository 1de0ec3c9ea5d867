import { memo, useDeferredValue } from 'react'
import { useCards, useComposer, useComposerState, useVersion } from '#web/features/compose/ComposerContext.ts'
import type { Doc } from '#web/features/compose/doc.ts'
import { Previews } from '#web/features/compose/Previews.tsx'
import { PostPreview } from '#web/features/posts/preview/PostPreview.tsx'
import { useComposerFiles } from './FilesContext.tsx'
import { previewOf } from './previewOf.ts'

/** How the post will look on each channel. Text is drawn where it's typed first, and here right after. */
export function PostPreviews() {
  return <PreviewsOf doc={useDeferredValue(useComposerState(({ doc }) => doc))} />
}

const PreviewsOf = memo(function PreviewsOf({ doc }: { doc: Doc }) {
  const { ids, channels } = useComposer()
  const { chosen, channelId } = useVersion()
  const files = useComposerFiles()
  const cardState = useCards()
  return (
    <Previews
      channels={chosen}
      active={channelId}
      noneYet={
        channels.length === 0
          ? "You'll see a preview here once a channel is connected."
          : 'Choose a channel to preview the post.'
      }
      render={(channel) => (
        <PostPreview post={previewOf({ ids, doc, files, cardOf: (text) => cardState(text).card }, channel)} />
      )}
    />
  )
})
