import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CirclePause from 'lucide-react/icons/circle-pause'
import Unplug from 'lucide-react/icons/unplug'
import type { Channel } from '#contract/channels.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { stateLook, stateOf } from './state.ts'

const icons = { connected: CircleCheck, disabled: CirclePause, disconnected: Unplug, expired: CircleAlert }

/** Icon, word and colour; with the platform's reason when the channel needs a person. */
export function ChannelStatus({ channel }: { channel: Channel }) {
  const state = stateOf(channel)
  const { word, tone } = stateLook[state]
  const Icon = icons[state]
  return (
    <span className="grid min-w-0 justify-items-start gap-1">
      <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
        {word}
      </Badge>
      {channel.problem && state !== 'connected' ? <span className="max-w-80 text-sm text-pretty text-ink-muted">{channel.problem}</span> : null}
    </span>
  )
}
