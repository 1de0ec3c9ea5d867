import { platformLabel } from './platforms/registry.ts'
import type { PlatformKey } from './platforms/rules.ts'

type Named = { channelId: string; channelName: string; platformName: PlatformKey; handle: string }

/** "Instagram · @northlight": says which channel it is wherever it's read. */
const fullChannelName = ({ platformName, handle, channelName }: Omit<Named, 'channelId'>): string =>
  `${platformLabel(platformName)} · ${handle || channelName}`

/**
 * What each of these channels is called where they're shown together, by id: its name, or "Instagram · @northlight"
 * where several share it. No two are called the same.
 */
export function channelNames(channels: Iterable<Named>): ReadonlyMap<string, string> {
  const all = [...channels]
  const sharing = Map.groupBy(all, ({ channelName }) => alike(channelName))
  const used = new Set<string>()
  return new Map(
    all.map((channel) => {
      const isAlone = sharing.get(alike(channel.channelName))?.length === 1 && channel.channelName.trim() !== ''
      return [channel.channelId, unused(isAlone ? channel.channelName : fullChannelName(channel), used)] as const
    }),
  )
}

/** Every channel by platform and handle, by id: names that don't depend on the others, as far as they're different. */
export function fullChannelNames(channels: Iterable<Named>): ReadonlyMap<string, string> {
  const used = new Set<string>()
  return new Map([...channels].map((channel) => [channel.channelId, unused(fullChannelName(channel), used)] as const))
}

/** A channel's name where its platform matters and no icon says it: "Northlight Beans (Instagram)", "Instagram · @northlight". */
export const nameOnPlatform = (name: string, platformName: PlatformKey): string =>
  name.startsWith(`${platformLabel(platformName)} · `) ? name : `${name} (${platformLabel(platformName)})`

/** What people would take for the same name. */
const alike = (name: string): string => name.trim().toLowerCase()

/** The name, or with a number behind it if it's taken. */
function unused(name: string, used: Set<string>): string {
  let free = name
  for (let n = 2; used.has(alike(free)); n += 1) free = `${name} (${n})`
  used.add(alike(free))
  return free
}
