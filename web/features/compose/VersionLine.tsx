import Undo from 'lucide-react/icons/undo-2'
import type { Channel } from '#contract/channels.ts'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'
import type { Doc, Variant } from './doc.ts'
import { differs } from './ScopeTabs.tsx'

type Props = { doc: Doc; channel: Channel; onChange: (change: { [part in 'items' | 'firstComment' | 'aiHelp']?: Variant[part] | undefined }) => void }

/** Whether the channel says the shared words or its own, and the way back to the shared ones. */
export function VersionLine({ doc, channel, onChange }: Props) {
  const different = differs(doc, channel.channelId)
  if (different.length === 0) return <p className="text-sm text-ink-muted">Same as all channels. What you change here holds for {channel.channelName} only.</p>
  const { items, firstComment, aiHelp } = doc.variants[channel.channelId] ?? {}
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-md bg-accent-soft px-3 py-1.5 text-sm">
      <span>
        Its own {different.join(', ')}. Changes for all channels leave {different.length === 1 ? 'it' : 'them'} as {different.length === 1 ? 'it is' : 'they are'}.
      </span>
      <Button
        size="s"
        icon={<Undo size={13} aria-hidden />}
        onClick={() => {
          onChange({ items: undefined, firstComment: undefined, aiHelp: undefined })
          toast.undo(`${channel.channelName} says the same as all channels again`, () => onChange({ items, firstComment, aiHelp }))
        }}
      >
        Back to shared
      </Button>
    </div>
  )
}
