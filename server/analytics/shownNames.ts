import { channelNames, fullChannelNames } from '#contract/channelNames.ts'
import { readChannels, type Reader } from './scope.ts'

/**
 * What each channel of the caller's role is called in the insights, by id, as on screen: whatever the filters leave, its name
 * stays the same. Deleted channels, which no list has, are called by platform and handle.
 */
export async function readShownNames(c: Reader): Promise<ReadonlyMap<string, string>> {
  const channels = await readChannels(c, {})
  const deleted = fullChannelNames(channels.filter((channel) => channel.deleted))
  return new Map([
    ...channelNames(channels.filter((channel) => !channel.deleted)),
    ...[...deleted].map(([id, name]) => [id, `${name} (deleted)`] as const),
  ])
}
