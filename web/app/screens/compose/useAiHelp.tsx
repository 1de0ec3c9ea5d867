import { lazy, Suspense, useState, type ReactNode } from 'react'
import Sparkles from 'lucide-react/icons/sparkles'
import type { Channel } from '#contract/channels.ts'
import { AltTextHelp } from '#web/features/aiHelp/AltTextHelp.tsx'
import { postTypeFor } from '#web/features/compose/checks.ts'
import type { Item } from '#web/features/compose/doc.ts'
import { undoable } from '#web/features/compose/undoable.ts'
import type { ComposerState } from '#web/features/compose/useComposer.ts'
import type { Attachment } from '#web/features/media/attachments.ts'
import { useHome, type ProjectIds } from '#web/lib/project.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'

const AiHelpPanel = lazy(() => import('#web/features/aiHelp/AiHelpPanel.tsx'))

type Options = {
  ids: ProjectIds
  composer: ComposerState
  /** Puts words where the caret of the item stands. */
  insert: (item: Item, words: string) => void
  describe: (key: string, altText: string) => void
}

/** AI help at the items of a composer: the button of the tools, the panel below the words, words for a picture. */
export function useAiHelp({ ids, composer, insert, describe }: Options) {
  const [open, setOpen] = useState<string>()
  const home = useHome()
  // not known yet counts as set up: the call says otherwise
  const isSetUp = home.data?.capabilities.ai ?? true
  const targetsOf = (channels: readonly Channel[]) =>
    channels.map((channel) => ({
      channelId: channel.channelId,
      postType: postTypeFor(channel, composer.doc.variants[channel.channelId]?.postType),
    }))
  // those that say these words; before a channel is chosen there are none
  const targets = targetsOf(composer.written.filter((channel) => composer.chosen.includes(channel)))
  const focus = (item: Item) =>
    requestAnimationFrame(() =>
      document.querySelector<HTMLTextAreaElement>(`textarea[data-item="${item.key}"]`)?.focus(),
    )
  const close = (item: Item) => {
    setOpen(undefined)
    focus(item)
  }

  const tool = (item: Item): ReactNode =>
    isSetUp ? (
      <IconButton
        label="AI help"
        icon={<Sparkles size={17} />}
        aria-expanded={open === item.key}
        onClick={() => setOpen(open === item.key ? undefined : item.key)}
      />
    ) : null

  const panel = (item: Item): ReactNode => {
    if (open !== item.key || !isSetUp) return null
    const place = composer.items.findIndex(({ key }) => key === item.key)
    return (
      <Contained>
        <Suspense
          fallback={
            <Skeletons>
              <Skeleton className="h-28 w-full" />
            </Skeletons>
          }
        >
          <AiHelpPanel
            ids={ids}
            text={item.text}
            targets={targets}
            onClose={() => close(item)}
            onReplace={(kind, text) => {
              const undo = composer.takeSuggestion(kind, place, [{ at: composer.scope, text }])
              close(item)
              undoable('Text replaced', undo, 'ai-help')
            }}
            onInsert={(kind, words) => {
              insert(item, item.text === '' || /\s$/.test(item.text) ? words : ` ${words}`)
              composer.markAi(kind)
              setOpen(undefined)
            }}
            onAdapt={(suggestions) => {
              const words = suggestions.flatMap(({ channelIds, text }) => channelIds.map((at) => ({ at, text })))
              // one channel alone has no version beside the shared one
              const undo = composer.takeSuggestion(
                'adapt',
                place,
                composer.chosen.length > 1 ? words : words.map(({ text }) => ({ at: composer.scope, text })),
              )
              undoable(
                words.length === 1 ? 'Text adapted' : `${words.length} channels now have their own text`,
                undo,
                'ai-help',
              )
            }}
            channelsOf={(channelIds) =>
              composer.chosen
                .filter(({ channelId }) => channelIds.includes(channelId))
                .map((channel) => (
                  <span key={channel.channelId} className="flex min-w-0 items-center gap-1.5">
                    <PlatformIcon platform={channel.platformName} size={16} named />
                    <span className="truncate">{channel.channelName}</span>
                  </span>
                ))
            }
          />
        </Suspense>
      </Contained>
    )
  }

  const altHelp = (item: Item, one: Attachment, name: string): ReactNode =>
    isSetUp && one.assetId !== undefined && one.state === 'ready' && one.contentType.startsWith('image/') ? (
      <AltTextHelp
        ids={ids}
        assetId={one.assetId}
        name={name}
        text={item.text}
        targets={targets}
        onTake={(altText) => {
          describe(one.key, altText)
          composer.markAi('altText')
        }}
      />
    ) : null

  return { tool, panel, altHelp }
}
