import { figureName, termOf } from '#contract/analytics/labels.ts'
import { isOfPosts } from '#contract/analytics/postColumns.ts'
import { workedFigures, type WorkedFigure } from '#contract/analytics/worked.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

/** The figures that posts of any of these platforms can have; all while the platforms aren't known. */
export const offeredFigures = (platforms: readonly PlatformKey[]): readonly WorkedFigure[] =>
  workedFigures.filter((name) => platforms.length === 0 || platforms.some((platform) => isOfPosts(platform, name)))

/** A figure of posts: in the platform's word if they're of one. */
export const figureWord = (name: WorkedFigure, platform: PlatformKey | undefined): string =>
  platform ? termOf(platform, 'post', name) : figureName(name)

/** Why nothing of these platforms can be compared; undefined if something of any of them can. */
export function whyNothing(platforms: readonly PlatformKey[], apart: readonly PlatformKey[]): string | undefined {
  if (platforms.length === 0) return undefined
  if (platforms.every((one) => apart.includes(one))) return apartText(apart)
  return offeredFigures(platforms).length === 0
    ? `${platforms.map(platformName).join(' and ')} reports no figures of posts, so there's nothing to compare.`
    : undefined
}

export const apartText = (apart: readonly PlatformKey[]): string =>
  apart.map((platform) => `${platformName(platform)}'s terms don't allow comparing its figures.`).join(' ')
