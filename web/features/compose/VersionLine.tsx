import UndoIcon from 'lucide-react/icons/undo-2'
import { useRef } from 'react'
import type { Channel } from '#contract/channels.ts'
import { Button } from '#web/ui/Button.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { useComposer, useComposerState, useVersion } from './ComposerContext.ts'
import { differs } from './ScopeTabs.tsx'
import { ownTextOf, type OwnText } from './textUndo.ts'
import { giveText, undoable } from './undoable.ts'

/**
 * Whether the shown channel has the shared text or its own, how to return to the shared one, and how to copy it to the
 * platform's other channels.
 */
export function VersionLine() {
  const { chosen, channel } = useVersion()
  return channel && chosen.length > 1 ? <Line channel={channel} chosen={chosen} /> : null
}

function Line({ channel, chosen }: { channel: Channel; chosen: readonly Channel[] }) {
  const { store } = useComposer()
  const doc = useComposerState((state) => state.doc)
  const line = useRef<HTMLDivElement>(null)
  const different = differs(doc, channel.channelId)
  const own = ownTextOf(doc, channel.channelId)
  const alike = chosen.filter(({ platformName: platform }) => platform === channel.platformName)
  const others = alike.filter(
    ({ channelId }) =>
      doc.variants[channelId]?.items !== own.items || doc.variants[channelId]?.firstComment !== own.firstComment,
  )
  const change = (to: OwnText, of: readonly Channel[], said: string) => {
    // the button disappears with its purpose
    line.current?.focus()
    undoable(
      said,
      giveText(
        store,
        of.map(({ channelId }) => channelId),
        to,
      ),
    )
  }
  if (different.length === 0) {
    return (
      <div ref={line} tabIndex={-1} className="rounded-md text-sm text-ink-muted">
        Same as all channels. Changes here apply only to {channel.channelName}.
      </div>
    )
  }
  return (
    <div
      ref={line}
      tabIndex={-1}
      className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 rounded-md bg-accent-soft px-3 py-1.5 text-sm"
    >
      <span>
        Custom {different.join(', ')}. Changes for all channels don't affect {different.length === 1 ? 'it' : 'them'}.
      </span>
      <span className="flex flex-wrap gap-1.5">
        {others.length > 0 ? (
          <Button
            size="s"
            onClick={() =>
              change(
                own,
                others,
                `${alike.length} ${platformName(channel.platformName)} channels have the same text now`,
              )
            }
          >
            Use on all {alike.length} {platformName(channel.platformName)} channels
          </Button>
        ) : null}
        <Button
          size="s"
          icon={<UndoIcon size={13} aria-hidden />}
          onClick={() =>
            change(
              { items: undefined, firstComment: undefined, aiHelp: undefined },
              [channel],
              `${channel.channelName} uses the shared text again`,
            )
          }
        >
          Use shared text
        </Button>
      </span>
    </div>
  )
}
