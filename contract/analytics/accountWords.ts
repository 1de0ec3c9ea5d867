import { platformLabel } from '../platforms/registry.ts'
import type { PlatformKey } from '../platforms/rules.ts'
import { platformFigures } from './catalog/catalog.ts'
import type { ComparedAccount } from './competitors.ts'

/* What is in the way of reading competitors' accounts, in words. */

/** What is in the way of reading an account; undefined while all is well. */
export function stateText({ reading, platformName: platform }: ComparedAccount): string | undefined {
  const name = platformLabel(platform)
  switch (reading?.state) {
    case 'waiting':
      return 'Its first figures come within ten minutes.'
    case 'late':
      if (isUnpaid(reading.problem)) return spendingText(name)
      return `${name} didn't show its figures. We'll try again.`
    case 'gone':
      return `${name} no longer shows this account to apps.`
    case 'private':
      return 'This account hides its posts from yours.'
    case 'rights':
      return needsText(platform)
    case 'signedOut':
      return `No ${name} channel is connected.`
    case 'read':
    case undefined:
    default:
      return undefined
  }
}

/** Whether nothing was read because of what that costs. */
export const isUnpaid = (problem: string | null): boolean =>
  problem === 'inbox-spending-off' || problem === 'inbox-spending-used-up'
export const spendingText = (platform: string): string =>
  `Reading ${platform} costs money, and your monthly limit doesn't allow it.`

/** What a channel needs for looking at other accounts. */
export function needsText(platform: PlatformKey): string {
  const { competitors } = platformFigures[platform]
  if (competitors.isPossible && competitors.approval !== undefined)
    return `${platformLabel(platform)} hasn't approved this installation's app for ${competitors.approval}.`
  return competitors.isPossible && competitors.variant === 'facebook'
    ? `This needs an ${platformLabel(platform)} channel that's connected through Facebook.`
    : `No ${platformLabel(platform)} channel has the permission to look at other accounts.`
}
