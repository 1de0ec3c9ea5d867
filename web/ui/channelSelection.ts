import type { PlatformKey } from '#contract/platforms/rules.ts'
import { platformName } from './PlatformIcon.tsx'

/** A channel as access lists name it. */
export type NamedChannel = {
  channelId: string
  channelName: string
  platformName: PlatformKey
  handle: string
  profileUrl: string | null
}

/** Null: every channel, including future ones. */
export type ChannelSelection = readonly string[] | null

/** Why a form with no channel can't be sent. The contract's schema says the same. */
export const CHANNEL_WANTED = 'Choose at least one channel'

/**
 * The selection after "All channels" was switched. Off means none: people who then choose two channels give access to
 * those two, not to all others.
 */
export const switchAll = (on: boolean): string[] | null => (on ? null : [])

/** The selection with one channel more or less, in the order of the channels. */
export function switchOne(
  channels: readonly Pick<NamedChannel, 'channelId'>[],
  selected: readonly string[],
  channelId: string,
  on: boolean,
): string[] {
  return channels.map((one) => one.channelId).filter((id) => (id === channelId ? on : selected.includes(id)))
}

/** Whether a search finds the channel: by name, handle or platform. */
export function fitsSearch(channel: NamedChannel, search: string): boolean {
  const text = `${channel.channelName} ${channel.handle} ${platformName(channel.platformName)}`.toLowerCase()
  return text.includes(search.trim().toLowerCase())
}

/**
 * What tells channels apart that have the same name, by ID: the platform, and the handle too if several are on one
 * platform. Channels whose name is theirs alone aren't in it.
 */
export function distinctions(channels: readonly NamedChannel[]): ReadonlyMap<string, string> {
  const alike = (a: NamedChannel, b: NamedChannel) =>
    a.channelName.trim().toLowerCase() === b.channelName.trim().toLowerCase()
  const found = new Map<string, string>()
  for (const channel of channels) {
    const others = channels.filter((other) => other.channelId !== channel.channelId && alike(other, channel))
    if (others.length === 0) continue
    const platform = platformName(channel.platformName)
    const isAlone = others.every((other) => other.platformName !== channel.platformName)
    found.set(channel.channelId, isAlone ? platform : `${platform}, ${channel.handle}`)
  }
  return found
}

/** "All channels", "Northlight", "3 of 9 channels" */
export function selectionInWords(channels: readonly NamedChannel[], selection: ChannelSelection): string {
  if (selection === null) return 'All channels'
  if (selection.length === 0) return 'Choose channels'
  const only = selection.length === 1 ? channels.find((channel) => channel.channelId === selection[0]) : undefined
  if (!only) return `${selection.length} of ${channels.length} channels`
  const distinction = distinctions(channels).get(only.channelId)
  return distinction === undefined ? only.channelName : `${only.channelName} (${distinction})`
}
