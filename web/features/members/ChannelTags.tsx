import { CHIPS_SHOWN } from '#contract/constants.ts'
import type { ProjectUser } from '#contract/members.ts'
import { count } from '#web/lib/format.ts'
import { distinctions } from '#web/ui/channelSelection.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'

type Access = Pick<ProjectUser, 'channels' | 'moreChannels'>

/** Someone's first channels and a "+n". */
export function ChannelTags({ channels, moreChannels }: Access) {
  if (channels === null) return <Chip>All channels</Chip>
  const shown = channels.slice(0, CHIPS_SHOWN)
  const rest = channels.length - shown.length + moreChannels
  if (shown.length === 0 && rest === 0) return <span className="text-ink-muted">None</span>
  return (
    <>
      {shown.map((channel) => (
        <Chip key={channel.channelId} icon={<PlatformIcon platform={channel.platformName} named size={14} />}>
          {channel.channelName}
        </Chip>
      ))}
      {rest > 0 ? (
        <span className="tnum h-6 shrink-0 rounded-md bg-sunken px-2 text-sm leading-6 text-ink-muted inset-ring inset-ring-line">
          +{rest}
        </span>
      ) : null}
    </>
  )
}

/** The same for screen readers: "Northlight, Roastery +3 more", starting with what everyone sees. */
export function channelsInWords({ channels, moreChannels }: Access): string {
  if (channels === null) return 'all channels'
  const apart = distinctions(channels)
  const names = channels.slice(0, CHIPS_SHOWN).map(({ channelId, channelName }) => {
    const distinction = apart.get(channelId)
    return distinction === undefined ? channelName : `${channelName} (${distinction})`
  })
  const rest = channels.length - names.length + moreChannels
  if (names.length === 0) return rest > 0 ? count(rest, 'channel') : 'none'
  return rest > 0 ? `${names.join(', ')} +${rest} more` : names.join(', ')
}
