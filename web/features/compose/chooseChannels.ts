import type { Channel } from '#contract/channels.ts'
import { asTheOthers } from './alike.ts'
import type { Doc } from './doc.ts'
import { beginIn } from './plan.ts'

/** The zone that all of them are planned in; undefined where they differ, or there are none. */
export function sharedZone(channels: readonly Pick<Channel, 'zone'>[]): string | undefined {
  const [only, ...others] = new Set(channels.map(({ zone }) => zone))
  return others.length === 0 ? only : undefined
}

/** Where a new post begins: the channels of the project, its zone, and since when; undefined once it has a time of its own. */
export type Beginning = {
  channels: readonly Pick<Channel, 'channelId' | 'platformName' | 'zone'>[]
  zone: string
  began: Date | undefined
}

/** The document for other channels; an added one is set as the others of its platform. As long as nobody set its time, it is planned in their zone where they share one. */
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
