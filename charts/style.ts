import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { ColorName } from './palettes.ts'

/*
 * How charts look: colors, dashes and hatching. A color belongs to what is shown, not to its place in a reply, so a channel
 * keeps its color when others are filtered out.
 */

export type Look = {
  color: ColorName
  /** Lines also differ by their dashes, for people who don't tell the colors apart; empty: solid. */ dash: string
  /** The angle of a bar's hatching; null: plain. */ hatch: number | null
}

/** What series are drawn with: at least 3:1 on any surface, in both themes. */
export const seriesColors = [
  'accent',
  'label-orange',
  'label-purple',
  'label-green',
  'label-pink',
  'label-blue',
  'label-yellow',
  'label-red',
  'label-dark-blue',
  'label-cyan',
  'label-black',
] as const satisfies readonly ColorName[]
const DASHES = ['', '7 4', '2 4', '11 4 2 4', '5 2', '1 3', '9 3 1 3 1 3', '14 4'] as const

/** The line that another is compared with. */
export const COMPARED_DASH = '3 4'

/** The look of what has a fixed place: a channel by its place among the project's channels, oldest first. */
export const lookAt = (place: number): Look => ({
  color: seriesColors[place % seriesColors.length] ?? 'accent',
  dash: DASHES[place % DASHES.length] ?? '',
  hatch: place === 0 ? null : (place * 45) % 180,
})

const ofPlatforms: Record<PlatformKey, ColorName> = {
  facebook: 'label-blue',
  instagram: 'label-pink',
  linkedin: 'label-dark-blue',
  x: 'label-black',
  youtube: 'label-red',
  pinterest: 'label-orange',
  tiktok: 'accent',
  threads: 'label-yellow',
  mastodon: 'label-purple',
  bluesky: 'label-cyan',
  googlemybusiness: 'label-green',
}
/** A platform's look: the same in every chart. */
export const platformLook = (platform: PlatformKey): Look => ({
  ...lookAt(platformKeys.indexOf(platform)),
  color: ofPlatforms[platform],
})
