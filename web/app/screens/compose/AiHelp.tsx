import { lazy, Suspense } from 'react'
import Sparkles from 'lucide-react/icons/sparkles'
import { AltTextHelp } from '#web/features/aiHelp/AltTextHelp.tsx'
import type { HelpTarget } from '#web/features/aiHelp/AiHelpPanel.tsx'
import { postTypeFor } from '#web/features/compose/checks.ts'
import { useComposer, useComposerState, useItems, useVersion } from '#web/features/compose/ComposerContext.ts'
import type { Item } from '#web/features/compose/doc.ts'
import { takeSuggestion, undoable } from '#web/features/compose/undoable.ts'
import { fieldOf, useInsert } from '#web/features/compose/useInsert.ts'
import type { Attachment } from '#web/features/media/attachments.ts'
import { useHome } from '#web/lib/project.ts'
import { typeInto } from '#web/lib/typeInto.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { useComposerFiles } from './FilesContext.tsx'

const AiHelpPanel = lazy(() => import('#web/features/aiHelp/AiHelpPanel.tsx'))

/** Not known yet counts as set up: the call says otherwise. */
const useIsSetUp = (): boolean => useHome().data?.capabilities.ai ?? true

/** The channels that publish this text; before a channel is chosen there are none. */
function useTargets(): HelpTarget[] {
  const { sharing } = useVersion()
  const variants = useComposerState(({ doc }) => doc.variants)
  return sharing.map((channel) => ({
    channelId: channel.channelId,
    postType: postTypeFor(channel, variants[channel.channelId]?.postType),
  }))
}

/** Opens and closes the AI help of an item. */
export function AiHelpButton({ itemKey }: { itemKey: string }) {
  const { store } = useComposer()
  const isOpen = useComposerState(({ view }) => view.aiHelp === itemKey)
  if (!useIsSetUp()) return null
  return (
    <IconButton
      label="AI help"
      icon={<Sparkles size={17} />}
      aria-expanded={isOpen}
      onClick={() => store.dispatch({ type: 'aiHelpShown', key: isOpen ? undefined : itemKey })}
    />
  )
}

/** The AI help of an item, where it is open. */
export function AiHelp({ itemKey }: { itemKey: string }) {
  const isOpen = useComposerState(({ view }) => view.aiHelp === itemKey)
  const isSetUp = useIsSetUp()
  const items = useItems()
  const place = items.findIndex(({ key }) => key === itemKey)
  const item = items[place]
  return isOpen && isSetUp && item ? (
    <Contained>
      <Suspense
        fallback={
          <Skeletons>
            <Skeleton className="h-28 w-full" />
          </Skeletons>
        }
      >
        <OpenHelp item={item} place={place} />
      </Suspense>
    </Contained>
  ) : null
}

function OpenHelp({ item, place }: { item: Item; place: number }) {
  const { store, ids } = useComposer()
  const { chosen, scope } = useVersion()
  const targets = useTargets()
  const insert = useInsert(item.key)
  const close = () => {
    store.dispatch({ type: 'aiHelpShown', key: undefined })
    requestAnimationFrame(() => fieldOf(item.key)?.focus())
  }
  return (
    <AiHelpPanel
      ids={ids}
      text={item.text}
      targets={targets}
      onClose={close}
      onReplace={(kind, text) => {
        const undo = takeSuggestion(store, kind, place, [{ at: scope, text }], () => {
          const field = fieldOf(item.key)
          if (field) typeInto(field, text, text.length)
        })
        close()
        undoable('Text replaced', undo, 'ai-help')
      }}
      onInsert={(kind, words) => {
        insert(item.text === '' || /\s$/.test(item.text) ? words : ` ${words}`)
        store.dispatch({ type: 'aiHelped', at: scope, kind })
        store.dispatch({ type: 'aiHelpShown', key: undefined })
      }}
      onAdapt={(suggestions) => {
        const texts = suggestions.flatMap(({ channelIds, text }) => channelIds.map((at) => ({ at, text })))
        // a single channel has no version besides the shared one
        const own = chosen.length > 1 ? texts : texts.map(({ text }) => ({ at: scope, text }))
        const undo = takeSuggestion(store, 'adapt', place, own)
        undoable(
          texts.length === 1 ? 'Text adapted' : `${texts.length} channels now have their own text`,
          undo,
          'ai-help',
        )
      }}
      channelsOf={(channelIds) =>
        chosen
          .filter(({ channelId }) => channelIds.includes(channelId))
          .map((channel) => (
            <span key={channel.channelId} className="flex min-w-0 items-center gap-1.5">
              <PlatformIcon platform={channel.platformName} size={16} named />
              <span dir="auto" className="truncate">
                {channel.channelName}
              </span>
            </span>
          ))
      }
    />
  )
}

/** Suggests alternative text for a picture of an item. */
export function AltHelp({ itemKey, file, name }: { itemKey: string; file: Attachment; name: string }) {
  const { store, ids } = useComposer()
  const { scope: at } = useVersion()
  const { describe } = useComposerFiles()
  const item = useItems().find(({ key }) => key === itemKey)
  const targets = useTargets()
  const isImage = file.state === 'ready' && file.contentType.startsWith('image/')
  if (!useIsSetUp() || !item || file.assetId === undefined || !isImage) return null
  return (
    <AltTextHelp
      ids={ids}
      assetId={file.assetId}
      name={name}
      text={item.text}
      targets={targets}
      onTake={(altText) => {
        describe(file.key, altText)
        store.dispatch({ type: 'aiHelped', at, kind: 'altText' })
      }}
    />
  )
}
