import type { Channel } from '#contract/channels.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'

/** A channel's identity: picture with its platform's logo, name and handle. A simulated one says so everywhere. */
export function ChannelName({
  channel,
  size = 30,
}: {
  channel: Pick<Channel, 'channelName' | 'handle' | 'platformName' | 'profileUrl' | 'simulated' | 'kind'>
  size?: number
}) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={channel.channelName} src={channel.profileUrl} platform={channel.platformName} size={size} />
      <span className="grid min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <span dir="auto" className="truncate font-semibold">
            {channel.channelName}
          </span>
          {channel.simulated ? <Badge tone="wait">Simulated</Badge> : null}
        </span>
        <span dir="auto" className="truncate text-sm text-ink-muted">
          {channel.kind ? `${channel.kind} · ${channel.handle}` : channel.handle}
        </span>
      </span>
    </span>
  )
}
