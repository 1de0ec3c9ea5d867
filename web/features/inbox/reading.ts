import type { inboxChannels } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { whyNotRead } from '#contract/platforms/inboxRegistry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

export type ReadChannel = ReplyOf<typeof inboxChannels>['channels'][number]

/** Whether anything of the channel can come into the inbox. */
export const isReadable = ({ kinds }: ReadChannel): boolean => kinds.some(({ state }) => state !== 'none')

/** Channels that lack a permission for some of what they could bring. */
export const toReconnect = (channels: readonly ReadChannel[]): ReadChannel[] =>
  channels.filter(({ kinds }) => kinds.some(({ state }) => state === 'reconnect'))

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

/** Of each platform that lets no tool read anything: why. */
export const unreadable = (channels: readonly ReadChannel[]): { platform: PlatformKey; why: string }[] =>
  [...new Set(channels.filter((channel) => !isReadable(channel)).map(({ platformName }) => platformName))].flatMap(
    (platform) => {
      const why = whyNotRead(platform, 'comment')
      return why === null ? [] : [{ platform, why }]
    },
  )
