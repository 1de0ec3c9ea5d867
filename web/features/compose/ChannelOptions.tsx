import { useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { useComposerState, useVersion } from './ComposerContext.ts'
import { rulesOf } from './checks.ts'
import { PlatformOptions } from './PlatformOptions.tsx'

/** Up to this many platforms with options, all of them are open. */
const OPEN = 3

/**
 * What only some platforms need: post type, audience, place. Shows only what a chosen channel takes, and with many
 * platforms only what they require.
 */
export function ChannelOptions() {
  const { channels } = useVersion()
  const variants = useComposerState(({ doc }) => doc.variants)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const groups = Object.values(Object.groupBy(channels, (channel) => channel.platformName)).flatMap((group) =>
    group?.[0] ? [{ platform: group[0].platformName, group }] : [],
  )
  const hasOptions = (channel: Channel) =>
    (rulesOf(channel, variants[channel.channelId]?.postType)?.details.length ?? 0) > 0
  const asking = groups.filter(
    ({ platform, group }) => platformRules[platform].posts.length > 1 || group.some(hasOptions),
  )
  return groups.map(({ platform, group }) => {
    const isUnfolded = unfolded.has(platform)
    return (
      <PlatformOptions
        key={platform}
        group={group}
        folds={asking.length > OPEN}
        isUnfolded={isUnfolded}
        onFold={() =>
          setUnfolded(new Set(isUnfolded ? [...unfolded].filter((one) => one !== platform) : [...unfolded, platform]))
        }
      />
    )
  })
}
