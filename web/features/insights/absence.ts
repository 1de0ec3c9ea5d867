import type { PlatformKey } from '#contract/platforms/rules.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

/** Why a section has nothing to show: the project has no such channel, or the person's role, which has some channels only, doesn't. */
export type Absence = 'none' | 'notInRole'

type Known = {
  /** Those that the person sees. */ channels: readonly { platformName: PlatformKey }[]
  /** Those of the person's role; null for all. */ channelIds: readonly string[] | null
  /** Only channels of this platform count. */ platform?: PlatformKey | undefined
}

/** Why the person sees no channel, or none of the platform; undefined if there's one. */
export function absenceOf({ channels, channelIds, platform }: Known): Absence | undefined {
  if (channels.some(({ platformName: one }) => platform === undefined || one === platform)) return undefined
  return channelIds === null ? 'none' : 'notInRole'
}

/** What is missing, and what to do about it. */
export function absenceWords(
  absence: Absence,
  { platform, mayConnect }: { platform?: PlatformKey | undefined; mayConnect: boolean },
): { title: string; text: string } {
  const channel = platform === undefined ? 'channel' : `${platformName(platform)} channel`
  if (absence === 'notInRole')
    return {
      title: `Your role includes no ${channel}`,
      text: `Your role has only some of this project's channels. Ask a project admin to add ${an(channel)} to it.`,
    }
  return {
    title: platform === undefined ? 'No channels yet' : `No ${channel} yet`,
    text: mayConnect
      ? `Connect ${an(channel)}, and its first figures appear here within ten minutes.`
      : `Ask a project admin to connect ${an(channel)}. Its first figures appear here within ten minutes.`,
  }
}

const an = (words: string): string => `${/^[AEIOX]/.test(words) ? 'an' : 'a'} ${words}`
