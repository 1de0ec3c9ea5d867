import type { Scope } from '../../analytics/scope.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/** Channels and platforms that a report or a block is narrowed down to; null for all. */
export type Narrowed = { channelIds?: readonly string[] | null; platforms?: readonly PlatformKey[] | null }

/** The part of the report's scope that a block covers: the channels that both leave. */
export function narrowScope(scope: Scope, { channelIds = null, platforms = null }: Narrowed): Scope {
  if (channelIds === null && platforms === null) return scope
  return {
    ...scope,
    channels: scope.channels.filter(
      ({ channelId, platformName }) =>
        (channelIds?.includes(channelId) ?? true) && (platforms?.includes(platformName) ?? true),
    ),
  }
}

/** Blocks with the same key cover the same. */
export const narrowKey = ({ channelIds = null, platforms = null }: Narrowed): string =>
  JSON.stringify([channelIds?.toSorted() ?? null, platforms?.toSorted() ?? null])
