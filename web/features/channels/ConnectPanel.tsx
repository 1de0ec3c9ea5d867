import { useState } from 'react'
import { allChannels } from '#contract/channels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ChannelName } from './ChannelName.tsx'
import { ChannelStatus } from './ChannelStatus.tsx'
import { ConnectDialog } from './ConnectDialog.tsx'
import { PlatformList } from './PlatformList.tsx'

/** What is connected and the platforms to connect, for a page that has nothing else to ask. */
export function ConnectPanel({ ids }: { ids: ProjectIds }) {
  const [platform, setPlatform] = useState<PlatformKey>()
  const channels = useCall(allChannels, { params: ids })
  const connected = channels.data?.channels ?? []
  return (
    <div className="grid gap-4">
      {connected.length > 0 ? (
        <ul aria-label="Connected accounts" className="divide-y divide-line rounded-md border border-line bg-surface">
          {connected.map((channel) => (
            <li key={channel.channelId} className="flex items-center justify-between gap-3 px-3 py-2.5">
              <ChannelName channel={channel} />
              <ChannelStatus channel={channel} />
            </li>
          ))}
        </ul>
      ) : null}
      <PlatformList connected={(key) => connected.filter((channel) => channel.platformName === key).length} onChoose={setPlatform} />
      <ConnectDialog ids={ids} open={platform} onOpen={(open) => setPlatform(open === 'list' ? undefined : open)} />
    </div>
  )
}
