import { useParams } from '@tanstack/react-router'
import { useProjectIds } from '#web/lib/project.ts'
import { reachDays } from './reach/reachWords.ts'
import { sectionOf } from './sections.ts'
import { useChannels } from './useChannels.ts'

/** Over how many days the platform of the open section counts a channel's people together; none in sections about several platforms. */
export function useCountedDays(): readonly number[] {
  const { _splat: path = '' } = useParams({ strict: false })
  const channels = useChannels(useProjectIds())
  const section = sectionOf(path)
  if (section?.key === 'platform') return reachDays(section.platform)
  if (section?.key !== 'profile') return []
  // without a channel in the address, it's the first one
  const [first] = channels.values()
  const channel = section.channelId === undefined ? first : channels.get(section.channelId)
  return channel ? reachDays(channel.platformName) : []
}
