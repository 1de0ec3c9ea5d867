import type { inboxChannels } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { whyNotRead } from '#contract/platforms/inboxRegistry.ts'
import { sentenceOf } from '#contract/failures/catalog.ts'
import type { StoredReason } from '#contract/failures/define.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { InboxFilters } from './inboxSearch.ts'

export type ReadChannel = ReplyOf<typeof inboxChannels>['channels'][number]

/** Whether anything of the channel can come into the inbox. */
export const isReadable = ({ kinds }: ReadChannel): boolean => kinds.some(({ state }) => state !== 'none')

/** Channels that lack a permission for some of what they could bring. */
export const toReconnect = (channels: readonly ReadChannel[]): ReadChannel[] =>
  channels.filter(({ kinds }) => kinds.some(({ state }) => state === 'reconnect'))

/** The channels that filters leave; undefined where they leave them all. */
export const chosenChannels = (
  channels: readonly ReadChannel[],
  { platforms = [], channelIds = [] }: Pick<InboxFilters, 'platforms' | 'channelIds'>,
): ReadChannel[] | undefined =>
  platforms.length + channelIds.length === 0
    ? undefined
    : channels.filter(
        ({ platformName, channelId }) =>
          (platforms.length === 0 || platforms.includes(platformName)) &&
          (channelIds.length === 0 || channelIds.includes(channelId)),
      )

/** Whether nothing can come in before a channel is reconnected. */
export const isUnconnected = (channels: readonly ReadChannel[]): boolean =>
  statesOf(channels).every((state) => state === 'reconnect')

/** Channels of which nothing arrives right now although it could. */
export const late = (channels: readonly ReadChannel[]): ReadChannel[] =>
  channels.filter(({ kinds }) => kinds.some(({ state }) => state === 'late'))

/** Whether what can be read is being read for the first time. */
export function isFirstReading(channels: readonly ReadChannel[]): boolean {
  const states = statesOf(channels).filter((state) => state !== 'reconnect')
  return states.length > 0 && states.every((state) => state === 'first')
}

/** How reading goes, of all that can be read. */
const statesOf = (channels: readonly ReadChannel[]) =>
  channels.flatMap(({ kinds }) => kinds.map(({ state }) => state)).filter((state) => state !== 'none')

/** Of each platform of which nothing can be read: why. */
export const unreadable = (channels: readonly ReadChannel[]): { platform: PlatformKey; why: string }[] =>
  [
    ...new Map(
      channels.filter((channel) => !isReadable(channel)).map((channel) => [channel.platformName, channel]),
    ).values(),
  ].flatMap((channel) => {
    const told = notRead(channel)
    const why = whyNotRead(channel.platformName, 'comment') ?? (told && sentenceOf(told))
    return why === null ? [] : [{ platform: channel.platformName, why }]
  })

/** Why nothing of this channel is read although its platform could be; null where there is no reason. */
export const notRead = ({ kinds }: ReadChannel): StoredReason | null =>
  kinds.find(({ state, reason }) => state === 'none' && reason !== null)?.reason ?? null
