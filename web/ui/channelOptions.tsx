import type { ReactNode } from 'react'
import { channelNames } from '#contract/channelNames.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { PlatformIcon, platformName } from './PlatformIcon.tsx'

type Channel = { channelId: string; channelName: string; platformName: PlatformKey; handle: string }
type ChannelOption = { value: string; name: string; label: ReactNode; found: string }

/**
 * Channels as FilterChoice offers them, each named like no other one of `all`: "Instagram · @northlight" where several have the
 * same name. A search finds them by name, handle and platform.
 */
export function channelOptions(channels: readonly Channel[], all: readonly Channel[] = channels): ChannelOption[] {
  const names = channelNames(all)
  return channels.map(({ channelId, channelName, platformName: platform, handle }) => {
    const name = names.get(channelId) ?? channelName
    const isOwn = name === channelName
    return {
      value: channelId,
      name,
      found: `${channelName} ${handle} ${platformName(platform)}`,
      label: (
        <span className="flex min-w-0 items-start gap-2">
          <PlatformIcon platform={platform} size={16} named={!isOwn} />
          <span className="min-w-0 break-words">
            {channelName || name}
            <span className="block text-sm text-ink-muted">{isOwn || !channelName ? handle : name}</span>
          </span>
        </span>
      ),
    }
  })
}
