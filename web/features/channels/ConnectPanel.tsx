import { useState } from 'react'
import { allChannels, type Channel } from '#contract/channels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ChannelName } from './ChannelName.tsx'
import { ChannelStatus } from './ChannelStatus.tsx'
import { ConnectDialog } from './ConnectDialog.tsx'
import type { ReturnTo } from './pending.ts'
import { PlatformList } from './PlatformList.tsx'
import { useWays } from './useWays.ts'

type Props = { ids: ProjectIds; returnTo: ReturnTo; onConnected?: (channel: Channel) => void }

/** What is connected and the platforms to connect, for a page without other questions. */
export function ConnectPanel({ ids, ...rest }: Props) {
  const [platform, setPlatform] = useState<PlatformKey>()
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const { query: ways, wayOf } = useWays(ids)
  const connected = channels.data?.channels ?? []
  return (
    <div className="grid gap-4">
      {connected.length > 0 ? <ConnectedList channels={connected} /> : null}
      <Loaded query={ways} skeleton={<SkeletonRows rows={6} />}>
        {() => (
          <PlatformList
            level={2}
            ids={ids}
            wayOf={wayOf}
            connected={(key) => connected.filter((channel) => channel.platformName === key).length}
            onChoose={setPlatform}
            onConnected={rest.onConnected}
          />
        )}
      </Loaded>
      <ConnectDialog
        ids={ids}
        open={platform}
        onOpen={(open) => setPlatform(open === 'list' ? undefined : open)}
        {...rest}
      />
    </div>
  )
}

/** The connected accounts with their statuses. */
export function ConnectedList({ channels }: { channels: readonly Channel[] }) {
  return (
    <ul aria-label="Connected accounts" className="divide-y divide-line rounded-md border border-line bg-surface">
      {channels.map((channel) => (
        <li key={channel.channelId} className="flex items-center justify-between gap-3 px-3 py-2.5">
          <ChannelName channel={channel} />
          <ChannelStatus channel={channel} brief />
        </li>
      ))}
    </ul>
  )
}
