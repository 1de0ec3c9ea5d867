import type { PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import { PlatformIcon } from './PlatformIcon.tsx'

/** How many icons are shown before the rest becomes a number. */
const MOST = 5

/** The platforms of a draft for several channels: an icon each, and the number of channels. */
export function DraftChannels({ channels }: { channels: readonly { channelId: string; platformName: PlatformKey }[] }) {
  if (channels.length === 0) return <>No channel yet</>
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <span className="flex shrink-0 gap-0.5">
        {channels.slice(0, MOST).map(({ channelId, platformName }) => (
          <PlatformIcon key={channelId} platform={platformName} size={15} />
        ))}
      </span>
      <span className="truncate">{count(channels.length, 'channel')}</span>
    </span>
  )
}
