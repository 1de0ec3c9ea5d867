import type { Channel } from '#contract/channels.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { NamedChannels } from '../useChannels.ts'

type Props = { channel: Channel; channels: NamedChannels; onChoose: (channelId: string) => void }

/** The channel of the profile, and the list of the others. */
export function ChannelPicker({ channel, channels, onChoose }: Props) {
  const { channelName, platformName: platform, handle } = channel
  const shownName = channels.get(channel.channelId)?.shownName ?? channelName
  const account = `${platformName(platform)}${handle ? ` · ${handle}` : ''}`
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
      <span className="flex min-w-0 items-center gap-3">
        <Avatar name={channelName} src={channel.profileUrl} platform={platform} size={40} />
        <span className="min-w-0">
          <span className="block text-lg/snug font-bold break-words">{shownName}</span>
          {/* a name that has platform and handle stands for one that others share */}
          <span className="block text-sm text-ink-muted break-words">
            {shownName === channelName ? account : channelName}
          </span>
        </span>
      </span>
      {channels.size > 1 ? (
        <Select
          aria-label="Channel"
          className="w-64 max-w-full sm:ml-auto"
          value={channel.channelId}
          options={[...channels].map(([value, { shownName }]) => ({ value, label: shownName }))}
          onChange={(event) => onChoose(event.target.value)}
        />
      ) : null}
    </div>
  )
}
