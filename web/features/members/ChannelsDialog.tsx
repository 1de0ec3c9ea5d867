import { allChannels } from '#contract/channels.ts'
import type { ProjectUser } from '#contract/members.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { NamedChannel } from '#web/ui/channelSelection.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { nameOf } from './rights.ts'

type Props = {
  ids: ProjectIds
  user: ProjectUser
  /** Why they can't be changed here. */ why: string | undefined
  onClose: () => void
}

/** Someone's channels, read-only. */
export function ChannelsDialog({ ids, user, why, onClose }: Props) {
  const all = useCall(allChannels, { params: ids }, { handles: true, enabled: user.channels === null })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Channels"
      description={`${nameOf(user)} ${user.channels === null ? 'can access every channel in the project, including future ones.' : 'can access these channels.'}`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {user.channels ? (
        <ChannelList channels={user.channels} more={user.moreChannels} />
      ) : (
        <Loaded query={all} skeleton={<SkeletonLines lines={3} />}>
          {({ channels }) => <ChannelList channels={channels} more={0} />}
        </Loaded>
      )}
      {why ? <p className="mt-3 text-sm text-ink-muted">{why}</p> : null}
    </Dialog>
  )
}

function ChannelList({ channels, more }: { channels: readonly NamedChannel[]; more: number }) {
  return (
    <>
      {channels.length > 0 ? (
        <ul aria-label="Channels" className="divide-y divide-line rounded-md border border-line bg-surface">
          {channels.map((channel) => (
            <li key={channel.channelId} className="flex items-center gap-3 px-3 py-2">
              <Avatar name={channel.channelName} src={channel.profileUrl} platform={channel.platformName} size={26} />
              <span className="grid min-w-0">
                <span dir="auto" className="truncate font-semibold">
                  {channel.channelName}
                </span>
                <span
                  dir="auto"
                  className="truncate text-sm text-ink-muted"
                >{`${platformName(channel.platformName)}, ${channel.handle}`}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : more === 0 ? (
        <p className="text-ink-muted">No channels are connected yet.</p>
      ) : null}
      {more > 0 ? (
        <p className="mt-2 text-sm text-ink-muted">{`And ${count(more, 'channel')} you can't access yourself.`}</p>
      ) : null}
    </>
  )
}
