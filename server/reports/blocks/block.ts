import type { Narrowed } from './narrow.ts'
import type { DocumentBlock } from '../document.ts'
import { listed } from './missingNotes.ts'
import type { WantedPicture } from './pictures.ts'
import type { Reading } from './reading.ts'
import { platformLabel } from '#contract/platforms/registry.ts'

/** What a block's kind makes of it; the rest is the same for all kinds. */
export type Built = Pick<DocumentBlock, 'heading' | 'parts' | 'notes'> &
  Partial<Pick<DocumentBlock, 'about'>> & { wanted?: readonly WantedPicture[] }

/** A block that has nothing to show, and why. */
export const nothing = (heading: string, text: string): Built => ({
  heading,
  parts: [{ kind: 'nothing', text }],
  notes: [],
})
export const NO_CHANNELS = 'No channels in these filters.'

/** "Only Northlight (Instagram)": what a block is narrowed down to; null if it covers what the report does. */
export function narrowedText({ nameOf, scopeOf }: Reading, { channelIds, platforms }: Narrowed): string | null {
  const shown = new Set(scopeOf({}).channels.map(({ channelId }) => channelId))
  const texts = [
    ...(channelIds ? [listed(channelIds.filter((id) => shown.has(id)).map(nameOf))] : []),
    ...(platforms ? [listed(platforms.map(platformLabel), platforms.length)] : []),
  ].filter((text) => text !== '')
  return texts.length === 0 ? null : `Only ${texts.join(', on ')}`
}
