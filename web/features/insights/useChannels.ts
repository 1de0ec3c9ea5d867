import { useMemo } from 'react'
import { channelNames } from '#contract/channelNames.ts'
import { allChannels } from '#contract/channels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

export type NamedChannels = ReadonlyMap<
  string,
  {
    /** Like no other channel's of the project: "Instagram · @northlight" where several have the same name. */
    shownName: string
    platformName: PlatformKey
    /** Among the project's channels, oldest first. */
    place: number
  }
>

/** The project's channels by their ids, in the order in which they were connected. */
export function useChannels(ids: ProjectIds): NamedChannels {
  const found = useCall(allChannels, { params: ids }, { handles: true })
  return useMemo(() => {
    const channels = found.data?.channels ?? []
    const names = channelNames(channels)
    return new Map(
      channels.map(({ channelId, channelName, platformName }, place) => [
        channelId,
        { shownName: names.get(channelId) ?? channelName, platformName, place },
      ]),
    )
  }, [found.data])
}
