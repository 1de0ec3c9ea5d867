import { useMemo } from 'react'
import { allChannels } from '#contract/channels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

export type NamedChannels = ReadonlyMap<string, { channelName: string; platformName: PlatformKey }>

/** The project's channels by their ids, for names beside figures. */
export function useChannels(ids: ProjectIds): NamedChannels {
  const found = useCall(allChannels, { params: ids }, { handles: true })
  return useMemo(
    () => new Map(found.data?.channels.map((channel) => [channel.channelId, channel] as const)),
    [found.data],
  )
}
