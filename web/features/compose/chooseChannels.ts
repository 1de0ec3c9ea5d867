import type { Channel } from '#contract/channels.ts'
import { asTheOthers } from './alike.ts'
import type { Doc } from './doc.ts'
import { beginIn } from './plan.ts'

/** The zone they all use; undefined if they differ, or there are none. */
export function sharedZone(channels: readonly Pick<Channel, 'zone'>[]): string | undefined {
  const [only, ...others] = new Set(channels.map(({ zone }) => zone))
  return others.length === 0 ? only : undefined
}

/** Where a new post begins: the project's channels, its zone, and since when; undefined once its time was set. */
export type Beginning = {
  channels: readonly Pick<Channel, 'channelId' | 'platformName' | 'zone'>[]
  zone: string
  began: Date | undefined
}

/**
 * The post for other channels; an added one gets the settings of its platform's others. Until its time is set, it's
 * planned in their zone if they share one.
 */
export function withChannels(doc: Doc, channelIds: readonly string[], { channels, zone, began }: Beginning): Doc {
  const own = sharedZone(channels.filter(({ channelId }) => channelIds.includes(channelId)))
  const added = channelIds.filter((one) => !doc.channelIds.includes(one))
  return {
    ...doc,
    channelIds,
    variants: asTheOthers(doc.variants, doc.channelIds, added, channels),
    plan: began ? beginIn(doc.plan, own ?? zone, began) : doc.plan,
  }
}
