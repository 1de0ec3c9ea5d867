import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CirclePause from 'lucide-react/icons/circle-pause'
import Clock from 'lucide-react/icons/clock'
import Hourglass from 'lucide-react/icons/hourglass'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Unplug from 'lucide-react/icons/unplug'
import type { Channel } from '#contract/channels.ts'
import { agoOf, count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { PlanLocked } from '#web/ui/PlanLocked.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { cannotWithout } from './rights.ts'
import { signInEnds, stateLook, stateOf } from './state.ts'

const icons = {
  connected: CircleCheck,
  ending: Clock,
  disabled: CirclePause,
  locked: CirclePause,
  disconnected: Unplug,
  expired: CircleAlert,
  lacking: TriangleAlert,
  deleting: Hourglass,
}

/** Icon, text and color; below, what is known about its sign-in or why the channel needs attention. */
export function ChannelStatus({
  channel,
  brief = false,
}: {
  channel: Channel
  /** The badge alone. */ brief?: boolean
}) {
  const now = useNow()
  const state = stateOf(channel, now)
  const { word, tone } = stateLook[state]
  const Icon = icons[state]
  const more = brief ? undefined : detailOf(channel, now)
  return (
    <span className="grid min-w-0 justify-items-start gap-1">
      <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
        {word}
      </Badge>
      {state === 'locked' && !brief ? (
        <PlanLocked platform={channel.platformName} waiting={channel.scheduledPosts ?? 0} />
      ) : null}
      {more ? <span className="max-w-80 text-sm text-pretty text-ink-muted">{more}</span> : null}
    </span>
  )
}

function detailOf(channel: Channel, now: Date): string | undefined {
  const { problem, signInEndsAt, checkedAt, zone, missing } = channel
  const [scheduled, late] = [channel.scheduledPosts ?? 0, channel.latePosts ?? 0]
  switch (stateOf(channel, now)) {
    case 'deleting':
      return 'This may take a minute or two.'
    case 'ending':
      return [
        signInEndsAt ? signInEnds(signInEndsAt, now) : '',
        scheduled > 0 ? `${count(scheduled, 'post')} at risk` : '',
      ]
        .filter(Boolean)
        .join(', ')
    case 'lacking':
      return `${platformName(channel.platformName)} didn't allow Rookery to ${cannotWithout(channel.platformName, missing)}. Reconnect it and allow all requested permissions.`
    case 'disabled':
      return problem ?? (late > 0 ? `${count(late, 'post')} ${late === 1 ? 'is' : 'are'} overdue.` : undefined)
    case 'connected':
      return checkedAt ? `Checked ${agoOf(checkedAt, now, zone)}` : undefined
    case 'locked':
      return undefined
    case 'disconnected':
    case 'expired':
    default:
      return problem ?? undefined
  }
}
